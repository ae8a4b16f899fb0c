import type { Metadata } from "next";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { submitSignOut } from "./actions";

export const metadata: Metadata = { title: "Admin" };

export default async function AdminPage({ params }: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain);
  return (
    <>
      <header className="border-b border-border bg-surface-raised">
        <div className="mx-auto flex max-w-[64rem] items-center justify-between gap-4 px-5 py-2.5">
          <Link
            href="/"
            prefetch={false}
            className="min-w-0 truncate text-sm font-semibold no-underline hover:underline"
          >
            {workspace.name}
          </Link>
          <form action={submitSignOut}>
            <Button type="submit" look="plain">
              Sign out
            </Button>
          </form>
        </div>
      </header>
      <main className="mx-auto max-w-[64rem] px-5 py-10">
        <h1 className="text-xl">
          Signed in as {member.firstName} {member.lastName}
        </h1>
        <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
          <dt className="text-text-muted">E-mail</dt>
          <dd className="min-w-0 break-words">{member.email}</dd>
          <dt className="text-text-muted">Role</dt>
          <dd>{member.role}</dd>
          <dt className="text-text-muted">Workspace</dt>
          <dd className="min-w-0 break-words">{workspace.name}</dd>
          <dt className="text-text-muted">Address</dt>
          <dd className="min-w-0 break-words">
            <Link href="/" prefetch={false}>
              {workspaceUrl(workspace.subdomain, env().baseUrl)}
            </Link>
          </dd>
        </dl>
      </main>
    </>
  );
}
