import { z } from "zod";
import type { Actor, AuditDetails } from "@/lib/audit/audit";
import type { Read } from "@/lib/db";

export interface AuditEntry {
  id: string;
  at: Date;
  actor: {
    kind: Actor["kind"];
    id: string | null;
    /** The name at that time: for a member, the email address. */
    name: string;
    /** The member's current name, or null if they no longer exist. */
    person: string | null;
  };
  action: string;
  subject: {
    kind: string;
    id: string | null;
    name: string;
    person: string | null;
    there: boolean;
  };
  details: AuditDetails;
  ip: string | null;
  requestId: string | null;
}

export interface AuditFilter {
  /** The id of a member or key, or "command_line" or "system", which have none. */
  actor?: string;
  /** A kind of thing, such as "member". */
  subject?: string;
  action?: string;
  /** Leaves out programs, and signing in and out. */
  ofPeople?: boolean;
  /** First and last day, such as `2026-11-22`, in `timeZone`. */
  from?: string;
  to?: string;
  timeZone: string;
  /** The first moment, and the one after the last. */
  since?: Date | undefined;
  until?: Date | undefined;
}

/** A page begins before or after this entry. */
export interface AuditPlace {
  at: Date;
  id: string;
}

/** The time in milliseconds, and the id. The last millisecond of the year 9999 is one that PostgreSQL reads, too. */
const Cursor = z.tuple([z.int().min(0).max(253_402_300_799_999), z.guid()]);

/** An opaque text for programs that continue from an entry. */
export function cursorAt({ at, id }: AuditPlace): string {
  return Buffer.from(JSON.stringify([at.getTime(), id])).toString("base64url");
}

/** Null for a text that is not a cursor. */
export function placeOfCursor(text: string): AuditPlace | null {
  try {
    const [ms, id] = Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { at: new Date(ms), id };
  } catch {
    return null;
  }
}

const newestFirst = "e.created_at DESC, e.id";

/** Lists the entries before or after one, the newest first. Every page costs the same. */
export async function listAuditEntries(
  read: Read,
  filter: AuditFilter,
  { before, after, limit }: { before?: AuditPlace; after?: AuditPlace; limit: number },
): Promise<{ entries: AuditEntry[]; hasNewer: boolean; hasOlder: boolean }> {
  const values: unknown[] = [];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions = conditionsOf(filter, value);
  if (before) conditions.push(pastPlace("<", before, value));
  else if (after) conditions.push(pastPlace(">", after, value));
  const backwards = !before && after;
  const rows = await read<AuditEntry>(
    `WITH page AS (
       SELECT * FROM audit_entries e ${whereOf(conditions)}
       ORDER BY ${backwards ? "e.created_at, e.id DESC" : newestFirst} LIMIT ${value(limit + 1)}
     )
     ${shown}
     ORDER BY ${newestFirst}`,
    values,
  );
  const more = rows.length > limit;
  const entries = backwards ? rows.slice(more ? 1 : 0) : rows.slice(0, limit);
  return {
    entries,
    hasNewer: backwards ? more : before !== undefined,
    hasOlder: backwards ? true : more,
  };
}

const inTables: [kind: string, table: string][] = [
  ["role", "roles"],
  ["api_key", "api_keys"],
  ["invitation", "invitations"],
  ["category", "categories"],
  ["article", "articles"],
  ["synonym", "synonyms"],
  ["snippet", "snippets"],
  ["redirect", "redirects"],
  ["webhook", "webhook_endpoints"],
  ["identity_provider", "identity_providers"],
  ["import", "transfers"],
  ["export", "transfers"],
];

/** SQL of entries with current names. `page` has the rows. */
const shown = `SELECT e.id, e.created_at AS at, e.action, e.details, e.ip, e.request_id AS "requestId",
    json_build_object('kind', e.actor_kind, 'id', e.actor_id, 'name', e.actor_name,
      'person', by.first_name || ' ' || by.last_name) AS actor,
    json_build_object('kind', e.subject_kind, 'id', e.subject_id, 'name', e.subject_name,
      'person', of.first_name || ' ' || of.last_name, 'there', CASE e.subject_kind
        WHEN 'member' THEN of.id IS NOT NULL
        WHEN 'workspace' THEN true
        ${inTables
          .map(
            ([kind, table]) =>
              `WHEN '${kind}' THEN EXISTS (SELECT FROM ${table} t WHERE t.workspace_id = e.workspace_id AND t.id = e.subject_id)`,
          )
          .join(" ")}
        ELSE false END) AS subject
  FROM page e
  LEFT JOIN members by ON e.actor_kind = 'member' AND by.workspace_id = e.workspace_id AND by.id = e.actor_id
  LEFT JOIN members of ON e.subject_kind = 'member' AND of.workspace_id = e.workspace_id AND of.id = e.subject_id`;

export async function findAuditEntry(read: Read, id: string): Promise<AuditEntry | null> {
  const sql = `WITH page AS (SELECT * FROM audit_entries WHERE id = $1::uuid) ${shown}`;
  const [entry] = await read<AuditEntry>(sql, [id]);
  return entry ?? null;
}

