import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { Form, FormField, FormNewPassword } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { findAskedEmail } from "@/lib/member-links";
import { hasPassword } from "@/lib/member-passwords";
import { requireMember } from "@/lib/session";
import { listSessions, MOST_SESSIONS, type Session } from "@/lib/sessions";
import { publicWorkspace } from "@/lib/site";
import {
  submitEmail,
  submitEndAll,
  submitEndOthers,
  submitEndSession,
  submitPassword,
  submitPasswordLink,
} from "./actions";

export const metadata: Metadata = { title: "Sign-in and sessions" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AccountPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain);
  const { done, of } = await searchParams;
  const { sessions, has, pending } = await readWorkspace(workspace.id, async (read) => ({
    sessions: await listSessions(read, member.id),
    has: await hasPassword(read, member.id),
    pending: await findAskedEmail(read, member.id),
  }));
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  const text = toldOf(String(done), String(of));
  return (
    <AdminPage
      title="Sign-in and sessions"
      about={<span className="wrap-anywhere">You sign in with {member.email}.</span>}
      told={text ? { text, close: "/admin/account" } : undefined}
    >
      <Part title="Where you are signed in">
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
      </Part>
      <Part title="Password">
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
      </Part>
      <Part title="E-mail address">
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
      </Part>
    </AdminPage>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-border py-6 first:border-t-0 first:pt-0">
      <h2 className="mb-3 text-base font-semibold">{title}</h2>
      {children}
    </section>
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

function toldOf(done: string, of: string): string | null {
  if (done === "ended") return "That browser is signed out.";
  if (done === "others") {
    return of === "1" ? "One other browser is signed out." : `${Number(of) || "All"} other browsers are signed out.`;
  }
  if (done === "password") return "Your password is set, and all other browsers are signed out.";
  if (done === "mailed") return "A mail with a link to set a password is on its way to you.";
  if (done === "asked") return "A mail with a link is on its way to the new address. Open the link in this browser.";
  return null;
}
