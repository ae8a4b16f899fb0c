import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { hashOfToken, mailedToken } from "@/lib/mailed-tokens";
import { actorForMail, createMember, findMemberByEmail, type Member, MemberFields } from "@/lib/members";
import { unlessTaken } from "@/lib/taken";

/** An invitation that was neither accepted nor withdrawn. */
export interface Invitation {
  id: string;
  email: string;
  role: string;
  /** The e-mail address of the member who invited; null when nobody is known. */
  invitedBy: string | null;
  sentAt: Date;
  expiresAt: Date;
  /** By the database's clock, as it is judged when it is accepted. */
  expired: boolean;
}

/** How long an invitation is good for, in days. */
export const INVITATION_DAYS = 7;

/** The most addresses that are invited at once. */
const MOST = 200;

const columns = `i.id, i.email, r.name AS role, m.email AS "invitedBy", i.sent_at AS "sentAt", i.expires_at AS "expiresAt",
  i.expires_at <= now() AS expired`;
const source = `invitations i JOIN roles r ON r.workspace_id = i.workspace_id AND r.id = i.role_id
  LEFT JOIN members m ON m.workspace_id = i.workspace_id AND m.id = i.invited_by`;
const open = "i.accepted_at IS NULL AND i.withdrawn_at IS NULL";
const withdrawn = "i.accepted_at IS NULL AND i.withdrawn_at IS NOT NULL";

/** Open invitations, the newest first, expired ones too: one page, and the number of all. */
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

/** The invitation with this id, or null: also when it was accepted or withdrawn. */
export async function findOpenInvitation(read: Read, id: string): Promise<Invitation | null> {
  const [invitation] = await read<Invitation>(`SELECT ${columns} FROM ${source} WHERE i.id = $1::uuid AND ${open}`, [
    id,
  ]);
  return invitation ?? null;
}

/** The invitation that a link leads to, or null: also when it was accepted, withdrawn, sent anew or has expired. */
export async function findInvitation(read: Read, token: string): Promise<Invitation | null> {
  const [invitation] = await read<Invitation>(
    `SELECT ${columns} FROM ${source} WHERE i.token_hash = $1 AND ${open} AND i.expires_at > now()`,
    [Buffer.from(hashOfToken(token))],
  );
  return invitation ?? null;
}

/**
 * The addresses in a text as people paste it: one a line, or apart by commas or semicolons, also as "Name <address>".
 * @returns each address once, and what is none, as it was written
 */
export function addressesIn(text: string): { addresses: string[]; others: string[] } {
  const addresses = new Map<string, string>();
  const others: string[] = [];
  for (const entry of text.split(/[\n\r,;]+/)) {
    const piece = entry.trim();
    if (piece === "") continue;
    const within = /<([^<>]*)>\s*$/.exec(piece)?.[1];
    // A line may also hold several, apart by blanks alone.
    for (const word of within !== undefined ? [within] : piece.split(/\s+/)) {
      const address = MemberFields.email.safeParse(word);
      if (!address.success) others.push(word.slice(0, 254));
      else if (!addresses.has(address.data.toLowerCase())) addresses.set(address.data.toLowerCase(), address.data);
    }
  }
  return { addresses: [...addresses.values()], others };
}

/**
 * Invites people, each by a mail with a link of their own.
 * @param addresses as `addressesIn` gives them
 * @returns who was invited, and who was not and why
 * @throws InvalidError for an unknown role, and for nobody or too many
 */
export async function inviteMembers(
  db: Db,
  { addresses, role }: { addresses: string[]; role: string },
  actor: Actor,
): Promise<{ invited: string[]; refused: { email: string; reason: string }[] }> {
  // Held, so that nobody deletes it meanwhile.
  const [held] = await db.$queryRaw<{ id: string }[]>`SELECT id FROM roles WHERE name = ${role} FOR KEY SHARE`;
  const roleId = held?.id;
  if (!roleId) throw new InvalidError([{ field: "role", code: "not_found", message: "Choose one of the roles." }]);
  if (addresses.length === 0 || addresses.length > MOST) {
    const message = `Give 1 to ${MOST} e-mail addresses at once.`;
    throw new InvalidError([{ field: "addresses", code: addresses.length === 0 ? "required" : "too_long", message }]);
  }
  const invited: string[] = [];
  const refused: { email: string; reason: string }[] = [];
  const inviter = await actorForMail(db, actor);
  for (const email of addresses) {
    const reason = await inviteOne(db, { email, role, roleId, inviter }, actor);
    if (reason) refused.push({ email, reason });
    else invited.push(email);
  }
  return { invited, refused };
}

