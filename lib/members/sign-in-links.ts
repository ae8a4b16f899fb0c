import { randomUUID } from "node:crypto";
import { z } from "zod";
import { takeLimit } from "@/lib/counters";
import { type Db, type Read, readingOf, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue, type Payload } from "@/lib/jobs";
import { hashOfToken, mailedToken } from "@/lib/members/mailed-tokens";
import { confirmEmail, findMemberByEmail, MemberFields, mayMailOthers } from "@/lib/members/members";

export type LinkPurpose = "sign_in" | "password_reset" | "email_change";

export interface MemberLink {
  memberId: string;
  email: string;
  firstName: string;
  lastName: string;
  newEmail: string | null;
}

export const LINK_MINUTES = 15;

const columns = `t.member_id AS "memberId", m.email, m.first_name AS "firstName", m.last_name AS "lastName", t.new_email AS "newEmail"`;
const source = "member_tokens t JOIN members m ON m.workspace_id = t.workspace_id AND m.id = t.member_id";
const open = "t.used_at IS NULL AND t.expires_at > now() AND m.active";

/** The job finds out whether the email is a member's, so neither answer nor time reveals it. */
export async function askForLink(
  db: Db,
  purpose: "sign_in" | "password_reset",
  email: string,
  to: string | null = null,
): Promise<void> {
  const [clock] = await db.$queryRaw<{ now: Date }[]>`SELECT now()`;
  const requestedAt = (clock?.now ?? new Date()).toISOString();
  await enqueue(db, "member_link", { purpose, email, to, requestedAt, linkId: randomUUID(), nonce: randomUUID() });
}

/**
 * A repeated call returns the same token. Earlier links stop working. The time to expiry starts now, because the mail may
 * have waited.
 * @param mailed whether only the owner of the email sees the link
 * @returns null if there is no active member, or if the request was already used or is not the latest
 */
export async function makeLink(
  db: Db,
  request: Payload<"member_link">,
  mailed = true,
): Promise<{ member: { email: string; firstName: string; lastName: string }; token: string } | null> {
  const { purpose, linkId, requestedAt } = request;
  // The lock orders concurrent jobs, so the latest request wins.
  const [member] = await db.$queryRaw<{ id: string; email: string; firstName: string; lastName: string }[]>`
    SELECT id, email, first_name AS "firstName", last_name AS "lastName" FROM members
    WHERE email_folded = lower(${request.email}) AND active FOR NO KEY UPDATE`;
  if (!member) return null;
  const token = mailedToken(purpose, linkId, request.nonce);
  await db.$executeRaw`
    INSERT INTO member_tokens (id, member_id, purpose, token_hash, mailed, created_at, expires_at)
    SELECT ${linkId}::uuid, ${member.id}::uuid, ${purpose}, ${hashOfToken(token)}, ${mailed}, ${requestedAt}::timestamptz,
      now() + make_interval(mins => ${LINK_MINUTES})
    WHERE NOT EXISTS (SELECT FROM member_tokens
      WHERE member_id = ${member.id}::uuid AND purpose = ${purpose} AND created_at > ${requestedAt}::timestamptz)
    ON CONFLICT (workspace_id, id) DO UPDATE SET expires_at = excluded.expires_at`;
  await db.$executeRaw`
    DELETE FROM member_tokens
    WHERE member_id = ${member.id}::uuid AND purpose = ${purpose} AND id <> ${linkId}::uuid
      AND created_at <= ${requestedAt}::timestamptz`;
  const [good] = await db.$queryRaw<object[]>`
    SELECT FROM member_tokens WHERE id = ${linkId}::uuid AND used_at IS NULL AND expires_at > now()`;
  return good ? { member, token } : null;
}

/**
 * Whether a link may be mailed to this member. A workspace's own provider can claim any email, so unconfirmed ones count like
 * invitations. The first member is the person who created the workspace, and confirms their email this way.
 */
export async function mayMailLink(workspaceId: string, email: string): Promise<boolean> {
  const { member, mayMail } = await readWorkspace(workspaceId, async (read) => {
    const [member] = await read<{ isConfirmed: boolean; isFirst: boolean }>(
      `SELECT email_confirmed AS "isConfirmed", id = (SELECT id FROM members ORDER BY created_at, id LIMIT 1) AS "isFirst"
       FROM members WHERE email_folded = lower($1)`,
      [email],
    );
    return { member, mayMail: await mayMailOthers(read) };
  });
  if (!env().smtpUrl || !member || member.isConfirmed || member.isFirst) return true;
  if (!mayMail || (await takeLimit("unconfirmedMail", { workspace: workspaceId })) !== null) return false;
  return (await takeLimit("inviteAnywhere", {})) === null;
}

