import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { administratorPermissions, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { anyWorkspace, findClosedWorkspace } from "@/lib/site";
import { submitSignOut } from "../actions";
import { submitTakeBack } from "./actions";

export const metadata: Metadata = { title: "Scheduled for deletion" };

/** The only page of a workspace that will be deleted: the date, and how to restore it. */
export default async function ClosingPage() {
  const { workspace, member } = await requireMember(undefined, anyWorkspace);
  const closed = await findClosedWorkspace(workspace.subdomain);
  if (!closed) redirect("/admin");
  const when = new Intl.DateTimeFormat("en", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: member.timeZone,
  });
  return (
    <Notice title={`${closed.name} will be deleted`}>
      <p>
        Readers, members, and API keys have no access. The knowledge base will be permanently deleted on{" "}
        <time dateTime={closed.deleteAfter.toISOString()}>{when.format(closed.deleteAfter)}</time>.
      </p>
      {within(member.permissions, administratorPermissions) ? (
        <form action={submitTakeBack} className="grid gap-4">
          <p>You can restore the knowledge base with all its content until then.</p>
          <div>
            <Button type="submit">Restore knowledge base</Button>
          </div>
        </form>
      ) : (
        <p>Until then, an administrator can restore the knowledge base.</p>
      )}
      <form action={submitSignOut}>
        <Button type="submit" look="plain" size="small">
          Sign out
        </Button>
      </form>
    </Notice>
  );
}
