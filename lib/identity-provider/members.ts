import type { Actor } from "@/lib/audit/audit";
import { type Db, lockWorkspace } from "@/lib/db";
import type { Client, Identity, ProviderError } from "@/lib/identity-provider/protocol";
import { createMember, MemberFields } from "@/lib/members/members";

/** Why the provider's answer lets nobody in. */
export class NoMemberError extends Error {
  constructor(readonly reason: "unverified" | "no_member" | "invited" | "expired") {
    super(reason);
    this.name = "NoMemberError";
  }
}

/** Why a sign-in through a provider failed, as the URL of the sign-in page says it. */
export type Failure = ProviderError["kind"] | NoMemberError["reason"] | "busy" | "full";

/** @returns the email that the provider vouches for. @throws NoMemberError */
export function verifiedEmail({ email, isVerified }: Identity): string {
  const checked = MemberFields.email.safeParse(email);
  // Cleaning could make one email of another: NFC turns the Kelvin sign into a K.
  if (!isVerified || !checked.success || checked.data !== email) throw new NoMemberError("unverified");
  return checked.data;
}

/**
 * Finds the active member with this email, or creates one if the workspace wants that.
 * A new member's email stays unconfirmed, because a provider can claim any.
 * @param context.provider the one that was asked. It may have been changed or removed since
 * @param from where the request came from
 * @throws NoMemberError, also for a deactivated member
 */
export async function memberOf(
  db: Db,
  identity: Identity,
  { provider, timeZone }: { provider: Pick<Client, "issuer" | "clientId">; timeZone: string },
  from: Pick<Actor, "ip" | "requestId"> = {},
): Promise<string> {
  const email = verifiedEmail(identity);
  const find = () =>
    db.$queryRaw<
      { id: string; active: boolean }[]
    >`SELECT id, active FROM members WHERE email_folded = lower(${email})`;
  let [member] = await find();
  if (!member) {
    // Two sign-ins at the same time create one member.
    await lockWorkspace(db);
    [member] = await find();
  }
  const [current] = await db.$queryRaw<{ role: string | null }[]>`
    SELECT r.name AS role FROM identity_providers p
    LEFT JOIN roles r ON r.workspace_id = p.workspace_id AND r.id = p.new_member_role_id
    WHERE p.issuer = ${provider.issuer} AND p.client_id = ${provider.clientId} FOR SHARE OF p`;
  if (!current) throw new NoMemberError("expired");
  if (member?.active) return member.id;
  if (member) throw new NoMemberError("no_member");
  const [state] = await db.$queryRaw<{ isInvited: boolean; isClosed: boolean }[]>`
    SELECT delete_after IS NOT NULL AS "isClosed", EXISTS (SELECT FROM invitations WHERE email_folded = lower(${email})
      AND accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at > now()) AS "isInvited"
    FROM workspaces`;
  if (state?.isInvited) throw new NoMemberError("invited");
  if (current.role === null || state?.isClosed !== false) throw new NoMemberError("no_member");
  const actor: Actor = { kind: "member", id: null, name: email, ...from };
  return (await createMember(db, { email, ...namesOf(identity, email), role: current.role, timeZone }, actor)).id;
}

/** The provider's names if they are valid. The member can change them. */
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