/** A sign-in link for a member who has just proved who they are. @throws NotFoundError without an active member */
export async function makeSignInToken(db: Db, email: string): Promise<string> {
  const [clock] = await db.$queryRaw<{ now: Date }[]>`SELECT now()`;
  const requestedAt = (clock?.now ?? new Date()).toISOString();
  const request = {
    purpose: "sign_in",
    email,
    to: null,
    requestedAt,
    linkId: randomUUID(),
    nonce: randomUUID(),
  } as const;
  const made = await makeLink(db, request, false);
  if (!made) throw new NotFoundError("There is no such member.");
  return made.token;
}

export async function askForEmailChange(db: Db, member: { id: string; email: string }, text: string): Promise<void> {
  const refuse = (message: string) => new InvalidError([{ field: "email", code: "invalid", message }]);
  const checked = MemberFields.email.safeParse(text);
  if (!checked.success) throw refuse(checked.error.issues[0]?.message ?? "");
  const newEmail = checked.data;
  if (newEmail === member.email) throw refuse("This is already your email. Enter the new one.");
  const holder = await findMemberByEmail(readingOf(db), newEmail);
  if (holder && holder.id !== member.id) throw refuse("Another member of this workspace has this email.");
  const link = { linkId: randomUUID(), nonce: randomUUID() };
  await db.memberToken.deleteMany({ where: { memberId: member.id, purpose: "email_change" } });
  await db.$executeRaw`
    INSERT INTO member_tokens (id, member_id, purpose, token_hash, new_email, expires_at)
    VALUES (${link.linkId}::uuid, ${member.id}::uuid, 'email_change', ${hashOfToken(emailChangeToken(link))}, ${newEmail},
      now() + make_interval(mins => ${EMAIL_CHANGE_MINUTES}))`;
  await enqueue(db, "email_confirmation", link);
}

export async function findPendingEmail(
  read: Read,
  memberId: string,
): Promise<{ email: string; expiresAt: Date } | null> {
  const [pending] = await read<{ email: string; expiresAt: Date }>(
    `SELECT t.new_email AS email, t.expires_at AS "expiresAt" FROM ${source}
     WHERE t.member_id = $1 AND t.purpose = 'email_change' AND ${open}`,
    [memberId],
  );
  return pending ?? null;
}

export const EMAIL_CHANGE_MINUTES = 60;

export function emailChangeToken({ linkId, nonce }: Payload<"email_confirmation">): string {
  return mailedToken("email_change", linkId, nonce);
}

/** Null for a link that was used, has expired or was replaced. Reading does not use it. */
export async function findLink(read: Read, purpose: LinkPurpose, token: string): Promise<MemberLink | null> {
  const [link] = await read<MemberLink>(
    `SELECT ${columns} FROM ${source} WHERE t.token_hash = $1 AND t.purpose = $2 AND ${open}`,
    [Buffer.from(hashOfToken(token)), purpose],
  );
  return link ?? null;
}

/**
 * Uses a link, which works once. A mailed link confirms the email that it was sent to.
 * @throws NotFoundError if the link is not valid or belongs to another member
 */
export async function spendLink(db: Db, purpose: LinkPurpose, token: string, memberId?: string): Promise<MemberLink> {
  const only = z.guid().safeParse(memberId).data ?? null;
  const [link] = await db.$queryRaw<(MemberLink & { mailed: boolean })[]>`
    UPDATE member_tokens t SET used_at = now() FROM members m
    WHERE m.workspace_id = t.workspace_id AND m.id = t.member_id AND t.token_hash = ${hashOfToken(token)}
      AND t.purpose = ${purpose} AND t.used_at IS NULL AND t.expires_at > now() AND m.active
      AND (${only}::uuid IS NULL OR m.id = ${only}::uuid)
    RETURNING m.id AS "memberId", m.email, m.first_name AS "firstName", m.last_name AS "lastName", t.new_email AS "newEmail", t.mailed`;
  if (!link) throw new NotFoundError("This link has expired or was already used. Request a new one.");
  if (link.mailed && purpose !== "email_change") await confirmEmail(db, link.memberId);
  return link;
}
