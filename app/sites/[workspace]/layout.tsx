import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Document } from "@/app/_html";
import { pageNonce } from "@/app/_nonce";
import { SiteHead } from "@/components/reader/site-head";
import { CodeLine } from "@/components/ui/code-line";
import { Notice } from "@/components/ui/notice";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { currentRequest } from "@/lib/http/request";
import { setStatus } from "@/lib/http/status";
import { readerIcons } from "@/lib/reader/metadata";
import { accentStyle } from "@/lib/settings/colors";
import { findClosedWorkspace, findPublicWorkspace } from "@/lib/site";

// Without this, Next would cache the first answer forever.
const NOWHERE = "No knowledge base here";

export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ workspace: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { workspace: subdomain } = await params;
  const known = await findPublicWorkspace(subdomain);
  const workspace = known ?? (await findClosedWorkspace(subdomain));
  if (workspace) {
    return {
      title: { default: workspace.name, template: `%s · ${workspace.name}` },
      ...(known && { icons: readerIcons(known) }),
    };
  }
  return { title: { default: NOWHERE, template: NOWHERE }, robots: { index: false } };
}

/** The frame of all pages of a workspace. Replaces every page of an unknown subdomain, and the reader pages of a closed one. */
export default async function SiteLayout({ params, children }: Props) {
  const { workspace: subdomain } = await params;
  const known = await findPublicWorkspace(subdomain);
  const closed = known ? null : await findClosedWorkspace(subdomain);
  const workspace = known ?? (currentRequest()?.path.startsWith("/admin") ? closed : null);
  if (workspace) {
    const style = workspace.accentColor && accentStyle(workspace.accentColor);
    const head = <SiteHead style={style} nonce={await pageNonce()} />;
    return (
      <Document lang={workspace.language} head={head}>
        {children}
      </Document>
    );
  }
  if (closed) {
    setStatus(410);
    return (
      <Document lang="en">
        <Notice title="This knowledge base is closed">
          <p>An administrator closed it, and it will be deleted.</p>
          <p>
            Are you an administrator? <a href="/admin/closing">Restore the knowledge base</a>
          </p>
        </Notice>
      </Document>
    );
  }
  setStatus(404);
  return (
    <Document lang="en">
      <Notice title={NOWHERE}>
        <p>
          There is no knowledge base <strong>{subdomain}</strong>. The URL of a knowledge base looks like this:
        </p>
        <CodeLine>{workspaceUrl("your-workspace", env().baseUrl)}</CodeLine>
        <p>Check the spelling, or ask the person who sent you the link.</p>
      </Notice>
    </Document>
  );
}
