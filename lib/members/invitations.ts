import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, keyId, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { workspaceLimits } from "@/lib/limits";
import { hashOfToken, mailedToken } from "@/lib/members/mailed-tokens";
import {
  actorForMail,
  confirmEmail,
  createMember,
  findMemberByEmail,
  type Member,
  MemberFields,
  mayMailOthers,
} from "@/lib/members/members";
import { listRoles } from "@/lib/members/roles";
import { unlessTaken } from "@/lib/taken";

export interface Invitation {
  id: string;
  email: string;
  role: string;
  /** Null for invitations from the command line. */
  invitedBy: { kind: "member" | "api_key"; id: string; name: string } | null;
  sentAt: Date;
  expiresAt: Date;
  expired: boolean;
}

export const INVITATION_DAYS = 7;

const columns = `i.id, i.email, r.name AS role, i.sent_at AS "sentAt", i.expires_at AS "expiresAt", i.expires_at <= now() AS expired,
  CASE WHEN m.id IS NOT NULL THEN json_build_object('kind', 'member', 'id', m.id, 'name', m.first_name || ' ' || m.last_name)
    WHEN k.id IS NOT NULL THEN json_build_object('kind', 'api_key', 'id', k.id, 'name', k.name) END AS "invitedBy"`;
const source = `invitations i JOIN roles r ON r.workspace_id = i.workspace_id AND r.id = i.role_id
  LEFT JOIN members m ON m.workspace_id = i.workspace_id AND m.id = i.invited_by
  LEFT JOIN api_keys k ON k.workspace_id = i.workspace_id AND k.id = i.invited_by_key`;
const open = "i.accepted_at IS NULL AND i.withdrawn_at IS NULL";
const withdrawn = "i.accepted_at IS NULL AND i.withdrawn_at IS NOT NULL";

export async function listInvitations(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ invitations: Invitation[]; total: number }> {
  const invitations = await read<Invitation>(
    `SELECT ${columns} FROM ${source} WHERE ${open} ORDER BY i.sent_at DESC, i.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM invitations i WHERE ${open}`);
  return { invitations, total: count?.total ?? 0 };
}

export async function findOpenInvitation(read: Read, id: string): Promise<Invitation | null> {
  const [invitation] = await read<Invitation>(`SELECT ${columns} FROM ${source} WHERE i.id = $1::uuid AND ${open}`, [
    id,
  ]);
  return invitation ?? null;
}

/** Null also for a link that was accepted, withdrawn, replaced or has expired. */
export async function findInvitation(read: Read, token: string): Promise<Invitation | null> {
  const [invitation] = await read<Invitation>(
    `SELECT ${columns} FROM ${source} WHERE i.token_hash = $1 AND ${open} AND i.expires_at > now()`,
    [Buffer.from(hashOfToken(token))],
  );
  return invitation ?? null;
}

/** Parses emails on lines or between commas, semicolons or blanks, also as "Name <email>". */
export function addressesIn(text: string): { addresses: string[]; others: string[] } {
  const addresses = new Map<string, string>();
  const others: string[] = [];
  for (const entry of text.split(/[\n\r,;]+/)) {
    const piece = entry.trim();
    if (piece === "") continue;
    const within = /<([^<>]*)>\s*$/.exec(piece)?.[1];
    for (const word of within !== undefined ? [within] : piece.split(/\s+/)) {
      const address = MemberFields.email.safeParse(word);
      if (!address.success) others.push(word.slice(0, 254));
      else if (!addresses.has(address.data.toLowerCase())) addresses.set(address.data.toLowerCase(), address.data);
    }
  }
  return { addresses: [...addresses.values()], others };
}

/** The fields of an invitation that can't be used, because of the roles, members and invitations there are. */
export async function invitationConflicts(
  read: Read,
  { email, role }: { email?: string | undefined; role?: string | undefined },
): Promise<InvalidField[]> {
  const invalid: InvalidField[] = [];
  const reason = email === undefined ? null : await reasonAgainst(read, email);
  if (reason) invalid.push({ field: "email", code: "taken", message: `${email} ${reason}.` });
  const roles = role === undefined ? null : (await listRoles(read)).map(({ name }) => name);
  if (role !== undefined && roles && !roles.includes(role)) {
    const message = `The role must be exactly one of: ${roles.join(", ")}.`;
    invalid.push({ field: "role", code: "not_found", message });
  }
  return invalid;
}

