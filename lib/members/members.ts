import { z } from "zod";
import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { enqueue, type Payload } from "@/lib/jobs";
import { looksLikeLink } from "@/lib/members/names";
import { deletePasskeys } from "@/lib/members/remove-passkeys";
import { administratorPermissions, listRoles, type Permission } from "@/lib/members/roles";
import { isTaken } from "@/lib/taken";

export interface Member {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  timeZone: string;
  active: boolean;
  role: string;
  pictureUploadId: string | null;
}

/** Absent means unchanged. */
export interface MemberChanges {
  email?: string;
  firstName?: string;
  lastName?: string;
  timeZone?: string;
  role?: string;
  active?: boolean;
}

const columns = `m.id, m.email, m.first_name AS "firstName", m.last_name AS "lastName", m.time_zone AS "timeZone",
  m.active, r.name AS role, m.picture_upload_id AS "pictureUploadId"`;
const source = "members m JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id";

/**
 * One page of members in the order they joined (contract 5), including deactivated ones (contract 63).
 * @param filter.email exact but for case (contract 19)
 */
export async function listMembers(
  read: Read,
  filter: { email?: string; search?: string; role?: string; active?: boolean; limit: number; offset: number },
): Promise<{ members: Member[]; total: number }> {
  const values: unknown[] = [];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions = [
    filter.email !== undefined && `m.email_folded = lower(${value(filter.email)})`,
    filter.search &&
      `strpos(lower(concat_ws(' ', m.first_name, m.last_name, m.email)), lower(${value(filter.search)})) > 0`,
    filter.role && `r.name = ${value(filter.role)}`,
    filter.active !== undefined && `m.active = ${value(filter.active)}`,
  ].filter(Boolean);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const total = `SELECT count(*)::int AS total FROM ${source} ${where}`;
  const filters = [...values];
  const rows = await read<Member & { total: number }>(
    `SELECT ${columns}, (${total}) AS total FROM ${source} ${where}
     ORDER BY m.created_at, m.id LIMIT ${value(filter.limit)} OFFSET ${value(filter.offset)}`,
    values,
  );
  const members = rows.map(({ total: _, ...member }) => member);
  if (rows[0] || filter.offset === 0) return { members, total: rows[0]?.total ?? 0 };
  // A page past the end.
  const [count] = await read<{ total: number }>(total, filters);
  return { members, total: count?.total ?? 0 };
}

export async function findMember(read: Read, id: string): Promise<Member | null> {
  const [member] = await read<Member>(`SELECT ${columns} FROM ${source} WHERE m.id = $1`, [id]);
  return member ?? null;
}

export async function findMemberByEmail(read: Read, email: string): Promise<Member | null> {
  const { members } = await listMembers(read, { email, limit: 1, offset: 0 });
  return members[0] ?? null;
}

/** Active members with this name or email, or else those whose name contains the words. */
export async function membersCalled(read: Read, words: string, limit: number): Promise<Member[]> {
  const name = "lower(concat_ws(' ', m.first_name, m.last_name))";
  const find = (condition: string) =>
    read<Member>(
      `SELECT ${columns} FROM ${source} WHERE m.active AND (${condition}) ORDER BY m.created_at, m.id LIMIT $2`,
      [words, limit],
    );
  const called = await find(`${name} = lower($1) OR m.email_folded = lower($1)`);
  return called.length > 0 ? called : find(`strpos(${name}, lower($1)) > 0`);
}

/** Speaks for the workspace when no member is named. */
export async function firstAdministrator(read: Read): Promise<Member | null> {
  const [member] = await administrators(read, 1);
  return member ?? null;
}

type Notice = "deletion_scheduled" | "identity_provider_changed" | "key_created" | "webhook_off";

/**
 * Mails a notice to every administrator who can't be a stranger: a workspace's own provider can claim any email, so only
 * confirmed ones count. Without SMTP_URL, mail stays on this machine.
 */
