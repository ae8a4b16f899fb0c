import { type Actor, type AuditDetails, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import type { Client } from "@/lib/identity-provider/protocol";
import type { Payload } from "@/lib/jobs";
import { endProviderSessions } from "@/lib/members/member-sessions";
import { actorForMail, mailAdministrators } from "@/lib/members/members";
import { isUrl } from "@/lib/members/names";
import { checkedUrl } from "@/lib/outgoing/url";
import { decrypt, encrypt } from "@/lib/secrets";

export interface ProviderSettings {
  /** The button says "Sign in with" and this name. */
  name: string;
  issuer: string;
  clientId: string;
  /** The role of people who sign in without being a member, or null to let in members only. */
  newMemberRole: string | null;
}

/** As a member typed it. An empty secret keeps the stored one. */
export interface ProviderFields extends ProviderSettings {
  clientSecret: string;
}

const LONGEST_NAME = 50;
const LONGEST_CREDENTIAL = 500;

const columns = `p.id::text, p.name, p.issuer, p.client_id AS "clientId", r.name AS "newMemberRole"`;
const source =
  "identity_providers p LEFT JOIN roles r ON r.workspace_id = p.workspace_id AND r.id = p.new_member_role_id";

export async function findProvider(read: Read): Promise<ProviderSettings | null> {
  const [found] = await read<ProviderSettings & { id: string }>(`SELECT ${columns} FROM ${source}`);
  if (!found) return null;
  const { id: _, ...settings } = found;
  return settings;
}

/** The same with the secret. @throws Error after AUTH_SECRET was changed */
export async function openProvider(read: Read, workspaceId: string): Promise<(ProviderSettings & Client) | null> {
  const [found] = await read<ProviderSettings & { id: string; secret: Buffer }>(
    `SELECT ${columns}, p.client_secret AS secret FROM ${source}`,
  );
  if (!found) return null;
  const { id: _, secret, ...settings } = found;
  return { ...settings, clientSecret: decrypt(secret, ...purpose(workspaceId, settings.issuer)) };
}

/** @returns the fields as they are stored. @throws InvalidError naming each field */
export function checkedProvider(fields: ProviderFields, stored: ProviderSettings | null): ProviderFields {
  const invalid: InvalidField[] = [];
  const refuse = (field: string, code: InvalidField["code"], message: string) => invalid.push({ field, code, message });
  const name = fields.name.trim().replace(/\s+/g, " ").normalize("NFC");
  if (name === "" || name.length > LONGEST_NAME || /\p{Cc}/u.test(name) || isUrl(name))
    refuse("name", "invalid", `Enter a name of up to ${LONGEST_NAME} characters, such as Okta.`);
  const typed = fields.issuer.trim().replace(/\/\.well-known\/openid-configuration$/, "");
  const issuer = checkedUrl(typed, (code, message) => refuse("issuer", code, message));
  if (/[?#]|\/\.well-known\//.test(issuer)) refuse("issuer", "invalid", "Enter the issuer URL without a query.");
  const clientId = fields.clientId.trim();
  if (!isCredential(clientId)) refuse("clientId", "invalid", "Enter the client ID that your provider shows.");
  const clientSecret = fields.clientSecret.trim();
  const isSame = stored?.clientId === clientId && stored.issuer === issuer;
  if (clientSecret === "" && !isSame) {
    // Otherwise someone could have the stored secret sent to a server of their own.
    const message = stored ? "Enter the secret again to change the issuer or client ID." : "Enter the client secret.";
    refuse("clientSecret", "required", message);
  } else if (clientSecret !== "" && !isCredential(clientSecret))
    refuse("clientSecret", "invalid", "Enter the client secret that your provider shows.");
  if (invalid.length > 0) throw new InvalidError(invalid);
  return { name, issuer, clientId, clientSecret, newMemberRole: fields.newMemberRole || null };
}

const isCredential = (text: string) => /^[\x21-\x7e]+$/.test(text) && text.length <= LONGEST_CREDENTIAL;

/**
 * Sets up or changes the provider. A new issuer is a new provider, so the sessions that the former one opened end.
 * @param fields checked and tested
 * @param keep the session that makes the change
 * @throws InvalidError naming each field
 */
export async function saveProvider(
  db: Db,
  workspaceId: string,
  fields: ProviderFields,
  actor: Actor,
  keep: string | null = null,
): Promise<void> {
  await lockWorkspace(db);
  const [stored = null] = await readingOf(db)<ProviderSettings & { id: string }>(`SELECT ${columns} FROM ${source}`);
  checkedProvider(fields, stored);
  const { name, issuer, clientId, clientSecret, newMemberRole } = fields;
  const roleId = newMemberRole === null ? null : await roleNamed(db, newMemberRole);
  const secret = clientSecret ? encrypt(clientSecret, ...purpose(workspaceId, issuer)) : undefined;
  const data = { name, issuer, clientId, newMemberRoleId: roleId };
  const subject = { kind: "identity_provider", id: stored?.id ?? crypto.randomUUID(), name };
  if (stored) {
    const details = changesOf(stored, fields);
    if (Object.keys(details).length === 0) return;
    const changes = { ...data, ...(secret && { clientSecret: secret }), updatedAt: new Date() };
    await db.identityProvider.updateMany({ data: changes });
    await recordAudit(db, actor, "identity_provider.updated", subject, details);
    if (issuer !== stored.issuer) await endProviderSessions(db, stored, keep, actor);
    await reportChange(db, actor, "changed", name);
  } else if (secret) {
    await db.identityProvider.create({ data: { id: subject.id, ...data, clientSecret: secret } });
    const details = { issuer, ...(newMemberRole && { newMemberRole }) };
    await recordAudit(db, actor, "identity_provider.added", subject, details);
    await reportChange(db, actor, "added", name);
  }
}

/**
 * Removes the provider, and ends the sessions that it opened.
 * @param keep the session that makes the change
 * @returns the provider, if there was one
 */
export async function removeProvider(
  db: Db,
  actor: Actor,
  keep: string | null = null,
): Promise<ProviderSettings | null> {
  await lockWorkspace(db);
  const [stored] = await readingOf(db)<ProviderSettings & { id: string }>(`SELECT ${columns} FROM ${source}`);
  if (!stored) return null;
  await db.identityProvider.deleteMany({});
  const subject = { kind: "identity_provider", id: stored.id, name: stored.name };
  await recordAudit(db, actor, "identity_provider.removed", subject);
  // After the deletion, which waits for sign-ins that are under way (memberOf in members.ts).
  await endProviderSessions(db, stored, keep, actor);
  await reportChange(db, actor, "removed", stored.name);
  return stored;
}

/** A stolen session could have changed the provider, so all administrators hear of it. */
async function reportChange(
  db: Db,
  actor: Actor,
  change: Payload<"identity_provider_changed">["change"],
  providerName: string,
): Promise<void> {
  const by = await actorForMail(db, actor);
  await mailAdministrators(db, "identity_provider_changed", { by, change, providerName });
}

async function roleNamed(db: Db, name: string): Promise<string> {
  const [role] = await db.$queryRaw<{ id: string }[]>`SELECT id FROM roles WHERE name = ${name} FOR KEY SHARE`;
  if (role) return role.id;
  throw new InvalidError([{ field: "newMemberRole", code: "not_found", message: "Choose one of the roles." }]);
}

function changesOf(before: ProviderSettings, after: ProviderFields): AuditDetails {
  const details: AuditDetails = {};
  for (const field of ["name", "issuer", "clientId", "newMemberRole"] as const)
    if (before[field] !== after[field]) details[field] = `${before[field] ?? "none"} → ${after[field] ?? "none"}`;
  if (after.clientSecret) details.clientSecret = "changed";
  return details;
}

/** The secret decrypts for its own issuer only. */
const purpose = (workspaceId: string, issuer: string) => ["identity_provider", workspaceId, issuer];
