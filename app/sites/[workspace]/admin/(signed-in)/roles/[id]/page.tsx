import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Confirm } from "@/components/ui/confirm";
import { countOf } from "@/components/ui/count";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { readWorkspace } from "@/lib/db";
import { listRolesInUse, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { RoleFields } from "../_fields";
import { permissionWords } from "../_permissions";
import { submitDeleteRole, submitRole } from "../actions";

export const metadata: Metadata = { title: "Role" };

export default async function RolePage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { id } = await params;
  const { workspace, member } = await requireMember("members.manage");
  const role = (await readWorkspace(workspace.id, listRolesInUse)).find((one) => one.id === id);
  if (!role) notFound();
  const holders = (
    <Link href={`/admin/members?role=${encodeURIComponent(role.name)}`} prefetch={false}>
      {countOf(role.members, "member")}
    </Link>
  );
  if (!within(member.permissions, role.permissions)) {
    return (
      <AdminPage title={role.name} about={holders}>
        <p>Your role can't change this role. Its permissions:</p>
        <ul className="mt-2 list-disc pl-5">
          {role.permissions.map((permission) => (
            <li key={permission}>{permissionWords[permission]}</li>
          ))}
        </ul>
      </AdminPage>
    );
  }
  return (
    <AdminPage title={role.name} about={holders}>
      <Form action={submitRole} submit="Save" busy="Saving…" cancel="/admin/roles">
        <input type="hidden" name="id" value={role.id} />
        <RoleFields role={role} givable={member.permissions} />
      </Form>
      <Section title="Delete">
        {role.members + role.invitations > 0 ? (
          <p className="text-text-muted">
            This role is in use. Give its members another role and revoke its invitations first.
          </p>
        ) : role.hasHistory ? (
          <p className="text-text-muted">This role can't be deleted because past invitations use it.</p>
        ) : (
          <Confirm
            id="delete-role"
            label="Delete role"
            look="danger"
            size="normal"
            title={`Delete “${role.name}”?`}
            yes="Delete"
            action={submitDeleteRole}
            fields={{ id: role.id }}
          >
            <p>No member has this role. The deletion can't be undone.</p>
          </Confirm>
        )}
      </Section>
    </AdminPage>
  );
}
