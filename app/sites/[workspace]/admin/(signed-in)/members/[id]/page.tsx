import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { PersonFields } from "@/components/admin/person-fields";
import { Button } from "@/components/ui/button";
import { countOf } from "@/components/ui/count";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { readWorkspace } from "@/lib/db";
import { listSessions, MOST_SESSIONS } from "@/lib/members/member-sessions";
import { findMember, type Member } from "@/lib/members/members";
import { listPasskeys } from "@/lib/members/passkeys";
import { listRoles, within } from "@/lib/members/roles";
import { currentTimeZone, timeZoneChoices } from "@/lib/members/time-zones";
import { findTwoStep } from "@/lib/members/two-step-codes";
import { requireMember } from "@/lib/session";
import { idOf, type Query } from "../../../_form";
import { confirmationOf } from "../../../_password";
import { PictureSection } from "../../profile/_picture";
import {
  submitDeactivate,
  submitMember,
  submitReactivate,
  submitRemovePasskeys,
  submitResetTwoStep,
  submitSignOutMember,
} from "../actions";

export const metadata: Metadata = { title: "Member" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Query>;
}

export default async function MemberPage({ params, searchParams }: Props) {
  const query = await searchParams;
  const signed = await requireMember("members.manage");
  const {
    workspace,
    member: { id: self, permissions },
  } = signed;
  const id = idOf((await params).id);
  const { member, roles, sessions, hasTwoStep, passkeys } = await readWorkspace(workspace.id, async (read) => ({
    member: id && (await findMember(read, id)),
    roles: await listRoles(read),
    sessions: id ? (await listSessions(read, id)).length : 0,
    hasTwoStep: id !== null && (await findTwoStep(read, id)).isOn,
    passkeys: id ? (await listPasskeys(read, id)).length : 0,
  }));
  if (!member) notFound();
  const confirmation = await confirmationOf(signed);
  const givable = roles.filter((role) => within(permissions, role.permissions)).map(({ name }) => name);
  return (
    <AdminPage
      title={`${member.firstName} ${member.lastName}`}
      about={member.active ? undefined : "Deactivated. This member can't sign in, but their articles stay."}
    >
      {givable.includes(member.role) ? (
        <Changes
          member={member}
          roles={givable}
          sessions={sessions}
          isSelf={member.id === self}
          picture={<PictureSection member={member} refused={query.refused} />}
        >
          <TwoStep member={member} isOn={hasTwoStep} isSelf={member.id === self} confirmation={confirmation} />
          {passkeys > 0 && member.id !== self && (
            <Form action={submitRemovePasskeys} submit="Remove passkeys" busy="Removing…" look="danger">
              <input type="hidden" name="id" value={member.id} />
              <p className="text-text-muted">
                {member.firstName} has {countOf(passkeys, "passkey")}. Remove {passkeys === 1 ? "it" : "them"} if a
                device was lost or someone else used the account. This signs {member.firstName} out everywhere and sends
                them an email.
              </p>
              <CurrentPassword label="Your password" {...confirmation} />
            </Form>
          )}
        </Changes>
      ) : (
        <Facts member={member} />
      )}
    </AdminPage>
  );
}

function sessionsOf(count: number): string {
  if (count === 0) return "Not signed in on any device.";
  return `Signed in on ${count > MOST_SESSIONS ? `more than ${MOST_SESSIONS} devices` : countOf(count, "device")}.`;
}

function TwoStep({ member, isOn, isSelf, confirmation }: TwoStepProps) {
  if (!isOn || isSelf) return <p className="text-text-muted">Two-step verification is {isOn ? "on" : "off"}.</p>;
  return (
    <Form action={submitResetTwoStep} submit="Turn off two-step verification" busy="Turning off…" look="danger">
      <input type="hidden" name="id" value={member.id} />
      <p className="text-text-muted">
        Two-step verification is on. Turn it off only if {member.firstName} lost their phone. {member.firstName} gets an
        email.
      </p>
      <CurrentPassword label="Your password" {...confirmation} />
    </Form>
  );
}

interface TwoStepProps {
  member: Member;
  isOn: boolean;
  isSelf: boolean;
  confirmation: { withPassword: boolean; withCode: boolean };
}

function Changes({
  member,
  roles,
  sessions,
  isSelf,
  picture,
  children,
}: {
  member: Member;
  roles: string[];
  sessions: number;
  isSelf: boolean;
  picture: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <Form action={submitMember} submit="Save" busy="Saving…">
        <input type="hidden" name="id" value={member.id} />
        <PersonFields
          person={{ ...member, timeZone: currentTimeZone(member.timeZone) }}
          timeZones={timeZoneChoices(member.timeZone)}
        />
        <FormField
          label="Email"
          name="email"
          type="email"
          hint={
            isSelf
              ? "A new email signs you out everywhere. We'll send a notice to both emails."
              : "A new email signs the member out and removes their passkeys. We'll send a notice to both emails."
          }
          defaultValue={member.email}
          required
          maxLength={254}
          autoComplete="off"
        />
        <FormChoice
          label="Role"
          name="role"
          defaultValue={member.role}
          options={roles.map((name) => ({ value: name, name }))}
        />
      </Form>
      {picture}
      <Section title="Access">
        {member.active ? (
          <div className="grid gap-6">
            <form action={submitSignOutMember} className="grid justify-items-start gap-3">
              <input type="hidden" name="id" value={member.id} />
              <p className="text-text-muted">{sessionsOf(sessions)}</p>
              {sessions > 0 && (
                <Button type="submit" look="plain">
                  Sign out everywhere
                </Button>
              )}
            </form>
            {children}
            <Form action={submitDeactivate} submit="Deactivate" busy="Deactivating…" look="danger">
              <input type="hidden" name="id" value={member.id} />
              <p className="text-text-muted">
                This signs the member out, prevents sign-in, and removes their passkeys. Their articles stay.
              </p>
            </Form>
          </div>
        ) : (
          <form action={submitReactivate}>
            <input type="hidden" name="id" value={member.id} />
            <Button type="submit" look="plain">
              Reactivate
            </Button>
          </form>
        )}
      </Section>
    </>
  );
}

/** A member whom the current member may not change. */
function Facts({ member }: { member: Member }) {
  const facts = { Email: member.email, Role: member.role, "Time zone": member.timeZone };
  return (
    <>
      <p className="mb-5">Your role can't change this member.</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