/** @returns why not, if not */
async function inviteOne(
  db: Db,
  { email, role, roleId, inviter }: { email: string; role: string; roleId: string; inviter: string },
  actor: Actor,
): Promise<string | null> {
  const member = await findMemberByEmail(readingOf(db), email);
  if (member) return member.active ? "is a member already" : "is a deactivated member: reactivate them instead";
  const id = randomUUID();
  const link = newLink(id, inviter);
  const invitedBy = actor.kind === "member" ? actor.id : null;
  // The index decides when two invite the same person.
  const made = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO invitations (id, email, role_id, invited_by, token_hash, expires_at)
    VALUES (${id}::uuid, ${email}, ${roleId}::uuid, ${invitedBy}::uuid, ${link.hash}, now() + make_interval(days => ${INVITATION_DAYS}))
    ON CONFLICT (workspace_id, email_folded) WHERE accepted_at IS NULL AND withdrawn_at IS NULL DO NOTHING
    RETURNING id`;
  if (made.length === 0) return "was invited before: send that invitation again instead";
  await enqueue(db, "invitation", link.job);
  await recordAudit(db, actor, "invitation.sent", { kind: "invitation", id, name: email }, { role });
  return null;
}

/**
 * Sends an invitation again, with a new link that is good for as long as a new one's. The former link ends.
 * @param agree is shown the invitation before anything is changed, locked, and may throw
 * @throws NotFoundError when it is not there, was accepted or withdrawn; what `agree` throws
 */
export async function resendInvitation(db: Db, id: string, actor: Actor, agree: Agree = anyway): Promise<Invitation> {
  const invitation = await lockInvitation(db, id, open);
  agree(invitation);
  const link = newLink(id, await actorForMail(db, actor));
  await db.$executeRaw`
    UPDATE invitations SET token_hash = ${link.hash}, sent_at = now(), expires_at = now() + make_interval(days => ${INVITATION_DAYS})
    WHERE id = ${id}::uuid`;
  await enqueue(db, "invitation", link.job);
  await recordAudit(db, actor, "invitation.sent_again", { kind: "invitation", id, name: invitation.email });
  return invitation;
}

/**
 * Withdraws an invitation: its link ends.
 * @param agree as of resendInvitation
 * @throws as resendInvitation does
 */
export async function withdrawInvitation(db: Db, id: string, actor: Actor, agree: Agree = anyway): Promise<Invitation> {
  const invitation = await lockInvitation(db, id, open);
  agree(invitation);
  await db.$executeRaw`UPDATE invitations SET withdrawn_at = now() WHERE id = ${id}::uuid`;
  await recordAudit(db, actor, "invitation.withdrawn", { kind: "invitation", id, name: invitation.email });
  return invitation;
}

/**
 * Takes the withdrawal of an invitation back: its link works again, for as long as it would have.
 * @param agree as of resendInvitation
 * @throws NotFoundError when it is not there, or was not withdrawn; what `agree` throws
 * @throws InvalidError when the address was invited again meanwhile
 */
export async function restoreInvitation(db: Db, id: string, actor: Actor, agree: Agree = anyway): Promise<Invitation> {
  const invitation = await lockInvitation(db, id, withdrawn);
  agree(invitation);
  const message = `${invitation.email} was invited again meanwhile.`;
  await unlessTaken(
    () => new InvalidError([{ field: "id", code: "taken", message }]),
    () => db.invitation.updateMany({ where: { id }, data: { withdrawnAt: null } }),
  );
  await recordAudit(db, actor, "invitation.restored", { kind: "invitation", id, name: invitation.email });
  return invitation;
}

/**
 * Makes a member of whoever has the link. Once: of two who do it at the same time, one does.
 * @param given.passwordHash of lib/passwords.ts; made before, since that takes its time
 * @throws NotFoundError when the link leads to no invitation (any more)
 * @throws InvalidError for names of no use, and when the address has become a member's meanwhile
 */
export async function acceptInvitation(
  db: Db,
  token: string,
  given: { firstName: string; lastName: string; timeZone?: string; passwordHash: string },
  from: Pick<Actor, "ip" | "requestId"> = {},
): Promise<Member> {
  const [accepted] = await db.$queryRaw<{ id: string; email: string; role: string }[]>`
    UPDATE invitations i SET accepted_at = now() FROM roles r
    WHERE r.workspace_id = i.workspace_id AND r.id = i.role_id AND i.token_hash = ${hashOfToken(token)}
      AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > now()
    RETURNING i.id, i.email, r.name AS role`;
  if (!accepted) throw new NotFoundError("This invitation is not open.");
  const { id, email, role } = accepted;
  // Whoever has the link speaks for the address.
  const actor: Actor = { kind: "member", id: null, name: email, ...from };
  const member = await createMember(db, { ...given, email, role }, actor);
  await recordAudit(db, { ...actor, id: member.id }, "invitation.accepted", { kind: "invitation", id, name: email });
  return member;
}

/** A new link: what is kept of its token, and the job that writes the mail. */
function newLink(invitationId: string, invitedBy: string) {
  const nonce = randomUUID();
  return {
    hash: hashOfToken(invitationToken({ invitationId, nonce })),
    job: { invitationId, nonce, invitedBy },
  };
}

/** The token of an invitation's link, from what its job carries. */
export function invitationToken({ invitationId, nonce }: { invitationId: string; nonce: string }): string {
  return mailedToken("invitation", invitationId, nonce);
}

type Agree = (before: Invitation) => void;
const anyway: Agree = () => {};

/** @param state a condition that it has to fit */
async function lockInvitation(db: Db, id: string, state: string): Promise<Invitation> {
  const [invitation] = z.guid().safeParse(id).success
    ? await readingOf(db)<Invitation>(
        `SELECT ${columns} FROM ${source} WHERE i.id = $1::uuid AND ${state} FOR NO KEY UPDATE OF i`,
        [id],
      )
    : [];
  if (!invitation)
    throw new NotFoundError(`There is no ${state === open ? "open" : "withdrawn"} invitation with this id.`);
  return invitation;
}