export async function mailAdministrators<T extends Notice>(
  db: Db,
  notice: T,
  details: Omit<Payload<T>, "email" | "memberName">,
): Promise<void> {
  const administrators = await readingOf(db)<Member>(
    `SELECT ${columns} FROM ${source} WHERE m.active AND r.permissions @> $1 AND (m.email_confirmed OR $2)
     ORDER BY m.created_at, m.id`,
    [administratorPermissions, !env().smtpUrl],
  );
  for (const { email, firstName, lastName } of administrators)
    await enqueue(db, notice, { ...details, email, memberName: `${firstName} ${lastName}` } as Payload<T>);
}

/** Whether this member can be mailed about their account, as for administrators. */
export async function mayMail(read: Read, id: string): Promise<boolean> {
  if (!env().smtpUrl) return true;
  return (await read("SELECT id FROM members WHERE id = $1::uuid AND email_confirmed", [id])).length > 0;
}

function administrators(read: Read, limit: number | null): Promise<Member[]> {
  return membersWhoMay(read, administratorPermissions, limit);
}

export function membersWhoMay(read: Read, permissions: readonly Permission[], limit: number | null): Promise<Member[]> {
  return read<Member>(
    `SELECT ${columns} FROM ${source} WHERE m.active AND r.permissions @> $1 ORDER BY m.created_at, m.id LIMIT $2`,
    [permissions, limit],
  );
}

export async function createMember(
  db: Db,
  input: { email: string; firstName: string; lastName: string; role: string; timeZone?: string; passwordHash?: string },
  actor: Actor,
): Promise<Member> {
  const { role, passwordHash, ...rest } = input;
  const isOperator = actor.kind === "command_line" || actor.kind === "system";
  const fields = checkedFields({ ...rest, role });
  const roleId = await refuseConflicts(db, null, fields);
  const { id } = await writing(() =>
    db.member.create({
      data: {
        email: fields.email,
        firstName: fields.firstName,
        lastName: fields.lastName,
        ...(fields.timeZone && { timeZone: fields.timeZone }),
        roleId: roleId as string,
        passwordHash,
        emailConfirmed: isOperator,
      },
      select: { id: true },
    }),
  );
  await recordAudit(db, actor, "member.created", { kind: "member", id, name: fields.email }, { role });
  return getMember(db, id);
}

/**
 * Changes a member. A new email or a deactivation ends sessions and mailed links, and both emails get a mail (contract
 * 34). A deactivation, or a new email from someone else, also removes the passkeys.
 * @param agree sees the locked member before the change, and may throw
 * @throws InvalidError naming every invalid field (contract 33, 35, 36), or NotFoundError
 */