/** Whether an earlier invitation went to this email, even if it was revoked. */
export async function wasInvited(read: Read, email: string): Promise<boolean> {
  const earlier = await read("SELECT id FROM invitations WHERE email_folded = lower($1) LIMIT 1", [email]);
  return earlier.length > 0;
}

/** Invites one person. Throws InvalidError naming every field that can't be used. */
export async function inviteMember(
  db: Db,
  { email, role }: { email: string; role: string },
  actor: Actor,
): Promise<Invitation> {
  const roleId = await holdRole(db, role);
  const conflicts = await invitationConflicts(readingOf(db), { email, role });
  if (conflicts.length > 0 || !roleId) throw new InvalidError(conflicts);
  await refuseUnconfirmed(db);
  const made = await inviteOne(db, { email, role, roleId, inviter: await actorForMail(db, actor) }, actor);
  const invitation = made.id && (await findOpenInvitation(readingOf(db), made.id));
  if (!invitation) throw new InvalidError([{ field: "email", code: "taken", message: `${email} ${made.reason}.` }]);
  return invitation;
}

export async function inviteMembers(
  db: Db,
  { addresses, role }: { addresses: string[]; role: string },
  actor: Actor,
): Promise<{ invited: string[]; refused: { email: string; reason: string }[] }> {
  const roleId = await holdRole(db, role);
  if (!roleId) throw new InvalidError([{ field: "role", code: "not_found", message: "Choose one of the roles." }]);
  if (addresses.length === 0 || addresses.length > workspaceLimits.invitationsAtOnce) {
    const message = `Enter 1 to ${workspaceLimits.invitationsAtOnce} emails.`;
    throw new InvalidError([{ field: "addresses", code: addresses.length === 0 ? "required" : "too_long", message }]);
  }
  await refuseUnconfirmed(db);
  const invited: string[] = [];
  const refused: { email: string; reason: string }[] = [];
  const inviter = await actorForMail(db, actor);
  for (const email of addresses) {
    const { reason } = await inviteOne(db, { email, role, roleId, inviter }, actor);
    if (reason) refused.push({ email, reason });
    else invited.push(email);
  }
  return { invited, refused };
}

/** The lock keeps the role from being deleted meanwhile. */
async function holdRole(db: Db, name: string): Promise<string | undefined> {
  const [role] = await db.$queryRaw<{ id: string }[]>`SELECT id FROM roles WHERE name = ${name} FOR KEY SHARE`;
  return role?.id;
}

async function reasonAgainst(read: Read, email: string): Promise<string | null> {
  const member = await findMemberByEmail(read, email);
  if (member) return member.active ? "is already a member" : "is a deactivated member. Reactivate them instead";
  const invited = await read(`SELECT i.id FROM invitations i WHERE i.email_folded = lower($1) AND ${open}`, [email]);
  return invited.length > 0 ? ALREADY_INVITED : null;
}

const ALREADY_INVITED = "already has an invitation. Resend that invitation instead";

