import Link from "next/link";
import { CodeLine } from "@/components/ui/code-line";
import { Notice } from "@/components/ui/notice";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { setStatus } from "@/lib/http/status";
import { requestedSite } from "@/lib/site";

/** For unknown paths on the base domain, and for hosts without a workspace (middleware.ts). */
export async function Nowhere() {
  setStatus(404);
  if ((await requestedSite()).kind === "apex") {
    return (
      <Notice title="Page not found">
        <p>
          <Link href="/" prefetch={false}>
            Go to the home page
          </Link>
        </p>
      </Notice>
    );
  }
  return (
    <Notice title="No knowledge base here">
      <p>The URL of a knowledge base looks like this:</p>
      <CodeLine>{workspaceUrl("your-workspace", env().baseUrl)}</CodeLine>
      <p>Check the spelling.</p>
    </Notice>
  );
}
