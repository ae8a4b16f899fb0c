import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue, type Payload } from "@/lib/jobs";
import { hashOfToken, mailedToken } from "@/lib/mailed-tokens";
import { findMemberByEmail, MemberFields } from "@/lib/members";

/** What a link in a mail lets a member do. */
export type LinkPurpose = "sign_in" | "password_reset" | "email_change";

/** Whom a link is for, as long as it is good. */
export interface MemberLink {
  memberId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Which address it makes the member's, if that is what it does. */
  newEmail: string | null;
}

/** How long a link is good for after it was asked for, in minutes. */
export const LINK_MINUTES = 15;

const columns = `t.member_id AS "memberId", m.email, m.first_name AS "firstName", m.last_name AS "lastName", t.new_email AS "newEmail"`;
const source = "member_tokens t JOIN members m ON m.workspace_id = t.workspace_id AND m.id = t.member_id";
const open = "t.used_at IS NULL AND t.expires_at > now() AND m.active";

/**
 * Has a link mailed to whoever has an address here, if anybody does. Nothing here depends on that, so that neither the
 * answer nor its time tells who is a member: it is found out when the mail is written (`makeLink`).
 * @param to where the link leads on to: an address on the workspace's host
 */
export async function askForLink(
  db: Db,
  purpose: "sign_in" | "password_reset",
  email: string,
  to: string | null = null,
): Promise<void> {
  const [clock] = await db.$queryRaw<{ now: Date }[]>`SELECT now()`;
  const askedAt = (clock?.now ?? new Date()).toISOString();
  await enqueue(db, "member_link", { purpose, email, to, askedAt, linkId: randomUUID(), nonce: randomUUID() });
}

/**
 * The link that was asked for: its token, and whom it is for. The member's former links of this kind end. Done again, it
 * gives the same.
 * @returns null when nobody active has the address, another link was asked for since, or this one was used or is too old
 */
export async function makeLink(
  db: Db,
  asked: Payload<"member_link">,
): Promise<{ member: { email: string; firstName: string; lastName: string }; token: string } | null> {
  const { purpose, linkId, askedAt } = asked;
  // Locked: of two links that are made at once, the one that was asked for last stays.
  const [member] = await db.$queryRaw<{ id: string; email: string; firstName: string; lastName: string }[]>`
    SELECT id, email, first_name AS "firstName", last_name AS "lastName" FROM members
    WHERE email_folded = lower(${asked.email}) AND active FOR NO KEY UPDATE`;
  if (!member) return null;
  const token = mailedToken(purpose, linkId, asked.nonce);
  await db.$executeRaw`
    INSERT INTO member_tokens (id, member_id, purpose, token_hash, created_at, expires_at)
    SELECT ${linkId}::uuid, ${member.id}::uuid, ${purpose}, ${hashOfToken(token)}, ${askedAt}::timestamptz,
      ${askedAt}::timestamptz + make_interval(mins => ${LINK_MINUTES})
    WHERE NOT EXISTS (SELECT FROM member_tokens
      WHERE member_id = ${member.id}::uuid AND purpose = ${purpose} AND created_at > ${askedAt}::timestamptz)
    ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    DELETE FROM member_tokens
    WHERE member_id = ${member.id}::uuid AND purpose = ${purpose} AND id <> ${linkId}::uuid
      AND created_at <= ${askedAt}::timestamptz`;
  const [good] = await db.$queryRaw<object[]>`
    SELECT FROM member_tokens WHERE id = ${linkId}::uuid AND used_at IS NULL AND expires_at > now()`;
  return good ? { member, token } : null;
}

/**
 * Has a link mailed to another address of a member's own, which proves that it is theirs. A former one ends.
 * @throws InvalidError for an address that is none, is the same or is taken
 */
export async function askForEmailChange(db: Db, member: { id: string; email: string }, given: string): Promise<void> {
  const refuse = (message: string) => new InvalidError([{ field: "email", code: "invalid", message }]);
  const checked = MemberFields.email.safeParse(given);
  if (!checked.success) throw refuse(checked.error.issues[0]?.message ?? "");
  const newEmail = checked.data;
  if (newEmail === member.email) throw refuse("This is your address already: enter the new one.");
  const holder = await findMemberByEmail(readingOf(db), newEmail);
  if (holder && holder.id !== member.id) throw refuse("Another member of this workspace has this e-mail address.");
  const link = { linkId: randomUUID(), nonce: randomUUID() };
  await db.memberToken.deleteMany({ where: { memberId: member.id, purpose: "email_change" } });
  await db.$executeRaw`
    INSERT INTO member_tokens (id, member_id, purpose, token_hash, new_email, expires_at)
    VALUES (${link.linkId}::uuid, ${member.id}::uuid, 'email_change', ${hashOfToken(emailChangeToken(link))}, ${newEmail},
      now() + make_interval(mins => ${EMAIL_CHANGE_MINUTES}))`;
  await enqueue(db, "email_confirmation", link);
}

/** The address that a member has asked for and not confirmed yet, as long as its link is good. */
export async function findAskedEmail(read: Read, memberId: string): Promise<{ email: string; expiresAt: Date } | null> {
  const [asked] = await read<{ email: string; expiresAt: Date }>(
    `SELECT t.new_email AS email, t.expires_at AS "expiresAt" FROM ${source}
     WHERE t.member_id = $1 AND t.purpose = 'email_change' AND ${open}`,
    [memberId],
  );
  return asked ?? null;
}

/** How long the link that confirms an address is good for, in minutes. */
export const EMAIL_CHANGE_MINUTES = 60;

/** The token of the link that confirms an address, from what its job carries. */
export function emailChangeToken({ linkId, nonce }: Payload<"email_confirmation">): string {
  return mailedToken("email_change", linkId, nonce);
}

/** Whom a link is for, or null when it was used, has expired, or another took its place. Looking uses nothing up. */
export async function findLink(read: Read, purpose: LinkPurpose, token: string): Promise<MemberLink | null> {
  const [link] = await read<MemberLink>(
    `SELECT ${columns} FROM ${source} WHERE t.token_hash = $1 AND t.purpose = $2 AND ${open}`,
    [Buffer.from(hashOfToken(token)), purpose],
  );
  return link ?? null;
}

/**
 * Uses a link up. Once: of two who do it at the same time, one does.
 * @param memberId whose it must be, where that is known
 * @throws NotFoundError when it is not good (any more)
 */
export async function spendLink(db: Db, purpose: LinkPurpose, token: string, memberId?: string): Promise<MemberLink> {
  const only = z.guid().safeParse(memberId).data ?? null;
  const [link] = await db.$queryRaw<MemberLink[]>`
    UPDATE member_tokens t SET used_at = now() FROM members m
    WHERE m.workspace_id = t.workspace_id AND m.id = t.member_id AND t.token_hash = ${hashOfToken(token)}
      AND t.purpose = ${purpose} AND t.used_at IS NULL AND t.expires_at > now() AND m.active
      AND (${only}::uuid IS NULL OR m.id = ${only}::uuid)
    RETURNING m.id AS "memberId", m.email, m.first_name AS "firstName", m.last_name AS "lastName", t.new_email AS "newEmail"`;
  if (!link) throw new NotFoundError("This link is not good any more.");
  return link;
}
