import type { Metadata } from "next";
import Link from "next/link";
import { ListPage } from "@/components/admin/list-page";
import { ButtonLink } from "@/components/ui/button-link";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { listRolesInUse } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query } from "../../_form";
import { permissionWords } from "./_permissions";

export const metadata: Metadata = { title: "Roles" };

const SIZE = 25;

export default async function RolesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("members.manage");
  const page = pageOf((await searchParams).page);
  const roles = await readWorkspace(workspace.id, listRolesInUse);
  const shown = roles.slice((page - 1) * SIZE, page * SIZE);
  return (
    <ListPage
      title="Roles"
      about="Roles control what members can do. Each member has one role."
      action={<ButtonLink href="/admin/roles/new">Create role</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total: roles.length,
        shown: shown.length,
        address: (at) => pageAddress("/admin/roles", {}, at),
      }}
    >
      <Table
        label="Roles"
        columns={["Name", "Permissions", "Members"]}
        rows={shown.map((role) => ({
          key: role.id,
          cells: [
            <Link key="name" href={`/admin/roles/${role.id}`} prefetch={false} className="font-medium">
              {role.name}
            </Link>,
            <span key="may" className="text-text-muted">
              {role.permissions.map((permission) => permissionWords[permission]).join(", ") || "View only"}
            </span>,
            String(role.members),
          ],
        }))}
      />
    </ListPage>
  );
}
