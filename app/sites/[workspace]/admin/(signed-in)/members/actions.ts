"use server";

import { headers } from "next/headers";
import { countOf } from "@/components/ui/count";
import type { FormState } from "@/components/ui/form";
import { takeLimit } from "@/lib/counters";
import { type Db, inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { spoken, textOf } from "@/lib/http/form";
import { workspaceLimits } from "@/lib/limits";
import {
  addressesIn,
  findOpenInvitation,
  inviteMembers,
  resendInvitation,
  restoreInvitation,
  withdrawInvitation,
} from "@/lib/members/invitations";
import { endSessions } from "@/lib/members/member-sessions";
import { findMember, type Member, type MemberChanges, MemberFields, updateMember } from "@/lib/members/members";
import { removePasskeys } from "@/lib/members/passkeys";
import { listRoles, refuseBeyond } from "@/lib/members/roles";
import { askForLink } from "@/lib/members/sign-in-links";
import { resetTwoStep } from "@/lib/members/two-step";
import { type CurrentMember, requireMember } from "@/lib/session";
import type { Undo } from "@/lib/session/flash";
import { redirectWith } from "../../_flash";
import { found, idOf, refused, refusedFor } from "../../_form";
import { wrongPassword } from "../../_password";
import { countMailed } from "../../sign-in/_mailed";

const INVITATIONS = "/admin/members/invitations";
const INVITE = "/admin/members/invite";

type Signed = Awaited<ReturnType<typeof requireMember>>;

export async function submitMember(_previous: FormState, form: FormData): Promise<FormState> {
  const acting = await requireMember("members.manage");
  const id = textOf(form, "id");
  const input = {
    firstName: textOf(form, "firstName"),
    lastName: textOf(form, "lastName"),
    email: textOf(form, "email"),
    timeZone: textOf(form, "timeZone"),
    role: textOf(form, "role"),
  };
  const seconds = await countAddressChange(acting, id, input.email);
  if (seconds !== null) {
    const message = `Not saved. The email was changed too often. Try again in ${spoken(seconds)}.`;
    return refusedFor(form, "email", message);
  }
  let changed: Changed;
  try {
    changed = await change(acting, id, input);
  } catch (error) {
    return refused(form, error);
  }
  return redirectSaved(changed);
}

export async function submitDeactivate(_previous: FormState, form: FormData): Promise<FormState> {
  const acting = await requireMember("members.manage");
  const id = textOf(form, "id");
  let changed: Changed;
  try {
    changed = await change(acting, id, { active: false });
  } catch (error) {
    return refused(form, error);
  }
  const message = `Deactivated ${nameOf(changed.member)}`;
  return redirectWith("/admin/members", message, { name: "deactivation", fields: { id } });
}

export async function submitReactivate(form: FormData): Promise<void> {
  const acting = await requireMember("members.manage");
  const id = textOf(form, "id");
  const changed = await unlessRefused(change(acting, id, { active: true }));
  if (!changed) return redirectUnchanged(acting, id);
  return redirectWith("/admin/members", `Reactivated ${nameOf(changed.member)}`);
}

/** The member may sign in again. */
export async function submitSignOutMember(form: FormData): Promise<void> {
  const { actor } = await requireMember("members.manage");
  const other = await changeAccess(form, (db, found) => endSessions(db, found, null, actor));
  return redirectWith(`/admin/members/${other.id}`, `Signed out ${nameOf(other)} everywhere`);
}

/** For another member who lost their phone. */
export async function submitResetTwoStep(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember("members.manage");
  const wrong = await wrongPassword(signed, form);
  if (wrong) return wrong;
  const other = await changeAccess(form, async (db, found) => {
    if (found.id === signed.member.id)
      throw new NotFoundError("Turn off your own two-step verification under Password and sessions.");
    await resetTwoStep(db, found, signed.actor);
  });
  return redirectWith(`/admin/members/${other.id}`, `Turned off two-step verification for ${nameOf(other)}`);
}

/** For another member who lost a device, or whose account someone else used. */
export async function submitRemovePasskeys(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember("members.manage");
  const wrong = await wrongPassword(signed, form);
  if (wrong) return wrong;
  let removed = 0;
  const other = await changeAccess(form, async (db, found) => {
    if (found.id === signed.member.id) throw new NotFoundError("Remove your own passkeys under Password and sessions.");
    removed = await removePasskeys(db, found, signed.actor);
  });
  return redirectWith(`/admin/members/${other.id}`, `Removed ${countOf(removed, "passkey")} from ${nameOf(other)}`);
}

/** Changes the sign-in of a member whose role is within the actor's own. */
async function changeAccess(form: FormData, work: (db: Db, found: Member) => Promise<unknown>): Promise<Member> {
  const { workspace, member } = await requireMember("members.manage");
  const id = idOf(textOf(form, "id"));
  const other = await unlessRefused(
    inWorkspace(workspace.id, async (db) => {
      const found = id && (await findMember(readingOf(db), id));
      if (!found) throw new NotFoundError("No such member.");
      (await reachOf(db, member))(found.role);
      await work(db, found);
      return found;
    }),
  );
  return other ?? redirectWith("/admin/members", "Your role can't change this member.");
}

/** Restores a member's previous role. */
export async function submitFormerRole(form: FormData): Promise<void> {
  const acting = await requireMember("members.manage");
  const id = textOf(form, "id");
  const changed = await unlessRefused(change(acting, id, { role: textOf(form, "role") }));
  return changed ? redirectSaved(changed, false) : redirectUnchanged(acting, id);
}

function redirectSaved({ member, previous }: Changed, hasUndo = true): Promise<never> {
  const name = nameOf(member);
  if (!hasUndo || member.role === previous.role) return redirectWith("/admin/members", `Saved ${name}`);
  return redirectWith("/admin/members", `Saved ${name} as ${member.role}`, {
    name: "role",
    fields: { id: member.id, role: previous.role },
  });
}

async function redirectUnchanged({ workspace }: Signed, id: string): Promise<never> {
  const member = await readWorkspace(workspace.id, (read) => findMember(read, id));
  const name = member && nameOf(member);
  return redirectWith("/admin/members", `Couldn't change ${name}. Open their page to see why.`);
}

const nameOf = ({ firstName, lastName }: Member) => `${firstName} ${lastName}`;

export interface InviteState extends FormState {
  /** The emails without an invitation, and why. */
  refused: { email: string; reason: string }[];
  invited: string[];
}

export async function submitInvite(_previous: InviteState, form: FormData): Promise<InviteState> {
  const { workspace, member, actor } = await requireMember("members.manage");
  const nobody = { refused: [], invited: [] };
  const { addresses, others } = addressesIn(textOf(form, "addresses"));
  if (others.length > 0) {
    const named = others.slice(0, 10).join(", ") + (others.length > 10 ? "…" : "");
    const message = `Not ${others.length === 1 ? "a valid email" : "valid emails"}: ${named}`;
    return { ...refusedFor(form, "addresses", message), ...nobody };
  }
  if ((await countInvitations(workspace.id, addresses.length)) !== null) {
    const message = "Too many invitations today. Try again tomorrow.";
    return { ...refusedFor(form, "addresses", message), ...nobody };
  }
  const role = textOf(form, "role");
  let outcome: Awaited<ReturnType<typeof inviteMembers>>;
  try {
    outcome = await inWorkspace(workspace.id, async (db) => {
      (await reachOf(db, member))(role);
      return inviteMembers(db, { addresses, role }, actor);
    });
  } catch (error) {
    return { ...refused(form, error), ...nobody };
  }
  const { refused: left, invited } = outcome;
  if (left.length === 0) {
    const message = `${countOf(invited.length, "invitation")} sent`;
    return redirectWith(INVITATIONS, message);
  }
  return { values: { addresses: left.map(({ email }) => email).join("\n"), role }, errors: {}, ...outcome };
}

/** Mails a sign-in link to the member, which proves their email. */
export async function submitSendLink(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member } = await requireMember("members.manage");
  const seconds = await countMailed("linkMail", workspace.id, member.email);
  if (seconds !== null) return refusedFor(form, "", `Too many emails requested. Try again in ${spoken(seconds)}.`);
  await inWorkspace(workspace.id, (db) => askForLink(db, "sign_in", member.email, INVITE));
  return redirectWith(INVITE, `Link sent to ${member.email}`);
}

