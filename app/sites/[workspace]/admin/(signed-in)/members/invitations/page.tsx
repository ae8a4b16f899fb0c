import type { Metadata } from "next";
import { ListPage } from "@/components/admin/list-page";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Moment } from "@/components/ui/moment";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { type Invitation, listInvitations } from "@/lib/members/invitations";
import { listRoles, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query } from "../../../_form";
import { submitResend, submitWithdraw } from "../actions";

export const metadata: Metadata = { title: "Invitations" };

const SIZE = 25;

export default async function InvitationsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("members.manage");
  const page = pageOf((await searchParams).page);
  const { invitations, total, roles } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listInvitations(read, { limit: SIZE, offset: (page - 1) * SIZE })),
    roles: await listRoles(read),
  }));
  const mayChange = (role: string) =>
    within(member.permissions, roles.find(({ name }) => name === role)?.permissions ?? []);
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  return (
    <ListPage
      title="Invitations"
      action={<ButtonLink href="/admin/members/invite">Invite people</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total,
        shown: invitations.length,
        address: (at) => pageAddress("/admin/members/invitations", {}, at),
      }}
      empty={{
        title: "No pending invitations",
        text: <p>People you invite are listed here until they accept.</p>,
      }}
    >
      <Table
        label="Invitations"
        columns={["Email", "Role", "Status", "Sent", "Expires", ""]}
        rows={invitations.map((invitation) => ({
          key: invitation.id,
          cells: [
            <span key="email" className="font-medium">
              {invitation.email}
            </span>,
            invitation.role,
            <Badge key="state" tone={invitation.expired ? "bad" : "good"}>
              {invitation.expired ? "Expired" : "Pending"}
            </Badge>,
            <span key="sent">
              {moment(invitation.sentAt)}
              {invitation.invitedBy && (
                <span className="block text-code text-text-muted">by {inviterName(invitation.invitedBy)}</span>
              )}
            </span>,
            moment(invitation.expiresAt),
            mayChange(invitation.role) && (
              <span key="actions" className="flex justify-end gap-2">
                <form action={submitResend}>
                  <input type="hidden" name="id" value={invitation.id} />
                  <Button type="submit" look="plain" size="small" aria-label={`Resend to ${invitation.email}`}>
                    Resend
                  </Button>
                </form>
                <form action={submitWithdraw}>
                  <input type="hidden" name="id" value={invitation.id} />
                  <Button
                    type="submit"
                    look="plain"
                    size="small"
                    aria-label={`Revoke invitation for ${invitation.email}`}
                  >
                    Revoke
                  </Button>
                </form>
              </span>
            ),
          ],
        }))}
      />
    </ListPage>
  );
}

function inviterName({ kind, name }: NonNullable<Invitation["invitedBy"]>): string {
  return kind === "api_key" ? `API key “${name}”` : name;
}