export async function updateMember(
  db: Db,
  id: string,
  changes: MemberChanges,
  actor: Actor,
  agree: (before: Member) => void = () => {},
): Promise<Member> {
  if (!z.guid().safeParse(id).success) throw new NotFoundError("There is no member with this ID.");
  await db.$queryRaw`SELECT 1 FROM members WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const fields = checkedFields(changes);
  const roleId = await refuseConflicts(db, id, fields);
  const before = await getMember(db, id);
  agree(before);
  const changed = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && before[name as keyof Member] !== value,
  );
  if (changed.length === 0) return before;

  await writing(() =>
    db.member.updateMany({
      where: { id },
      data: {
        email: fields.email,
        ...(fields.email !== undefined && fields.email !== before.email && { emailConfirmed: false }),
        firstName: fields.firstName,
        lastName: fields.lastName,
        timeZone: fields.timeZone,
        active: fields.active,
        ...(roleId && { roleId }),
        updatedAt: new Date(),
      },
    }),
  );
  const after = await getMember(db, id);
  if (after.email !== before.email || !after.active) {
    await db.session.deleteMany({ where: { memberId: id } });
    await db.memberToken.updateMany({ where: { memberId: id, usedAt: null }, data: { usedAt: new Date() } });
  }
  // Someone else may have added them. A member who confirmed a new email keeps theirs.
  const isOthers = after.email !== before.email && memberId(actor) !== id;
  const { length: passkeys } = isOthers || !after.active ? await deletePasskeys(db, after, actor) : [];
  if (after.email !== before.email) await tellBothAddresses(db, before, after, actor, passkeys);
  const details = Object.fromEntries(
    changed.map(([name]) => [name, `${before[name as keyof Member]} → ${after[name as keyof Member]}`]),
  );
  await recordAudit(db, actor, "member.updated", { kind: "member", id, name: after.email }, details);
  return after;
}

/** Records that the member opened a link that was sent only to their email. */
export async function confirmEmail(db: Db, id: string): Promise<void> {
  await db.member.updateMany({ where: { id, emailConfirmed: false }, data: { emailConfirmed: true } });
}

/**
 * Whether the workspace may mail people who are not its members. A member must have confirmed their email first, so that
 * strangers can't send mail in the operator's name. Without SMTP_URL, mail stays on this machine.
 */
export async function mayMailOthers(read: Read): Promise<boolean> {
  if (!env().smtpUrl) return true;
  const confirmed = await read("SELECT id FROM members WHERE active AND email_confirmed LIMIT 1");
  return confirmed.length > 0;
}

/** Mails a member that someone signed in as them with a browser that they have not used before. */
export async function tellOfNewBrowser(
  db: Db,
  {
    memberId,
    by,
    device,
    ip,
  }: { memberId: string; by: Payload<"new_sign_in">["by"]; device: string; ip: string | null },
): Promise<void> {
  if (!(await mayMailOthers(readingOf(db)))) return;
  const { email, emailConfirmed, firstName, lastName } = await db.member.findFirstOrThrow({ where: { id: memberId } });
  // A workspace's own provider can claim any email, and its passkeys stay, so without this check Lectern would email strangers.
  if (by !== "password" && !emailConfirmed) return;
  const at = new Date().toISOString();
  await enqueue(db, "new_sign_in", { email, memberName: `${firstName} ${lastName}`, by, device, ip, at });
}

async function tellBothAddresses(db: Db, before: Member, after: Member, actor: Actor, passkeys: number): Promise<void> {
  if (!(await mayMailOthers(readingOf(db)))) return;
  const name = (member: Member) => `${member.firstName} ${member.lastName}`;
  const by = await actorForMail(db, actor);
  const others = (await administrators(readingOf(db), 4)).filter(({ id }) => id !== after.id);
  for (const tell of ["former_address", "new_address"] as const) {
    await enqueue(db, "email_changed", {
      tell,
      formerAddress: before.email,
      newAddress: after.email,
      memberName: name(tell === "former_address" ? before : after),
      actor: { kind: actor.kind, name: by },
      administrators: others.slice(0, 3).map(name),
      passkeys,
    });
  }
}

/** How mails name an actor. Never by email: it may be unproved, and a mail from here would lend it trust. */
export async function actorForMail(db: Db, actor: Actor): Promise<string> {
  const id = memberId(actor);
  const member = id ? await findMember(readingOf(db), id) : null;
  if (member) return `${member.firstName} ${member.lastName}`;
  return actor.kind === "member" ? "An administrator" : actor.name;
}

/** An offset is not a time zone (contract 36). */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: text }));
  } catch {
    return false;
  }
}

const text = (label: string, most: number) =>
  z
    .string({ error: `${label} must be text.` })
    .transform((value) => value.trim().normalize("NFC"))
    .superRefine((value, context) => {
      const add = (code: string, message: string) => context.addIssue({ code: "custom", params: { code }, message });
      if (value === "") add("required", `${label} must not be empty.`);
      else if (/\p{Cc}/u.test(value)) add("invalid", `${label} can't contain control characters.`);
      else if (value.length > most) add("too_long", `${label} can have up to ${most} characters.`);
    });

/** Mails contain names, and mail programs turn anything that looks like a URL into a link. */
const name = (label: string) =>
  text(label, 100).refine((value) => !looksLikeLink(value), { error: `${label} can't contain a URL or an @.` });

