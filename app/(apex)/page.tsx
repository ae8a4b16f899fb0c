import type { Metadata } from "next";
import { connection } from "next/server";
import { CodeLine } from "@/components/ui/code-line";
import { Notice } from "@/components/ui/notice";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";

export const metadata: Metadata = {
  description: "A knowledge base for many workspaces, each at an address of its own.",
};

/** Says how addresses are made, and names none: which workspaces there are is nobody's business. */
export default async function ApexPage() {
  await connection();
  return (
    <Notice title="Lectern">
      <p>A knowledge base for many workspaces, each at an address of its own.</p>
      <p>Looking for one? Put its subdomain in front of this domain:</p>
      <CodeLine>{workspaceUrl("your-workspace", env().baseUrl)}</CodeLine>
      <p>
        Members sign in there, at <code>/admin</code>.
      </p>
    </Notice>
  );
}
