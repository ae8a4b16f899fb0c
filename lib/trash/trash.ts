import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { type Parts, rowsAsJson } from "@/lib/trash/rows";

/** Days to restore a deletion. Uploads of deleted articles are kept as long (lib/uploads/clean-up.ts). */
export const TRASH_DAYS = 30;
export const UNDO_MINUTES = 60;
/** Minutes before an expired entry is purged, because someone may be restoring it. */
const GRACE_MINUTES = 5;
const BATCH = 5_000;
/** Bytes of text that one action may store of several articles: ten times a usual page of a list. */
const MOST_BYTES = 20_000_000;

export const trashKinds = ["article", "category", "redirect", "synonym"] as const;
export type TrashKind = (typeof trashKinds)[number];

interface Content {
  title: string;
  /** The thing's own table, then the others in the order of restoring. */
  parts: Parts;
}

const contents: Record<TrashKind, Content> = {
  article: {
    title: "title",
    parts: {
      articles: ["id"],
      article_live: ["id"],
      article_drafts: ["id"],
      article_tags: ["article_id"],
      article_attachments: ["article_id"],
      related_articles: ["article_id", "related_id"],
      article_links: ["article_id"],
      article_view_months: ["article_id"],
      redirects: ["article_id"],
      search_pins: ["article_id"],
    },
  },
  category: {
    title: "name",
    parts: { categories: ["id"], redirects: ["category_id"] },
  },
  redirect: { title: "from_path", parts: { redirects: ["id"] } },
  synonym: { title: "term", parts: { synonyms: ["id"] } },
};

/** An article can have any number of these rows, so they stay in their tables until it is purged. */
const leftInPlace = ["article_versions", "article_views", "feedback", "search_opens"] as const;

export function storedTables(kind: TrashKind): string[] {
  return Object.keys(contents[kind].parts);
}

/** Runs in the transaction of the deletion. @returns the batch that restores it */
export async function putInTrash(
  db: Db,
  kind: TrashKind,
  ids: readonly string[],
  actor: Actor,
  { details = {}, batch = randomUUID() }: { details?: object; batch?: string | undefined } = {},
): Promise<string> {
  await store(db, { ...contents[kind], kind, id: "t.id", batch, minutes: TRASH_DAYS * 24 * 60 }, ids, actor, details);
  return batch;
}

/** Stores article rows before a bulk action, for UNDO_MINUTES. */
export async function storeForUndo(
  db: Db,
  batch: string,
  parts: Parts,
  ids: readonly string[],
  actor: Actor,
  details: object,
): Promise<void> {
  const undo = { title: "title", parts, kind: "undo", id: "gen_random_uuid()", batch, minutes: UNDO_MINUTES };
  await store(db, undo, ids, actor, details);
}

export async function isTooMuch(read: Read, articleIds: readonly string[]): Promise<boolean> {
  const [row] = await read<{ isMore: boolean }>(
    `SELECT coalesce(sum(bytes), 0) > ${MOST_BYTES} AS "isMore" FROM (
       SELECT octet_length(html) + octet_length(rendered_html) + octet_length(text) + octet_length(markdown)
         + coalesce(octet_length(shown_html), 0) AS bytes
       FROM article_live WHERE id = ANY($1::uuid[])
       UNION ALL SELECT octet_length(html) + octet_length(text) FROM article_drafts WHERE id = ANY($1::uuid[])
     ) texts`,
    [articleIds],
  );
  return row?.isMore ?? false;
}

async function store(
  db: Db,
  { title, parts, kind, id, batch, minutes }: Content & { kind: string; id: string; batch: string; minutes: number },
  ids: readonly string[],
  actor: Actor,
  details: object,
): Promise<void> {
  await db.$executeRawUnsafe(
    `INSERT INTO trash (id, kind, batch, title, rows, details, deleted_by, deleted_by_name, until)
     SELECT ${id}, $2, $3::uuid, t.${title}, ${rowsAsJson(parts, "t.id")}, $4::jsonb, $5::uuid, $6,
       now() + make_interval(mins => $7::int)
     FROM ${Object.keys(parts)[0]} t WHERE t.id = ANY($1::uuid[])`,
    ids,
    kind,
    batch,
    JSON.stringify(details),
    memberId(actor),
    actor.name,
    minutes,
  );
  await enqueue(db, "purge_trash", {}, (minutes + GRACE_MINUTES + 1) * 60_000);
}

export interface Stored<Row, Details> {
  id: string;
  title: string;
  row: Row;
  details: Details;
}

