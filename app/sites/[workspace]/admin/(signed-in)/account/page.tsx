import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { Form, FormField, FormNewPassword } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { Section } from "@/components/ui/section";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { hasPassword } from "@/lib/members/change-password";
import { listSessions, MOST_SESSIONS, type Session } from "@/lib/members/member-sessions";
import { findPendingEmail } from "@/lib/members/sign-in-links";
import { requireMember } from "@/lib/session";
import {
  submitEmail,
  submitEndAll,
  submitEndOthers,
  submitEndSession,
  submitPassword,
  submitPasswordLink,
} from "./actions";

export const metadata: Metadata = { title: "Sign-in and sessions" };

export default async function AccountPage() {
  const { workspace, member } = await requireMember();
  const { sessions, has, pending } = await readWorkspace(workspace.id, async (read) => ({
    sessions: await listSessions(read, member.id),
    has: await hasPassword(read, member.id),
    pending: await findPendingEmail(read, member.id),
  }));
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  return (
    <AdminPage
      title="Sign-in and sessions"
      about={<span className="wrap-anywhere">You sign in with {member.email}.</span>}
    >
      <Section title="Where you are signed in">
        <Table
          label="Sessions"
          columns={["Browser", "Address", "Signed in", "Last seen", ""]}
          rows={sessions.slice(0, MOST_SESSIONS).map((session) => ({
            key: session.id,
            cells: cellsOf(session, session.id === member.sessionId, moment),
          }))}
        />
        {sessions.length > MOST_SESSIONS && (
          <p className="mt-3 text-text-muted">
            These are the {MOST_SESSIONS} that were used last. There are more: the buttons below sign out of those, too.
          </p>
        )}
        <div className="mt-4 flex flex-wrap gap-3">
          {sessions.length > 1 && (
            <form action={submitEndOthers}>
              <Button type="submit" look="plain">
                Sign out everywhere else
              </Button>
            </form>
          )}
          <form action={submitEndAll}>
            <Button type="submit" look="plain">
              Sign out everywhere
            </Button>
          </form>
        </div>
      </Section>
      <Section title="Password">
        {has ? (
          <Form action={submitPassword} submit="Change password" busy="Changing …" look="plain">
            <CurrentPassword />
            <FormNewPassword label="New password" also="All other browsers are signed out then." />
          </Form>
        ) : (
          <Form action={submitPasswordLink} submit="Send me a link" busy="Sending …" look="plain">
            <p className="text-text-muted">
              You have no password, and sign in by links in mails. To set one, have a link mailed to you.
            </p>
          </Form>
        )}
      </Section>
      <Section title="E-mail address">
        {pending && (
          <p className="mb-4 text-text-muted wrap-anywhere">
            {pending.email} waits to be confirmed: open the link in the mail that was sent there. The link expires{" "}
            {moment(pending.expiresAt)}, and as soon as you ask for another.
          </p>
        )}
        <Form action={submitEmail} submit="Change address" busy="Sending …" look="plain">
          <FormField
            label="New e-mail address"
            name="email"
            type="email"
            hint="You get a mail there with a link that confirms it. Until then nothing changes."
            required
            maxLength={254}
            autoComplete="off"
          />
          {has && <CurrentPassword />}
        </Form>
      </Section>
    </AdminPage>
  );
}

function cellsOf(
  { id, device, ip, createdAt, lastSeenAt }: Session,
  isThis: boolean,
  moment: (at: Date) => ReactNode,
): ReactNode[] {
  return [
    <span key="device" className="font-medium">
      {device}
    </span>,
    ip ?? <span className="text-text-muted">Unknown</span>,
    moment(createdAt),
    isThis ? (
      <State key="seen" tone="good">
        This browser
      </State>
    ) : (
      moment(lastSeenAt)
    ),
    !isThis && (
      <form key="end" action={submitEndSession} className="md:text-right">
        <input type="hidden" name="id" value={id} />
        <Button type="submit" look="plain" size="small" aria-label={`Sign out ${device}`}>
          Sign out
        </Button>
      </form>
    ),
  ];
}
