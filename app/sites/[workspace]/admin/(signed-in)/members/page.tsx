import type { Metadata } from "next";
import Link from "next/link";
import { ListPage } from "@/components/admin/list-page";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { countOf } from "@/components/ui/count";
import { Filter, FilterChoice, FilterSearch } from "@/components/ui/filter";
import { Portrait } from "@/components/ui/portrait";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { picturePath } from "@/lib/members/avatars";
import { listInvitations } from "@/lib/members/invitations";
import { listMembers } from "@/lib/members/members";
import { listRoles } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query, wordOf } from "../../_form";

export const metadata: Metadata = { title: "Members" };

const SIZE = 25;

export default async function MembersPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("members.manage");
  const query = await searchParams;
  const page = pageOf(query.page);
  const filter = { q: wordOf(query.q), role: wordOf(query.role), state: wordOf(query.state) };
  const isFiltered = Object.values(filter).some(Boolean);
  const { members, total, roles, invitations } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listMembers(read, {
      search: filter.q,
      role: filter.role,
      active: filter.state === "" ? undefined : filter.state === "active",
      limit: SIZE,
      offset: (page - 1) * SIZE,
    })),
    roles: await listRoles(read),
    invitations: (await listInvitations(read, { limit: 0, offset: 0 })).total,
  }));
  const nobody = {
    title: "No members found",
    text: <p>Try a different name, role, or status.</p>,
  };
  return (
    <ListPage
      title="Members"
      about={
        <Link href="/admin/members/invitations" prefetch={false}>
          {invitations === 0 ? "No pending invitations" : countOf(invitations, "pending invitation")}
        </Link>
      }
      action={<ButtonLink href="/admin/members/invite">Invite people</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total,
        shown: members.length,
        address: (at) => pageAddress("/admin/members", filter, at),
      }}
      isFiltered={isFiltered}
      filter={
        <Filter action="/admin/members" isFiltered={isFiltered}>
          <FilterSearch label="Name or email" value={filter.q} />
          <FilterChoice
            label="Role"
            name="role"
            value={filter.role}
            any="Any role"
            options={roles.map(({ name }) => ({ value: name, name }))}
          />
          <FilterChoice
            label="Status"
            name="state"
            value={filter.state}
            any="Any status"
            options={[
              { value: "active", name: "Active" },
              { value: "deactivated", name: "Deactivated" },
            ]}
          />
        </Filter>
      }
      empty={nobody}
      unmatched={{ ...nobody, all: { href: "/admin/members", name: "Show all members" } }}
    >
      <Table
        label="Members"
        columns={["Name", "Email", "Role", "Status"]}
        rows={members.map((member) => ({
          key: member.id,
          cells: [
            <span key="name" className="flex min-w-0 items-center gap-2.5">
              <Portrait path={picturePath(member)} />
              <Link href={`/admin/members/${member.id}`} prefetch={false} className="min-w-0 font-medium">
                {member.firstName} {member.lastName}
              </Link>
            </span>,
            member.email,
            member.role,
            <Badge key="state" tone={member.active ? "good" : "quiet"}>
              {member.active ? "Active" : "Deactivated"}
            </Badge>,
          ],
        }))}
      />
    </ListPage>
  );
}