export interface AuditItem {
  /** Of the article. */
  id: string;
  name: string;
  there: boolean;
  details: AuditDetails;
}

/** One page of the articles behind an entry, by title. */
export async function listAuditItems(
  read: Read,
  entryId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: AuditItem[]; total: number }> {
  const [count] = await read<{ total: number }>(
    "SELECT count(*)::int AS total FROM audit_items WHERE entry_id = $1::uuid",
    [entryId],
  );
  const items = await read<AuditItem>(
    `SELECT i.subject_id::text AS id, i.subject_name AS name, i.details,
       EXISTS (SELECT FROM articles a WHERE a.workspace_id = i.workspace_id AND a.id = i.subject_id) AS there
     FROM (SELECT * FROM audit_items WHERE entry_id = $1::uuid
       ORDER BY subject_name COLLATE "und-x-icu", id LIMIT $2 OFFSET $3) i
     ORDER BY i.subject_name COLLATE "und-x-icu", i.id`,
    [entryId, limit, offset],
  );
  return { items, total: count?.total ?? 0 };
}

export interface AuditChoices {
  actors: { value: string; name: string }[];
  subjects: string[];
  actions: string[];
}

/** The values that occur in the log. Each costs one step in an index, however long the log is. */
export async function auditChoices(read: Read): Promise<AuditChoices> {
  const actors = await read<{ value: string; name: string }>(
    `${distinct("actor_id", "uuid")}, named AS (
       SELECT v.value, coalesce(m.first_name || ' ' || m.last_name, k.name || ' (API key)', last.actor_name) AS name
       FROM v LEFT JOIN members m ON m.id = v.value LEFT JOIN api_keys k ON k.id = v.value
       CROSS JOIN LATERAL (
         SELECT e.actor_name FROM audit_entries e WHERE e.actor_id = v.value ORDER BY ${newestFirst} LIMIT 1
       ) last
     )
     SELECT value, name FROM named ORDER BY name COLLATE "und-x-icu", value`,
  );
  const nobody = await read<{ value: string; name: string }>(
    `SELECT kind AS value, name FROM (VALUES ('command_line', 'Command line'), ('system', 'Lectern itself')) AS of (kind, name)
     WHERE EXISTS (SELECT FROM audit_entries e WHERE e.actor_id IS NULL AND e.actor_kind = of.kind)`,
  );
  const texts = async (column: string) => {
    const rows = await read<{ value: string }>(`${distinct(column, "text")} SELECT value FROM v ORDER BY value`);
    return rows.map(({ value }) => value);
  };
  return { actors: [...actors, ...nobody], subjects: await texts("subject_kind"), actions: await texts("action") };
}

/** SQL of `v`: the distinct values of a column, found by stepping through its index. */
function distinct(column: string, type: string): string {
  const next = (than: string) =>
    `(SELECT ${column} FROM audit_entries WHERE workspace_id = current_setting('app.workspace_id')::uuid
      AND ${column} IS NOT NULL ${than} ORDER BY ${column} LIMIT 1)`;
  return `WITH RECURSIVE steps AS (
    SELECT ${next("")}::${type} AS value
    UNION ALL SELECT ${next(`AND ${column} > steps.value`)} FROM steps WHERE steps.value IS NOT NULL
  ), v AS (SELECT value FROM steps WHERE value IS NOT NULL)`;
}

function conditionsOf(filter: AuditFilter, value: (parameter: unknown) => string): string[] {
  const { actor, subject, action, ofPeople, from, to, timeZone, since, until } = filter;
  const startOf = (day: string, later = 0) =>
    `((${value(day)}::text::date + ${later})::timestamp AT TIME ZONE ${value(timeZone)}::text)`;
  return [
    actor === "command_line" || actor === "system"
      ? `e.actor_id IS NULL AND e.actor_kind = ${value(actor)}`
      : actor && `e.actor_id = ${value(actor)}::uuid`,
    subject && `e.subject_kind = ${value(subject)}`,
    ofPeople && "e.actor_kind = 'member' AND e.subject_kind <> 'session'",
    action && `e.action = ${value(action)}`,
    from && `e.created_at >= ${startOf(from)}`,
    to && `e.created_at < ${startOf(to, 1)}`,
    since && `e.created_at >= ${value(since)}::timestamptz`,
    until && `e.created_at < ${value(until)}::timestamptz`,
  ].filter((condition) => typeof condition === "string" && condition !== "") as string[];
}

/** Compares both columns of the order, because entries can have the same time. */
function pastPlace(side: "<" | ">", { at, id }: AuditPlace, value: (parameter: unknown) => string): string {
  const [time, place] = [value(at), value(id)];
  const beside = side === "<" ? ">" : "<";
  return `e.created_at ${side}= ${time}::timestamptz AND (e.created_at ${side} ${time}::timestamptz OR e.id ${beside} ${place}::uuid)`;
}

function whereOf(conditions: string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
}