/** @param which a batch, or the ids of deleted things */
export async function lockTrash<Row, Details = object>(
  db: Db,
  kind: TrashKind,
  which: string | readonly string[],
): Promise<Stored<Row, Details>[]> {
  const isBatch = typeof which === "string";
  const ids = (isBatch ? [which] : which).filter((id) => z.guid().safeParse(id).success);
  const entries = await readingOf(db)<Stored<Row, Details>>(
    `SELECT id::text, title, rows->'${storedTables(kind)[0]}'->0 AS row, details FROM trash
     WHERE kind = $1 AND ${isBatch ? "batch" : "id"} = ANY($2::uuid[]) AND until > now() ORDER BY id FOR UPDATE`,
    [kind, ids],
  );
  if (entries.length === 0) {
    throw new NotFoundError(`Nothing to restore. It was already restored, or ${TRASH_DAYS} days have passed.`);
  }
  return entries;
}

/** Whether a batch has several entries. */
export async function isOfMany(read: Read, batch: string): Promise<boolean> {
  return (await read("SELECT FROM trash WHERE batch = $1::uuid AND until > now() LIMIT 2", [batch])).length > 1;
}

export async function removeFromTrash(db: Db, ids: readonly string[]): Promise<void> {
  await db.trash.deleteMany({ where: { id: { in: [...ids] } } });
}

export interface TrashEntry {
  id: string;
  kind: TrashKind;
  title: string;
  deletedAt: Date;
  until: Date;
  /** The name of the member, API key or command. */
  deletedBy: string;
  /** Restoring this article makes it public again. */
  wasPublished: boolean;
}

/** Latest first. @returns one page, and the number of all matches */
export async function listTrash(
  read: Read,
  {
    kinds,
    search = "",
    limit,
    offset,
  }: { kinds: readonly TrashKind[]; search?: string | undefined; limit: number; offset: number },
): Promise<{ entries: TrashEntry[]; total: number }> {
  const matching = `FROM trash t WHERE t.kind = ANY($1::text[]) AND t.until > now() AND strpos(lower(t.title), lower($2)) > 0`;
  const values = [kinds, search.trim()];
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total ${matching}`, values);
  const entries = await read<TrashEntry>(
    `SELECT page.id::text, page.kind, page.title, page.deleted_at AS "deletedAt", page.until,
       coalesce(m.first_name || ' ' || m.last_name, page.deleted_by_name) AS "deletedBy",
       page.kind = 'article' AND page.rows->'articles'->0->>'state' = 'published' AS "wasPublished"
     FROM (SELECT * ${matching} ORDER BY t.deleted_at DESC, t.id LIMIT $3 OFFSET $4) page
     LEFT JOIN members m ON m.id = page.deleted_by
     ORDER BY page.deleted_at DESC, page.id`,
    [...values, limit, offset],
  );
  return { entries, total: count?.total ?? 0 };
}

/** Expires an entry, so that a job purges it. */
export async function deletePermanently(db: Db, kind: TrashKind, id: string, actor: Actor): Promise<{ title: string }> {
  const [entry] = await lockTrash(db, kind, [id]);
  const { title = "" } = entry ?? {};
  await db.trash.updateMany({ where: { id }, data: { until: new Date(0) } });
  await enqueue(db, "purge_trash", {});
  await recordAudit(db, actor, "trash.purged", { kind, id, name: title });
  return { title };
}

export async function purgeTrash(workspaceId: string): Promise<void> {
  const expired = await readWorkspace(workspaceId, (read) =>
    read<{ id: string; kind: string }>(
      `SELECT id::text, kind FROM trash WHERE until < now() - make_interval(mins => ${GRACE_MINUTES})`,
    ),
  );
  for (const { id, kind } of expired) {
    if (kind === "article") for (const table of leftInPlace) await purgeRows(workspaceId, table, id);
    // The entry goes last, so that a purge that was stopped finds it again.
    await inWorkspace(workspaceId, (db) => removeFromTrash(db, [id]));
  }
}

async function purgeRows(workspaceId: string, table: (typeof leftInPlace)[number], articleId: string): Promise<void> {
  const purge = (db: Db) =>
    db.$executeRawUnsafe(
      // As a list, so that no plan for a nearly empty table joins thousands of rows with each other.
      `DELETE FROM ${table} WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE article_id = $1::uuid LIMIT ${BATCH}))`,
      articleId,
    );
  while ((await inWorkspace(workspaceId, purge)) === BATCH);
}
