"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { countUse } from "@/lib/counters";
import { type Db, inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { spoken, textOf } from "@/lib/form";
import {
  addressesIn,
  findOpenInvitation,
  inviteMembers,
  resendInvitation,
  restoreInvitation,
  withdrawInvitation,
} from "@/lib/invitations";
import { findMember, type Member, type MemberChanges, MemberFields, updateMember } from "@/lib/members";
import { listRoles, refuseBeyond } from "@/lib/roles";
import { type CurrentMember, requireActor } from "@/lib/session";
import { found, idOf, refused, refusedFor } from "../../_form";
import { countMailed } from "../../sign-in/_mailed";

const DAY = 24 * 60 * 60;

type Acting = Awaited<ReturnType<typeof requireActor>>;

export async function submitMember(_before: FormState, form: FormData): Promise<FormState> {
  const acting = await requireActor("members.manage");
  const id = textOf(form, "id");
  const given = {
    firstName: textOf(form, "firstName"),
    lastName: textOf(form, "lastName"),
    email: textOf(form, "email"),
    timeZone: textOf(form, "timeZone"),
    role: textOf(form, "role"),
  };
  const seconds = await countAddressChange(acting, id, given.email);
  if (seconds !== null) {
    const message = `Addresses were changed very often, and each change is told by mail. Nothing is saved: try again in ${spoken(seconds)}.`;
    return refusedFor(form, "email", message);
  }
  let before: Member;
  try {
    before = await change(acting, id, given);
  } catch (error) {
    return refused(form, error);
  }
  const was = before.role === given.role ? "" : `&was=${encodeURIComponent(before.role)}`;
  redirect(`/admin/members?done=saved&of=${id}${was}`);
}

export async function submitDeactivate(_before: FormState, form: FormData): Promise<FormState> {
  const acting = await requireActor("members.manage");
  const id = textOf(form, "id");
  try {
    await change(acting, id, { active: false });
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/members?done=deactivated&of=${id}`);
}

export async function submitReactivate(form: FormData): Promise<void> {
  const acting = await requireActor("members.manage");
  const id = textOf(form, "id");
  const isDone = await unlessRefused(change(acting, id, { active: true }));
  redirect(`/admin/members?done=${isDone ? "reactivated" : "refused"}&of=${id}`);
}

/** Takes back that a role was given. */
export async function submitFormerRole(form: FormData): Promise<void> {
  const acting = await requireActor("members.manage");
  const id = textOf(form, "id");
  const isDone = await unlessRefused(change(acting, id, { role: textOf(form, "role") }));
  redirect(`/admin/members?done=${isDone ? "saved" : "refused"}&of=${id}`);
}

export interface InviteState extends FormState {
  /** Of what was given, who is not invited, and why. */
  refused: { email: string; reason: string }[];
  invited: string[];
}

export async function submitInvite(_before: InviteState, form: FormData): Promise<InviteState> {
  const { workspace, member, actor } = await requireActor("members.manage");
  const nobody = { refused: [], invited: [] };
  const { addresses, others } = addressesIn(textOf(form, "addresses"));
  if (others.length > 0) {
    const named = others.slice(0, 10).join(", ") + (others.length > 10 ? " …" : "");
    const message = `Nobody is invited yet. No e-mail ${others.length === 1 ? "address" : "addresses"}: ${named}`;
    return { ...refusedFor(form, "addresses", message), ...nobody };
  }
  if ((await countUse("invitations", 5, workspace.id, DAY))?.over) {
    const message = "People were invited very often today, and nobody is invited now: go on tomorrow.";
    return { ...refusedFor(form, "addresses", message), ...nobody };
  }
  const role = textOf(form, "role");
  let told: Awaited<ReturnType<typeof inviteMembers>>;
  try {
    told = await inWorkspace(workspace.id, async (db) => {
      (await reachOf(db, member))(role);
      return inviteMembers(db, { addresses, role }, actor);
    });
  } catch (error) {
    return { ...refused(form, error), ...nobody };
  }
  if (told.refused.length === 0) redirect(`/admin/members/invitations?done=invited&of=${told.invited.length}`);
  return { values: { addresses: told.refused.map(({ email }) => email).join("\n"), role }, errors: {}, ...told };
}

export async function submitResend(form: FormData): Promise<void> {
  const { workspace } = await requireActor("members.manage");
  const id = idOf(textOf(form, "id"));
  const email = id && (await readWorkspace(workspace.id, (read) => findOpenInvitation(read, id)))?.email;
  const seconds = email ? await countMailed("managed", workspace.id, email) : null;
  if (seconds !== null) redirect(`/admin/members/invitations?done=often&of=${seconds}`);
  await submitOf("resent", resendInvitation, form);
}

export async function submitWithdraw(form: FormData): Promise<void> {
  await submitOf("withdrawn", withdrawInvitation, form);
}

/** Takes a withdrawal back. */
export async function submitRestore(form: FormData): Promise<void> {
  await submitOf("restored", restoreInvitation, form);
}

/** Does something with an invitation that whoever acts could have sent. */
async function submitOf(done: string, verb: typeof resendInvitation, form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor("members.manage");
  const id = textOf(form, "id");
  const isDone = await unlessRefused(
    inWorkspace(workspace.id, async (db) => {
      const reach = await reachOf(db, member);
      return verb(db, id, actor, ({ role }) => reach(role));
    }),
  );
  redirect(`/admin/members/invitations?done=${isDone ? `${done}&of=${id}` : "refused"}`);
}

/**
 * Counts the mails that a form has sent, when it gives a member another address.
 * @returns how many seconds to wait when it is one too many, else null
 */
async function countAddressChange({ workspace }: Acting, id: string, given: string): Promise<number | null> {
  const email = MemberFields.email.safeParse(given).data;
  const known = idOf(id);
  const before = known && (await readWorkspace(workspace.id, (read) => findMember(read, known)));
  if (!email || !before || before.email === email) return null;
  return countMailed("managed", workspace.id, email);
}

/** Changes a member whom whoever acts may change. Gives the member as they were. */
function change({ workspace, member, actor }: Acting, id: string, changes: MemberChanges): Promise<Member> {
  return inWorkspace(workspace.id, async (db) => {
    const reach = await reachOf(db, member);
    reach(changes.role);
    let was: Member | undefined;
    const after = await updateMember(db, id, changes, actor, (before) => {
      reach(before.role);
      was = before;
    });
    return was ?? after;
  });
}

/** What refuses a role, by its name, that may do more than whoever acts. */
async function reachOf(db: Db, member: CurrentMember): Promise<(role: string | undefined) => void> {
  const roles = await listRoles(readingOf(db));
  return (role) => refuseBeyond(member.permissions, roles.find(({ name }) => name === role)?.permissions ?? []);
}

/** Whether it was done, for forms that are a button. */
async function unlessRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await found(work);
    return true;
  } catch (error) {
    if (error instanceof InvalidError) return false;
    throw error;
  }
}
