import { randomUUID } from "node:crypto";
import { type Db, inOneGo } from "@/lib/db";
import { announce } from "@/lib/events/announce";

/** A person or program. The audit log keeps its name at that time. */
export interface Actor {
  kind: "member" | "api_key" | "command_line" | "system";
  id: string | null;
  name: string;
  ip?: string;
  requestId?: string;
  /** The id of an entry that stands for many changes (lib/articles/bulk.ts). They are recorded as its items. */
  within?: string;
  /** An import sends one webhook when it ends, not one for each change. Entries of the audit log are sent all the same. */
  importing?: boolean;
}

/** The writer of a text. */
export type Writer = Pick<Actor, "kind" | "id">;

export interface AuditSubject {
  kind: string;
  id: string;
  name: string;
}

export type AuditDetails = Record<string, string | number | boolean | null>;

export function memberId({ kind, id }: Writer): string | null {
  return kind === "member" ? id : null;
}

export function keyId({ kind, id }: Writer): string | null {
  return kind === "api_key" ? id : null;
}

/** Records a change in its transaction, and sends its webhooks. @param details must hold no secrets. @param id of the entry, by default a new one */
export async function recordAudit(
  db: Db,
  actor: Actor,
  action: string,
  subject: AuditSubject,
  details: AuditDetails = {},
  id?: string,
): Promise<void> {
  await recordAudits(db, actor, action, [{ id, subject, details }]);
}

export async function recordAudits(
  db: Db,
  actor: Actor,
  action: string,
  changes: readonly {
    id?: string | undefined;
    subject: AuditSubject;
    details: AuditDetails;
    /** Where it came from, if not from where the actor did. */
    from?: Pick<Actor, "ip" | "requestId">;
  }[],
): Promise<void> {
  const announced = actor.importing ? [] : changes;
  if (actor.within) {
    await recordItems(db, actor.within, changes);
    return announce(db, actor, action, announced);
  }
  const ids = changes.map(({ id }) => id ?? randomUUID());
  const entries = changes.map(({ subject, details, from: { ip, requestId } = actor }, index) => ({
    id: ids[index],
    ip,
    request_id: requestId,
    subject_kind: subject.kind,
    subject_id: subject.id,
    // A lone surrogate is no JSON for PostgreSQL.
    subject_name: subject.name.replace(/\p{Cs}/gu, "\ufffd"),
    details,
  }));
  const stored = db.$executeRaw`
    INSERT INTO audit_entries (id, created_at, actor_kind, actor_id, actor_name, ip, request_id, action, subject_kind, subject_id,
      subject_name, details)
    SELECT g.id, ${new Date()}, ${actor.kind}, ${actor.id}::uuid, ${actor.name}, g.ip, g.request_id, ${action}, g.subject_kind,
      g.subject_id, g.subject_name, g.details
    FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      AS g(id uuid, ip text, request_id text, subject_kind text, subject_id uuid, subject_name text, details jsonb)`;
  await inOneGo([stored, announce(db, actor, action, announced, ids)]);
}

/** Records a change to several articles as one entry, with the articles as its items. */
export async function recordArticles(
  db: Db,
  actor: Actor,
  action: `articles.${string}`,
  changes: readonly { subject: AuditSubject; details: AuditDetails }[],
): Promise<void> {
  const id = randomUUID();
  await recordAudits(db, { ...actor, within: id }, action.replace("articles.", "article."), changes);
  const name = `${changes.length.toLocaleString("en")} articles`;
  await recordAudit(db, actor, action, { kind: "article", id, name }, { articles: changes.length }, id);
}

async function recordItems(
  db: Db,
  entryId: string,
  changes: readonly { subject: AuditSubject; details: AuditDetails }[],
): Promise<void> {
  const items = changes.map(({ subject: { id, name }, details }) => ({ id, name, details }));
  await db.$executeRaw`
    INSERT INTO audit_items (entry_id, subject_id, subject_name, details)
    SELECT ${entryId}::uuid, g.id, g.name, g.details
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS g(id uuid, name text, details jsonb)`;
}
