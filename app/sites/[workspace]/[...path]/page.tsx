import type { Metadata } from "next";
import Link from "next/link";
import { SiteFooter } from "@/components/reader/site-footer";
import { Notice } from "@/components/ui/notice";
import { publicWorkspace } from "@/lib/site";
import { setStatus } from "@/lib/status";

export const metadata: Metadata = { title: "Page not found", robots: { index: false } };

/** Every address of a workspace that has no page of its own. */
export default async function UnknownPage({ params }: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await params).workspace);
  setStatus(404);
  return (
    <>
      <Notice title="Page not found">
        <p>
          {workspace.name} has nothing at this address: it may be mistyped, or what was here is gone.{" "}
          <Link href="/" prefetch={false}>
            Go to the start page
          </Link>
          .
        </p>
      </Notice>
      <div className="mx-auto max-w-[36rem] px-5">
        <SiteFooter />
      </div>
    </>
  );
}
