import type { Actor } from "@/lib/audit/audit";
import { type Db, lockWorkspace } from "@/lib/db";
import type { Identity } from "@/lib/identity-provider/protocol";
import { createMember, MemberFields } from "@/lib/members/members";

/** Why the provider's answer lets nobody in. */
export class NoMemberError extends Error {
  constructor(readonly reason: "unverified" | "no_member") {
    super(reason);
    this.name = "NoMemberError";
  }
}

/** @returns the email that the provider vouches for. @throws NoMemberError */
export function verifiedEmail({ email, isVerified }: Identity): string {
  const checked = MemberFields.email.safeParse(email);
  if (!isVerified || !checked.success) throw new NoMemberError("unverified");
  return checked.data;
}

/**
 * Finds the active member with this email, or creates one if the workspace wants that.
 * A new member's email stays unconfirmed: a provider can claim any, and mail goes to confirmed ones only.
 * @param from where the request came from
 * @throws NoMemberError, also for a deactivated member
 */
export async function memberOf(
  db: Db,
  identity: Identity,
  newMember: { role: string | null; timeZone: string },
  from: Pick<Actor, "ip" | "requestId"> = {},
): Promise<string> {
  const email = verifiedEmail(identity);
  // Two sign-ins at the same time create one member.
  if (newMember.role !== null) await lockWorkspace(db);
  const [member] = await db.$queryRaw<{ id: string; active: boolean }[]>`
    SELECT id, active FROM members WHERE email_folded = lower(${email})`;
  if (member?.active) return member.id;
  if (member || newMember.role === null) throw new NoMemberError("no_member");
  const actor: Actor = { kind: "member", id: null, name: email, ...from };
  const fields = { email, ...namesOf(identity, email), role: newMember.role, timeZone: newMember.timeZone };
  return (await createMember(db, fields, actor)).id;
}

/** The provider's names, where they are valid ones. The member can change them. */
function namesOf(identity: Identity, email: string): { firstName: string; lastName: string } {
  const [local = ""] = email.split("@");
  const words = typeof identity.name === "string" ? identity.name.split(/\s+/) : local.split(/[._+-]+/);
  const [first, ...others] = words.filter(Boolean);
  const valid = (...candidates: unknown[]) =>
    candidates.map((one) => MemberFields.firstName.safeParse(one).data).find((one) => one !== undefined);
  return {
    firstName: valid(identity.firstName, first) ?? "New member",
    lastName: valid(identity.lastName, others.join(" ")) ?? "–",
  };
}
