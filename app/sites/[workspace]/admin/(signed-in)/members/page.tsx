import type { Metadata } from "next";
import Link from "next/link";
import { AdminPage, type Told } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Choice, Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { Pager } from "@/components/ui/pager";
import { Portrait } from "@/components/ui/portrait";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { picturePath } from "@/lib/avatars";
import { readWorkspace } from "@/lib/db";
import { listInvitations } from "@/lib/invitations";
import { findMember, listMembers, type Member } from "@/lib/members";
import { listRoles } from "@/lib/roles";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { idOf, pageAddress, pageOf, wordOf } from "../../_form";
import { submitFormerRole, submitReactivate } from "./actions";

export const metadata: Metadata = { title: "Members" };

const SIZE = 25;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function MembersPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "members.manage");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const filter = { q: wordOf(asked.q), role: wordOf(asked.role), state: wordOf(asked.state) };
  const isFiltered = Object.values(filter).some(Boolean);
  const { members, total, roles, invitations, told } = await readWorkspace(workspace.id, async (read) => {
    const of = idOf(asked.of);
    return {
      ...(await listMembers(read, {
        search: filter.q,
        role: filter.role,
        active: filter.state === "" ? undefined : filter.state === "active",
        limit: SIZE,
        offset: (page - 1) * SIZE,
      })),
      roles: await listRoles(read),
      invitations: (await listInvitations(read, { limit: 0, offset: 0 })).total,
      told: of && asked.done ? await findMember(read, of) : null,
    };
  });
  const address = (at: number) => pageAddress("/admin/members", filter, at);
  return (
    <AdminPage
      title="Members"
      about={
        <Link href="/admin/members/invitations" prefetch={false}>
          {invitations === 0 ? "No open invitations" : `Open invitations: ${invitations}`}
        </Link>
      }
      action={<ButtonLink href="/admin/members/invite">Invite people</ButtonLink>}
      told={told ? toldOf(String(asked.done), told, wordOf(asked.was), address(page)) : undefined}
    >
      <Filter
        action="/admin/members"
        columns="md:grid-cols-[minmax(0,1fr)_10rem_10rem_auto]"
        isFiltered={isFiltered}
        inUse={[filter.role, filter.state].filter(Boolean).length}
        more={
          <>
            <Choice
              label="Role"
              name="role"
              defaultValue={filter.role}
              options={[{ value: "", name: "Any role" }, ...roles.map(({ name }) => ({ value: name, name }))]}
            />
            <Choice
              label="State"
              name="state"
              defaultValue={filter.state}
              options={[
                { value: "", name: "Any state" },
                { value: "active", name: "Active" },
                { value: "deactivated", name: "Deactivated" },
              ]}
            />
          </>
        }
      >
        <Field label="Name or e-mail" name="q" type="search" defaultValue={filter.q} maxLength={100} />
      </Filter>
      {members.length === 0 ? (
        <Empty
          title="Nobody fits"
          action={
            isFiltered && (
              <ButtonLink href="/admin/members" look="plain">
                Show all members
              </ButtonLink>
            )
          }
        >
          <p>No member has this name, role and state. A part of a name or of an address is enough.</p>
        </Empty>
      ) : (
        <Table
          label="Members"
          columns={["Name", "E-mail", "Role", "State"]}
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
              <State key="state" tone={member.active ? "good" : "quiet"}>
                {member.active ? "Active" : "Deactivated"}
              </State>,
            ],
          }))}
        />
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
  );
}

/** @param was the role that the member had before, if it was changed */
function toldOf(done: string, member: Member, was: string, close: string): Told | undefined {
  const name = `${member.firstName} ${member.lastName}`;
  if (done === "refused") return { text: `Nothing is changed of ${name}: open their page to see why.`, close };
  if (done === "saved") {
    const undo = was && (
      <form action={submitFormerRole}>
        <input type="hidden" name="id" value={member.id} />
        <input type="hidden" name="role" value={was} />
        <Button type="submit" look="plain" size="small">
          Make {was} again
        </Button>
      </form>
    );
    return { text: `${name} is saved.${was && ` The role is ${member.role} now.`}`, close, undo };
  }
  if (done === "reactivated" && member.active) return { text: `${name} can sign in again.`, close };
  if (done !== "deactivated" || member.active) return undefined;
  return {
    text: `${name} is deactivated and signed out everywhere.`,
    close,
    undo: (
      <form action={submitReactivate}>
        <input type="hidden" name="id" value={member.id} />
        <Button type="submit" look="plain" size="small">
          Undo
        </Button>
      </form>
    ),
  };
}
