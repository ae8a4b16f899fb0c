import { z } from "zod";
import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { storeDeliveries } from "@/lib/events/announce";
import { eventGroups, everyEvent, type WebhookEvent } from "@/lib/events/events";
import { workspaceLimits } from "@/lib/limits";
import { mailAdministrators } from "@/lib/members/members";
import type { Permission } from "@/lib/members/roles";
import { checkedUrl } from "@/lib/outgoing/url";
import { decrypt, encrypt } from "@/lib/secrets";
import { newSecret } from "@/lib/webhooks/signature";

/** How long the former secret signs too, after a rotation. */
export const OVERLAP_HOURS = 24;

/** The permission a member needs to have these events sent elsewhere. */
const needed: Record<(typeof eventGroups)[number]["name"], Permission> = {
  Articles: "articles.write",
  Categories: "articles.write",
  Members: "members.manage",
  Feedback: "insights.read",
  Imports: "articles.write",
  "Audit log": "settings.manage",
};

/** @returns the permissions that a member needs besides keys.manage for a webhook with these events */
export function webhookMay(events: readonly string[]): Permission[] {
  const groups = eventGroups.filter((group) => events.some((event) => event in group.events));
  return [...new Set(groups.map(({ name }) => needed[name]))];
}

export type OffBecause = "gone" | "failing" | "full";

export interface Endpoint {
  id: string;
  url: string;
  description: string;
  events: WebhookEvent[];
  active: boolean;
  /** Why Lectern switched it off, or null if a member did. */
  offBecause: OffBecause | null;
  failingSince: Date | null;
  /** Until when the former secret signs too. Null if only one secret signs. */
  formerUntil: Date | null;
  createdAt: Date;
  createdByName: string | null;
  waiting: number;
  /** The last successful delivery, if it is still kept. */
  deliveredAt: Date | null;
}

export interface EndpointFields {
  url: string;
  description: string;
  events: readonly string[];
}

const columns = `e.id::text, e.url, e.description, e.events, e.active, e.off_because AS "offBecause", e.failing_since AS "failingSince",
  CASE WHEN e.former_until > now() THEN e.former_until END AS "formerUntil", e.created_at AS "createdAt",
  m.first_name || ' ' || m.last_name AS "createdByName",
  (SELECT count(*)::int FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'waiting') AS waiting,
  (SELECT max(d.attempted_at) FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'delivered') AS "deliveredAt"`;
const source = "webhook_endpoints e LEFT JOIN members m ON m.workspace_id = e.workspace_id AND m.id = e.created_by";

export function listEndpoints(read: Read): Promise<Endpoint[]> {
  return read(`SELECT ${columns} FROM ${source} ORDER BY e.created_at, e.id`);
}

export async function findEndpoint(read: Read, id: string): Promise<Endpoint | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [endpoint] = await read<Endpoint>(`SELECT ${columns} FROM ${source} WHERE e.id = $1::uuid`, [id]);
  return endpoint ?? null;
}

/** The name of an endpoint. Without the path of its URL, which can hold a secret. */
export function nameOf({ url, description }: { url: string; description: string }): string {
  return description || new URL(url).host;
}

export const subjectOf = (endpoint: { id: string; url: string; description: string }) => ({
  kind: "webhook",
  id: endpoint.id,
  name: nameOf(endpoint),
});

/** @returns the secret, which is stored encrypted. @throws InvalidError naming the fields, and above the maximum */
export async function createEndpoint(
  db: Db,
  workspaceId: string,
  input: EndpointFields,
  actor: Actor,
): Promise<{ id: string; secret: string }> {
  const fields = checkedFields(input);
  await lockWorkspace(db);
  if ((await db.webhookEndpoint.count()) >= workspaceLimits.webhookEndpoints) {
    const message = `There are ${workspaceLimits.webhookEndpoints} webhooks, which is the maximum. Delete one first.`;
    throw refusal("", "not_allowed", message);
  }
  const id = crypto.randomUUID();
  const secret = newSecret();
  const createdBy = memberId(actor);
  await db.webhookEndpoint.create({ data: { id, ...fields, secret: sealed(secret, workspaceId, id), createdBy } });
  await recordAudit(db, actor, "webhook.created", subjectOf({ id, ...fields }), { events: fields.events.join(" ") });
  return { id, secret };
}

