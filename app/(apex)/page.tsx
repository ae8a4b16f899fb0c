import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code-line";
import { Notice } from "@/components/ui/notice";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { findWorkspace, onlyWorkspace } from "@/lib/workspaces/workspaces";

export const metadata: Metadata = {
  description: "Lectern is a knowledge base for the answers people ask for again and again.",
};

/** Names no workspace, except the manual in a first run and the only one of an installation. */
export default async function ApexPage() {
  await connection();
  const { baseUrl, quickstart, workspaceCreation } = env();
  if (!workspaceCreation) {
    const only = await onlyWorkspace();
    if (only) redirect(workspaceUrl(only.subdomain, baseUrl));
    return (
      <Notice title="Lectern">
        <p>Each knowledge base here has its own URL.</p>
        <KnownUrl />
        <div>
          <ButtonLink href="/find">Find yours</ButtonLink>
        </div>
      </Notice>
    );
  }
  const manual = quickstart ? await findWorkspace("demo") : null;
  return (
    <Notice title="Lectern">
      <p className="text-lg leading-normal text-pretty">
        A knowledge base for the answers people ask for again and again.
      </p>
      <p>Write articles, and readers find them with a search that forgives typos. They need no account.</p>
      <div className="my-2 flex flex-wrap gap-3">
        <ButtonLink href="/new">Create a knowledge base</ButtonLink>
        <ButtonLink href="/find" look="plain">
          Find yours
        </ButtonLink>
      </div>
      {manual && (
        <p>
          New here? <Link href={workspaceUrl(manual.subdomain, baseUrl)}>Read the manual</Link>
        </p>
      )}
      <div className="mt-6 grid gap-4 border-t border-border pt-8">
        <KnownUrl />
      </div>
    </Notice>
  );
}

function KnownUrl() {
  return (
    <>
      <p>Know its name? Members sign in at:</p>
      <CodeLine>{`${workspaceUrl("your-workspace", env().baseUrl)}/admin`}</CodeLine>
    </>
  );
}