/** @returns the seconds to wait if a limit is reached, otherwise null */
async function countInvitations(workspaceId: string, emails: number): Promise<number | null> {
  const uses = Math.min(emails, workspaceLimits.invitationsAtOnce);
  const network = (await headers()).get("x-forwarded-for");
  return (
    (await takeLimit("invite", { workspace: workspaceId, network }, uses)) ?? takeLimit("inviteAnywhere", {}, uses)
  );
}

export async function submitResend(form: FormData): Promise<void> {
  const { workspace } = await requireMember("members.manage");
  const id = idOf(textOf(form, "id"));
  const email = id && (await readWorkspace(workspace.id, (read) => findOpenInvitation(read, id)))?.email;
  const seconds = email
    ? ((await countMailed("memberMail", workspace.id, email)) ?? (await countInvitations(workspace.id, 1)))
    : null;
  if (seconds !== null) {
    const message = "Not sent. Too many emails requested.";
    return redirectWith(INVITATIONS, `${message} Try again in ${spoken(seconds)}.`);
  }
  return changeInvitation(form, resendInvitation, "Invitation resent. The old link no longer works.");
}

export async function submitWithdraw(form: FormData): Promise<void> {
  return changeInvitation(form, withdrawInvitation, "Invitation revoked", {
    name: "invitation",
    fields: { id: textOf(form, "id") },
  });
}

