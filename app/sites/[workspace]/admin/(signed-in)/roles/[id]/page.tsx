import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Confirm } from "@/components/ui/confirm";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { listRolesInUse, within } from "@/lib/roles";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { RoleFields } from "../_fields";
import { permissionWords } from "../_permissions";
import { submitDeleteRole, submitRole } from "../actions";

export const metadata: Metadata = { title: "Role" };

export default async function RolePage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { workspace: subdomain, id } = await params;
  const workspace = await publicWorkspace(subdomain);
  const member = await requireMember(workspace.subdomain, "members.manage");
  const role = (await readWorkspace(workspace.id, listRolesInUse)).find((one) => one.id === id);
  if (!role) notFound();
  const holders = (
    <Link href={`/admin/members?role=${encodeURIComponent(role.name)}`} prefetch={false}>
      {role.members === 1 ? "One member has it" : `${role.members} members have it`}
    </Link>
  );
  const path = [{ href: "/admin/roles", name: "Roles" }];
  if (!within(member.permissions, role.permissions)) {
    return (
      <AdminPage title={role.name} about={holders} path={path}>
        <p>This role may do what yours may not, so you cannot change it:</p>
        <ul className="mt-2 list-disc pl-5">
          {role.permissions.map((permission) => (
            <li key={permission}>{permissionWords[permission]}</li>
          ))}
        </ul>
      </AdminPage>
    );
  }
  return (
    <AdminPage title={role.name} about={holders} path={path}>
      <Form action={submitRole} submit="Save" busy="Saving …">
        <input type="hidden" name="id" value={role.id} />
        <RoleFields role={role} givable={member.permissions} />
      </Form>
      <section aria-labelledby="delete" className="mt-10 max-w-[28rem] border-t border-border pt-6">
        <h2 id="delete" className="mb-3 text-base">
          Delete
        </h2>
        {role.members + role.invitations > 0 ? (
          <p className="text-text-muted">
            The role is in use: give another one to its members first, and withdraw invitations to it.
          </p>
        ) : role.wasGiven ? (
          <p className="text-text-muted">
            People were invited to this role, which the record of it keeps: rename the role instead.
          </p>
        ) : (
          <Confirm
            id="delete-role"
            label="Delete role"
            title={`Delete “${role.name}”?`}
            yes="Delete"
            action={submitDeleteRole}
            fields={{ id: role.id }}
          >
            <p>Nobody has the role. A role that is deleted cannot be brought back.</p>
          </Confirm>
        )}
      </section>
    </AdminPage>
  );
}
