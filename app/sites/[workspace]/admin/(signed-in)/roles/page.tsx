import type { Metadata } from "next";
import Link from "next/link";
import { AdminPage, type Told } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { listRolesInUse, type Role } from "@/lib/roles";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { pageOf } from "../../_form";
import { permissionWords } from "./_permissions";

export const metadata: Metadata = { title: "Roles" };

const SIZE = 25;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RolesPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "members.manage");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const roles = await readWorkspace(workspace.id, listRolesInUse);
  const address = (at: number) => `/admin/roles${at > 1 ? `?page=${at}` : ""}`;
  const saved = roles.find(({ id }) => id === asked.of);
  return (
    <AdminPage
      title="Roles"
      about="Each member has one role, which says what they may do."
      action={<ButtonLink href="/admin/roles/new">Create role</ButtonLink>}
      told={toldOf(asked.done, saved, address(page))}
    >
      <Table
        label="Roles"
        columns={["Name", "May", "Members"]}
        rows={roles.slice((page - 1) * SIZE, page * SIZE).map((role) => ({
          key: role.id,
          cells: [
            <Link key="name" href={`/admin/roles/${role.id}`} prefetch={false} className="font-medium">
              {role.name}
            </Link>,
            <span key="may" className="text-text-muted">
              {role.permissions.map((permission) => permissionWords[permission]).join(", ") ||
                "Look, and change nothing"}
            </span>,
            String(role.members),
          ],
        }))}
      />
      <Pager page={page} size={SIZE} total={roles.length} address={address} />
    </AdminPage>
  );
}

function toldOf(done: unknown, saved: Role | undefined, close: string): Told | undefined {
  if (done === "deleted") return { text: "The role is deleted.", close };
  if (done === "kept" && saved) return { text: `“${saved.name}” is kept: somebody was given it meanwhile.`, close };
  return done === "saved" && saved ? { text: `“${saved.name}” is saved.`, close } : undefined;
}