/** Undoes the revocation of an invitation. */
export async function submitRestore(form: FormData): Promise<void> {
  return changeInvitation(form, restoreInvitation, "Invitation restored");
}

/** Changes an invitation to a role that the member may assign. */
async function changeInvitation(
  form: FormData,
  verb: typeof resendInvitation,
  message: string,
  undo?: Undo,
): Promise<never> {
  const { workspace, member, actor } = await requireMember("members.manage");
  const id = textOf(form, "id");
  const isDone = await unlessRefused(
    inWorkspace(workspace.id, async (db) => {
      const reach = await reachOf(db, member);
      return verb(db, id, actor, ({ role }) => reach(role));
    }),
  );
  if (isDone) return redirectWith(INVITATIONS, message, undo);
  return redirectWith(
    INVITATIONS,
    "Not changed. Your role can't change this invitation, or the person was invited again.",
  );
}

/**
 * Counts the mails that a form has sent when it changes a member's email.
 * @returns how many seconds to wait when the limit is reached, else null
 */
async function countAddressChange({ workspace }: Signed, id: string, typed: string): Promise<number | null> {
  const email = MemberFields.email.safeParse(typed).data;
  const known = idOf(id);
  const before = known && (await readWorkspace(workspace.id, (read) => findMember(read, known)));
  if (!email || !before || before.email === email) return null;
  return countMailed("memberMail", workspace.id, email);
}

interface Changed {
  member: Member;
  previous: Member;
}

/** Changes a member whose role is within the actor's own. */
function change({ workspace, member, actor }: Signed, id: string, changes: MemberChanges): Promise<Changed> {
  return inWorkspace(workspace.id, async (db) => {
    const reach = await reachOf(db, member);
    reach(changes.role);
    let previous: Member | undefined;
    const changed = await updateMember(db, id, changes, actor, (before) => {
      reach(before.role);
      previous = before;
    });
    return { member: changed, previous: previous ?? changed };
  });
}

/** Returns a function that refuses a role, by its name, with more permissions than the member has. */
async function reachOf(db: Db, member: CurrentMember): Promise<(role: string | undefined) => void> {
  const roles = await listRoles(readingOf(db));
  return (role) => refuseBeyond(member.permissions, roles.find(({ name }) => name === role)?.permissions ?? []);
}

/** For single-button forms, which cannot show a refusal. Null when refused. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await found(work);
  } catch (error) {
    if (error instanceof InvalidError) return null;
    throw error;
  }
}
