import type { Metadata } from "next";
import { AdminPage, type Told } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Moment } from "@/components/ui/moment";
import { Pager } from "@/components/ui/pager";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { spoken } from "@/lib/form";
import { listInvitations } from "@/lib/invitations";
import { listRoles, within } from "@/lib/roles";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { idOf, pageOf } from "../../../_form";
import { submitResend, submitRestore, submitWithdraw } from "../actions";

export const metadata: Metadata = { title: "Invitations" };

const SIZE = 25;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function InvitationsPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain, "members.manage");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const { invitations, total, roles } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listInvitations(read, { limit: SIZE, offset: (page - 1) * SIZE })),
    roles: await listRoles(read),
  }));
  const mayChange = (role: string) =>
    within(member.permissions, roles.find(({ name }) => name === role)?.permissions ?? []);
  const address = (at: number) => `/admin/members/invitations${at > 1 ? `?page=${at}` : ""}`;
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  const invite = <ButtonLink href="/admin/members/invite">Invite people</ButtonLink>;
  return (
    <AdminPage
      title="Invitations"
      path={[{ href: "/admin/members", name: "Members" }]}
      action={total > 0 && invite}
      told={toldOf(asked.done, asked.of, address(page))}
    >
      {total === 0 ? (
        <Empty title="No open invitations" action={invite}>
          <p>Who is invited stands here until they accept. You can send an invitation again, or withdraw it.</p>
        </Empty>
      ) : (
        <Table
          label="Invitations"
          columns={["E-mail", "Role", "State", "Sent", "Expires", ""]}
          rows={invitations.map((invitation) => ({
            key: invitation.id,
            cells: [
              <span key="email" className="font-medium">
                {invitation.email}
              </span>,
              invitation.role,
              <State key="state" tone={invitation.expired ? "bad" : "good"}>
                {invitation.expired ? "Expired" : "Open"}
              </State>,
              <span key="sent">
                {moment(invitation.sentAt)}
                {invitation.invitedBy && (
                  <span className="block text-code text-text-muted">by {invitation.invitedBy}</span>
                )}
              </span>,
              moment(invitation.expiresAt),
              mayChange(invitation.role) && (
                <span key="actions" className="flex justify-end gap-2">
                  <form action={submitResend}>
                    <input type="hidden" name="id" value={invitation.id} />
                    <Button type="submit" look="plain" size="small" aria-label={`Send again to ${invitation.email}`}>
                      Send again
                    </Button>
                  </form>
                  <form action={submitWithdraw}>
                    <input type="hidden" name="id" value={invitation.id} />
                    <Button type="submit" look="plain" size="small" aria-label={`Withdraw from ${invitation.email}`}>
                      Withdraw
                    </Button>
                  </form>
                </span>
              ),
            ],
          }))}
        />
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
  );
}

function toldOf(done: unknown, of: string | string[] | undefined, close: string): Told | undefined {
  if (done === "resent") return { text: "The invitation is sent again. Its former link has ended.", close };
  if (done === "often") {
    const pause = typeof of === "string" && /^[1-9]\d{0,4}$/.test(of) ? ` Try again in ${spoken(Number(of))}.` : "";
    return { text: `Invitations were sent again very often, and this one was not.${pause}`, close };
  }
  if (done === "restored") return { text: "The invitation is open again, with the same link.", close };
  if (done === "refused") {
    return { text: "Nothing is changed: the role is beyond yours, or the person was invited again.", close };
  }
  if (done === "withdrawn") {
    const id = idOf(of);
    const undo = id && (
      <form action={submitRestore}>
        <input type="hidden" name="id" value={id} />
        <Button type="submit" look="plain" size="small">
          Undo
        </Button>
      </form>
    );
    return { text: "The invitation is withdrawn: its link has ended.", close, undo };
  }
  if (done !== "invited" || typeof of !== "string" || !/^\d{1,3}$/.test(of)) return undefined;
  return { text: of === "1" ? "One person is invited." : `${of} people are invited.`, close };
}