async function inviteOne(
  db: Db,
  { email, role, roleId, inviter }: { email: string; role: string; roleId: string; inviter: string },
  actor: Actor,
): Promise<{ id: string; reason?: undefined } | { id?: undefined; reason: string }> {
  const reason = await reasonAgainst(readingOf(db), email);
  if (reason) return { reason };
  const id = randomUUID();
  const link = newLink(id, inviter);
  // The index decides when two members invite the same email.
  const made = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO invitations (id, email, role_id, invited_by, invited_by_key, token_hash, expires_at)
    VALUES (${id}::uuid, ${email}, ${roleId}::uuid, ${memberId(actor)}::uuid, ${keyId(actor)}::uuid, ${link.hash},
      now() + make_interval(days => ${INVITATION_DAYS}))
    ON CONFLICT (workspace_id, email_folded) WHERE accepted_at IS NULL AND withdrawn_at IS NULL DO NOTHING
    RETURNING id`;
  if (made.length === 0) return { reason: ALREADY_INVITED };
  await enqueue(db, "invitation", link.job);
  await recordAudit(db, actor, "invitation.sent", { kind: "invitation", id, name: email }, { role });
  return { id };
}

/** The old link ends. `agree` sees the locked invitation first, and may throw. Throws NotFoundError. */
export async function resendInvitation(db: Db, id: string, actor: Actor, agree: Agree = anyway): Promise<Invitation> {
  const invitation = await lockInvitation(db, id, open);
  agree(invitation);
  await refuseUnconfirmed(db);
  const link = newLink(id, await actorForMail(db, actor));
  await db.$executeRaw`
    UPDATE invitations SET token_hash = ${link.hash}, sent_at = now(), expires_at = now() + make_interval(days => ${INVITATION_DAYS})
    WHERE id = ${id}::uuid`;
  await enqueue(db, "invitation", link.job);
  await recordAudit(db, actor, "invitation.sent_again", { kind: "invitation", id, name: invitation.email });
  return invitation;
}

export async function withdrawInvitation(db: Db, id: string, actor: Actor, agree: Agree = anyway): Promise<Invitation> {
  const invitation = await lockInvitation(db, id, open);
  agree(invitation);
  await db.$executeRaw`UPDATE invitations SET withdrawn_at = now() WHERE id = ${id}::uuid`;
  await recordAudit(db, actor, "invitation.withdrawn", { kind: "invitation", id, name: invitation.email });
  return invitation;
}

/** The link works again. Throws InvalidError when the email has a new invitation. */
export async function restoreInvitation(db: Db, id: string, actor: Actor, agree: Agree = anyway): Promise<Invitation> {
  const invitation = await lockInvitation(db, id, withdrawn);
  agree(invitation);
  const message = `${invitation.email} has a new invitation.`;
  await unlessTaken(
    () => new InvalidError([{ field: "id", code: "taken", message }]),
    () => db.invitation.updateMany({ where: { id }, data: { withdrawnAt: null } }),
  );
  await recordAudit(db, actor, "invitation.restored", { kind: "invitation", id, name: invitation.email });
  return invitation;
}

/** Makes the holder of the link a member, once. Throws NotFoundError or InvalidError. */
export async function acceptInvitation(
  db: Db,
  token: string,
  input: { firstName: string; lastName: string; timeZone?: string; passwordHash: string },
  from: Pick<Actor, "ip" | "requestId"> = {},
): Promise<Member> {
  const [accepted] = await db.$queryRaw<{ id: string; email: string; role: string }[]>`
    UPDATE invitations i SET accepted_at = now() FROM roles r
    WHERE r.workspace_id = i.workspace_id AND r.id = i.role_id AND i.token_hash = ${hashOfToken(token)}
      AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > now()
    RETURNING i.id, i.email, r.name AS role`;
  if (!accepted) throw new NotFoundError("This invitation is no longer valid.");
  const { id, email, role } = accepted;
  // The holder of the link proves the email.
  const actor: Actor = { kind: "member", id: null, name: email, ...from };
  const member = await createMember(db, { ...input, email, role }, actor);
  await confirmEmail(db, member.id);
  await recordAudit(db, { ...actor, id: member.id }, "invitation.accepted", { kind: "invitation", id, name: email });
  return member;
}

async function refuseUnconfirmed(db: Db): Promise<void> {
  if (await mayMailOthers(readingOf(db))) return;
  const message = "Before anyone can be invited, a member must confirm their email.";
  throw new InvalidError([{ field: "", code: "not_allowed", message }]);
}

function newLink(invitationId: string, invitedBy: string) {
  const nonce = randomUUID();
  return {
    hash: hashOfToken(invitationToken({ invitationId, nonce })),
    job: { invitationId, nonce, invitedBy },
  };
}

export function invitationToken({ invitationId, nonce }: { invitationId: string; nonce: string }): string {
  return mailedToken("invitation", invitationId, nonce);
}

type Agree = (before: Invitation) => void;
const anyway: Agree = () => {};

async function lockInvitation(db: Db, id: string, state: string): Promise<Invitation> {
  const [invitation] = z.guid().safeParse(id).success
    ? await readingOf(db)<Invitation>(
        `SELECT ${columns} FROM ${source} WHERE i.id = $1::uuid AND ${state} FOR NO KEY UPDATE OF i`,
        [id],
      )
    : [];
  if (!invitation)
    throw new NotFoundError(`There is no ${state === open ? "pending" : "revoked"} invitation with this ID.`);
  return invitation;
}
