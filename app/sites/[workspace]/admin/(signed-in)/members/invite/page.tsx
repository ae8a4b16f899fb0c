import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { FormChoice, FormText } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { listRoles, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { InviteForm } from "./_invite-form";

export const metadata: Metadata = { title: "Invite people" };

export default async function InvitePage() {
  const { workspace, member } = await requireMember("members.manage");
  const roles = await readWorkspace(workspace.id, listRoles);
  const givable = roles.filter(({ permissions }) => within(member.permissions, permissions)).map(({ name }) => name);
  return (
    <AdminPage
      title="Invite people"
      about="Invitations expire in 7 days."
      path={[{ href: "/admin/members", name: "Members" }]}
    >
      <InviteForm>
        <FormText
          label="Emails"
          name="addresses"
          hint="Up to 200, separated by commas or lines."
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