/** Validation per field (contract 32). */
export const MemberFields = {
  email: text("The email", 254).refine((value) => z.email().safeParse(value).success, {
    error: "The email is not valid. Enter one such as name@example.com.",
  }),
  firstName: name("The first name"),
  lastName: name("The last name"),
  timeZone: text("The time zone", 100).refine(isTimeZone, {
    error: "The time zone must be an IANA name, such as Europe/Berlin.",
  }),
  role: z.string({ error: "The role must be text." }),
  active: z.boolean({ error: "Active must be true or false." }),
};

function checkedFields<Fields extends MemberChanges>(fields: Fields): Fields {
  const { invalid, checked } = checkMember(fields);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return checked;
}

export function checkMember<Fields extends MemberChanges>(
  fields: Fields,
): { invalid: InvalidField[]; checked: Fields } {
  const result = z.object(MemberFields).partial().safeParse(fields);
  if (result.success) return { invalid: [], checked: result.data as Fields };
  const invalid = result.error.issues.map((issue) => ({
    field: issue.path.join("."),
    code: issue.code === "custom" ? ((issue.params?.code as InvalidField["code"] | undefined) ?? "invalid") : "invalid",
    message: issue.message,
  }));
  return { invalid, checked: fields };
}

/** Conflicts with other rows: a taken email, an unknown role, or no administrator left. The member need not exist. */
export async function memberConflicts(read: Read, id: string | null, changes: MemberChanges): Promise<InvalidField[]> {
  const invalid: InvalidField[] = [];
  // A uuid may come in capitals. Those in rows do not.
  const self = id?.toLowerCase();
  if (changes.email !== undefined) {
    const holder = await findMemberByEmail(read, changes.email);
    if (holder && holder.id !== self) invalid.push(emailTaken);
  }
  let keepsPermissions = true;
  if (changes.role !== undefined) {
    const roles = await listRoles(read);
    const permissions = roles.find(({ name }) => name === changes.role)?.permissions;
    if (permissions)
      keepsPermissions = administratorPermissions.every((permission) => permissions.includes(permission));
    else {
      const names = roles.map(({ name }) => name).join(", ");
      invalid.push({ field: "role", code: "not_found", message: `The role must be exactly one of: ${names}.` });
    }
  }
  const leaving = [...(keepsPermissions ? [] : ["role"]), ...(changes.active === false ? ["active"] : [])];
  if (self && leaving.length > 0 && (await isLastAdministrator(read, self))) {
    for (const field of leaving) invalid.push({ field, code: "not_allowed", message: lastAdministrator });
  }
  return invalid;
}

async function refuseConflicts(db: Db, id: string | null, fields: MemberChanges): Promise<string | undefined> {
  // When two administrators leave at the same time, the second sees the first gone.
  if (id && (fields.role !== undefined || fields.active === false)) {
    await lockWorkspace(db);
  }
  const invalid = await memberConflicts(readingOf(db), id, fields);
  if (invalid.length > 0) throw new InvalidError(invalid);
  if (fields.role === undefined) return undefined;
  return (await listRoles(readingOf(db))).find(({ name }) => name === fields.role)?.id;
}

async function isLastAdministrator(read: Read, id: string): Promise<boolean> {
  const administrators = await read<{ id: string }>(
    "SELECT m.id FROM members m JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id WHERE m.active AND r.permissions @> $1 LIMIT 2",
    [administratorPermissions],
  );
  return administrators.length === 1 && administrators[0]?.id === id;
}

const lastAdministrator = "This is the last administrator. Make another member an administrator first.";

const emailTaken: InvalidField = {
  field: "email",
  code: "taken",
  message: "Another member of this workspace has this email.",
};

const roleGone: InvalidField = {
  field: "role",
  code: "not_found",
  message: "This role was deleted. Choose another one.",
};

/** The index decides races for an email (contract 33), the reference those for a deleted role. */
async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isTaken(error)) throw new InvalidError([emailTaken]);
    if ((error as { code?: string }).code === "P2003") throw new InvalidError([roleGone]);
    throw error;
  }
}

async function getMember(db: Db, id: string): Promise<Member> {
  const member = await findMember(readingOf(db), id);
  if (!member) throw new NotFoundError("No such member.");
  return member;
}