/** @param agree sees the locked endpoint before the change, and may throw. @throws InvalidError naming the fields, NotFoundError */
export async function changeEndpoint(
  db: Db,
  id: string,
  { url, description, events }: { [Name in keyof EndpointFields]?: EndpointFields[Name] | undefined },
  actor: Actor,
  agree: (before: Endpoint) => void = () => {},
): Promise<void> {
  const before = await lockEndpoint(db, id);
  agree(before);
  const input = {
    url: url ?? before.url,
    description: description ?? before.description,
    events: events ?? before.events,
  };
  const fields = checkedFields(input, before.url);
  const details: Record<string, string> = {};
  // Only the host, as for the name.
  if (fields.url !== before.url) details.url = `${new URL(before.url).host} → ${new URL(fields.url).host}`;
  if (fields.description !== before.description) details.description = fields.description;
  if (fields.events.join() !== before.events.join()) details.events = fields.events.join(" ");
  if (Object.keys(details).length === 0) return;
  await db.webhookEndpoint.updateMany({ where: { id }, data: { ...fields, updatedAt: new Date() } });
  // Who may read the deliveries depends on the webhook's events.
  if (details.events)
    await db.webhookDelivery.deleteMany({ where: { endpointId: id, event: { notIn: [...fields.events, "ping"] } } });
  await recordAudit(db, actor, "webhook.updated", subjectOf({ id, ...fields }), details);
}

/** Replaces the secret. The former one signs too, for OVERLAP_HOURS. @returns the new secret. @throws NotFoundError */
export async function rotateSecret(
  db: Db,
  workspaceId: string,
  id: string,
  actor: Actor,
  agree: (before: Endpoint) => void = () => {},
): Promise<{ secret: string; formerUntil: Date }> {
  const endpoint = await lockEndpoint(db, id);
  agree(endpoint);
  const secret = newSecret();
  const stored = sealed(secret, workspaceId, id);
  const [rotated] = await db.$queryRaw<{ formerUntil: Date }[]>`
    UPDATE webhook_endpoints SET former_secret = secret, former_until = now() + make_interval(hours => ${OVERLAP_HOURS}::int),
      secret = ${stored}, updated_at = now() WHERE id = ${id}::uuid RETURNING former_until AS "formerUntil"`;
  if (!rotated) throw new Error("A locked endpoint does not go away.");
  await recordAudit(db, actor, "webhook.secret_rotated", subjectOf(endpoint));
  return { secret, ...rotated };
}

/** Switches an endpoint on or off. Off fails its waiting deliveries, which can be resent later. @throws NotFoundError */
export async function switchEndpoint(
  db: Db,
  id: string,
  on: boolean,
  actor: Actor,
  agree: (before: Endpoint) => void = () => {},
): Promise<Endpoint> {
  const endpoint = await lockEndpoint(db, id);
  agree(endpoint);
  if (endpoint.active === on) return endpoint;
  if (on) {
    const data = { active: true, offBecause: null, failingSince: null, updatedAt: new Date() };
    await db.webhookEndpoint.updateMany({ where: { id }, data });
  } else await switchOff(db, id, null);
  await recordAudit(db, actor, on ? "webhook.switched_on" : "webhook.switched_off", subjectOf(endpoint));
  return endpoint;
}

/** Switches off an endpoint that can't be used, and mails the administrators. The caller has locked it. */
export async function giveUpEndpoint(
  db: Db,
  endpoint: { id: string; url: string; description: string },
  because: OffBecause,
): Promise<void> {
  await switchOff(db, endpoint.id, because);
  const system: Actor = { kind: "system", id: null, name: "Webhooks" };
  await recordAudit(db, system, "webhook.switched_off", subjectOf(endpoint), { because });
  await mailAdministrators(db, "webhook_off", { host: new URL(endpoint.url).host, because });
}

