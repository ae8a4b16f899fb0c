import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { countOf } from "@/components/ui/count";
import { Form, FormField, FormNewPassword } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { Section } from "@/components/ui/section";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { hasPassword } from "@/lib/members/change-password";
import { listSessions, MOST_SESSIONS, type Session } from "@/lib/members/member-sessions";
import { listPasskeys, type Passkey } from "@/lib/members/passkeys";
import { findPendingEmail } from "@/lib/members/sign-in-links";
import { findTwoStep } from "@/lib/members/two-step-codes";
import { requireMember } from "@/lib/session";
import { AddPasskey } from "./_add-passkey";
import {
  submitEmail,
  submitEndAll,
  submitEndOthers,
  submitEndSession,
  submitPassword,
  submitPasswordLink,
} from "./actions";

export const metadata: Metadata = { title: "Password and sessions" };

export default async function AccountPage() {
  const { workspace, member } = await requireMember();
  const { sessions, has, pending, twoStep, passkeys } = await readWorkspace(workspace.id, async (read) => ({
    sessions: await listSessions(read, member.id),
    has: await hasPassword(read, member.id),
    pending: await findPendingEmail(read, member.id),
    twoStep: await findTwoStep(read, member.id),
    passkeys: await listPasskeys(read, member.id),
  }));
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  return (
    <AdminPage
      title="Password and sessions"
      about={<span className="wrap-anywhere">You sign in as {member.email}.</span>}
    >
      <Section title="Active sessions">
        <Table
          label="Sessions"
          columns={["Device", "IP address", "Signed in", "Last seen", ""]}
          rows={sessions.slice(0, MOST_SESSIONS).map((session) => ({
            key: session.id,
            cells: cellsOf(session, session.id === member.sessionId, moment),
          }))}
        />
        {sessions.length > MOST_SESSIONS && (
          <p className="mt-3 text-text-muted">
            Showing the {MOST_SESSIONS} most recent sessions. The buttons below also end older sessions.
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
          <Form action={submitPassword} submit="Change password" busy="Saving…" look="plain">
            <CurrentPassword withPassword={has} withCode={twoStep.isOn} />
            <FormNewPassword label="New password" also="A new password signs you out on other devices." />
          </Form>
        ) : (
          <Form action={submitPasswordLink} submit="Email me a link" busy="Sending…" look="plain">
            <p className="text-text-muted">
              You have no password. To set a password, request a link.
              {passkeys.length > 0 && " Setting a password removes your passkeys."}
            </p>
          </Form>
        )}
      </Section>
      <Section
        title="Two-step verification"
        about={
          twoStep.isOn
            ? member.twoStep.isRequired && "Required for your role."
            : "When you sign in, you'll also enter a code from an authenticator app on your phone."
        }
      >
        {twoStep.isOn ? (
          <>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <Badge tone="good">On</Badge>
              <span className="text-text-muted">{countOf(twoStep.codesLeft, "recovery code")} left</span>
            </p>
            <div className="mt-4 flex flex-wrap gap-3">
              <ButtonLink href="/admin/account/recovery-codes" look="plain">
                New recovery codes
              </ButtonLink>
              <ButtonLink href="/admin/account/two-step" look="plain">
                Turn off
              </ButtonLink>
            </div>
          </>
        ) : (
          <ButtonLink href="/admin/two-step" look="plain">
            Set up
          </ButtonLink>
        )}
      </Section>
      <Section title="Passkeys" about="Sign in with your fingerprint, face, or PIN. No password or code needed.">
        {passkeys.length > 0 && (
          <div className="mb-4">
            <Table
              label="Passkeys"
              columns={["Name", "Added", "Last used", ""]}
              rows={passkeys.map((passkey) => ({ key: passkey.id, cells: cellsOfPasskey(passkey, moment) }))}
            />
          </div>
        )}
        <AddPasskey />
      </Section>
      <Section title="Email">
        {pending && (
          <p className="mb-4 text-text-muted wrap-anywhere">
            Open the link we sent to {pending.email}. The link expires {moment(pending.expiresAt)}.
          </p>
        )}
        <Form action={submitEmail} submit="Change email" busy="Sending…" look="plain">
          <FormField
            label="New email"
            name="email"
            type="email"
            hint="We'll send a confirmation link to this email."
            required
            maxLength={254}
            autoComplete="off"
          />
          <CurrentPassword withPassword={has} withCode={twoStep.isOn} />
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
      <Badge key="seen" tone="good">
        This device
      </Badge>
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

function cellsOfPasskey({ id, name, createdAt, lastUsedAt }: Passkey, moment: (at: Date) => ReactNode): ReactNode[] {
  return [
    <span key="name" className="font-medium wrap-anywhere">
      {name}
    </span>,
    moment(createdAt),
    lastUsedAt ? moment(lastUsedAt) : <span className="text-text-muted">Never</span>,
    <div key="remove" className="md:text-right">
      <ButtonLink href={`/admin/account/passkeys/${id}/remove`} look="plain" size="small" aria-label={`Remove ${name}`}>
        Remove
      </ButtonLink>
    </div>,
  ];
}
