import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Form, FormChoice, FormText } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { mayMailOthers } from "@/lib/members/members";
import { listRoles, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { submitSendLink } from "../actions";
import { InviteForm } from "./_invite-form";

export const metadata: Metadata = { title: "Invite people" };

export default async function InvitePage() {
  const { workspace, member } = await requireMember("members.manage");
  const { roles, mayMail } = await readWorkspace(workspace.id, async (read) => ({
    roles: await listRoles(read),
    mayMail: await mayMailOthers(read),
  }));
  const givable = roles.filter(({ permissions }) => within(member.permissions, permissions)).map(({ name }) => name);
  if (!mayMail)
    return (
      <AdminPage title="Invite people" about="Confirm your email first. We'll send you a sign-in link.">
        <Form action={submitSendLink} submit={`Send link to ${member.email}`} busy="Sending…" />
      </AdminPage>
    );
  return (
    <AdminPage title="Invite people" about="Invitations expire in 7 days.">
      <InviteForm>
        <FormText
          label="Emails"
          name="addresses"
          hint="Up to 200, separated by commas or line breaks."
          required
          maxLength={60_000}
          spellCheck={false}
        />
        <FormChoice
          label="Role"
          name="role"
          defaultValue={givable.includes("Collaborator") ? "Collaborator" : givable[0]}
          options={givable.map((name) => ({ value: name, name }))}
        />
      </InviteForm>
    </AdminPage>
  );
}