async function switchOff(db: Db, id: string, because: OffBecause | null): Promise<void> {
  const data = { active: false, offBecause: because, updatedAt: new Date() };
  await db.webhookEndpoint.updateMany({ where: { id }, data });
  const problem = "The webhook was switched off.";
  await db.webhookDelivery.updateMany({
    where: { endpointId: id, state: "waiting" },
    data: { state: "failed", problem },
  });
}

/** Deletes an endpoint with its deliveries. @throws NotFoundError */
export async function deleteEndpoint(
  db: Db,
  id: string,
  actor: Actor,
  agree: (before: Endpoint) => void = () => {},
): Promise<Endpoint> {
  // Two deletions would otherwise wait for each other, because each sends its audit entry to the other's webhook.
  await lockWorkspace(db);
  const endpoint = await lockEndpoint(db, id);
  agree(endpoint);
  await db.webhookEndpoint.deleteMany({ where: { id } });
  await recordAudit(db, actor, "webhook.deleted", subjectOf(endpoint));
  return endpoint;
}

/** Sends the event `ping`, once. @returns the delivery's id. @throws NotFoundError, and InvalidError when the endpoint is off */
export async function sendPing(
  db: Db,
  id: string,
  actor: Actor,
  agree: (before: Endpoint) => void = () => {},
): Promise<string> {
  const endpoint = await lockEndpoint(db, id);
  agree(endpoint);
  refuseOff(endpoint);
  const data = { id, actor: { kind: actor.kind, id: actor.id } };
  const body = JSON.stringify({ type: "ping", timestamp: new Date().toISOString(), data });
  const [deliveryId] = await storeDeliveries(db, [{ endpoint_id: id, event: "ping", body }]);
  if (!deliveryId) throw new Error("A locked endpoint does not go away.");
  await recordAudit(db, actor, "webhook.tested", subjectOf(endpoint));
  return deliveryId;
}

export function refuseOff({ active }: { active: boolean }): void {
  if (!active) throw refusal("webhook_id", "not_allowed", "This webhook is off. Switch it on first.");
}

/** @throws NotFoundError */
export async function lockEndpoint(db: Db, id: string): Promise<Endpoint> {
  const [endpoint] = z.guid().safeParse(id).success
    ? await readingOf(db)<Endpoint>(`SELECT ${columns} FROM ${source} WHERE e.id = $1::uuid FOR NO KEY UPDATE OF e`, [
        id,
      ])
    : [];
  if (!endpoint) throw new NotFoundError("There is no webhook with this ID.");
  return endpoint;
}

function sealed(secret: string, workspaceId: string, id: string): Uint8Array<ArrayBuffer> {
  return encrypt(secret, "webhook", workspaceId, id);
}

/** @throws Error after AUTH_SECRET was changed */
export function openedSecret(stored: Uint8Array, workspaceId: string, id: string): string {
  return decrypt(stored, "webhook", workspaceId, id);
}

const refusal = (field: string, code: InvalidField["code"], message: string) =>
  new InvalidError([{ field, code, message }]);

const LONGEST_DESCRIPTION = 200;

/** @param known is not checked again: a URL from development may not be valid in production */
function checkedFields(
  input: EndpointFields,
  known?: string,
): { url: string; description: string; events: WebhookEvent[] } {
  const invalid: InvalidField[] = [];
  const description = input.description.trim().replace(/\s+/g, " ").normalize("NFC");
  const refuse = (code: InvalidField["code"], message: string) => invalid.push({ field: "url", code, message });
  const url = input.url === known ? known : checkedUrl(input.url.trim(), refuse);
  if (description.length > LONGEST_DESCRIPTION || /[\p{Cc}\p{Cs}]/u.test(description)) {
    const message = `Enter a description of up to ${LONGEST_DESCRIPTION} characters.`;
    invalid.push({ field: "description", code: "too_long", message });
  }
  const events = everyEvent.filter((event) => input.events.includes(event));
  if (events.length === 0) invalid.push({ field: "events", code: "required", message: "Choose at least one event." });
  if (invalid.length > 0) throw new InvalidError(invalid);
  return { url, description, events };
}
