import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { moveArticles, refusePublished, tagArticles } from "@/lib/articles/changes";
import { type Changed, publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { tagName } from "@/lib/articles/tags";
import { BULK_SECONDS, type BulkAction, undoably, undoBulkAction } from "@/lib/articles/undo";
import { type Actor, type AuditDetails, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import type { Permission } from "@/lib/members/roles";
import { isTooMuch, UNDO_MINUTES } from "@/lib/trash/trash";

export const MOST_IN_BULK = 10_000;
/** One page of the list. Fewer articles are changed within the request if that is quick. */
export const MOST_IMMEDIATE = 50;

/** The number of articles per transaction: in a request, and in a job. */
const FEW = 10;
const SOME = 25;
/** How long a request works on it before the job takes over. */
const REQUEST_MS = 1_500;
/** How long a job works on it before the bulk actions of others get their turn. */
const JOB_MS = 40_000;
const KEPT_DAYS = 1;

type Changing = BulkAction | "deleted";

/** What a member wants. Undoing names the batch of a bulk action or deletion. */
export type BulkRequest =
  | { action: "published" | "unpublished" | "deleted" }
  | { action: "moved"; categoryId: string }
  | { action: "tagged"; tag: string };

interface Details {
  categoryId?: string;
  /** The name of the category that articles move to, and of the only one they come from, or "3 categories". */
  to?: string;
  from?: string;
  tag?: string;
  /** The undone action, and the batch in the trash. */
  undoes?: Changing;
  batch?: string;
  withoutTitle?: number;
  withoutText?: number;
  /** Articles whose text takes too long to process, or is being saved. */
  failed?: number;
  /** Drafts that were saved since the start, which the member has not seen. */
  newer?: number;
  /** Articles that became published meanwhile, which the member may not change. */
  refused?: number;
  /** Restored articles with a new URL, because the former one was taken. */
  renamed?: number;
}

export interface RunningBulk {
  id: string;
  action: Changing | "undone" | "restored";
  state: "running" | "stopping" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  details: Details;
  problem: string | null;
  createdBy: string | null;
  createdByName: string;
}

/** With the number of changed articles, and the title of the only one. */
export interface BulkReport extends RunningBulk {
  changed: number;
  title: string | null;
  /** Whether the trash still holds what undoes it. */
  hasUndo: boolean;
}

const columns = `b.id::text, b.action, b.state, b.done, cardinality(b.ids) AS total, b.details, b.problem, b.created_by::text AS "createdBy",
  b.created_by_name AS "createdByName"`;

export const isUnderway = ({ state }: { state: RunningBulk["state"] }) => state === "running" || state === "stopping";

/**
 * Stores a bulk action of a member and queues its job, later if the request works on it first (see tryBulkAction).
 * @throws InvalidError when it cannot start: a missing category, a bad tag, a published article without the right to publish
 * @throws NotFoundError when none of the articles exists
 */
export function startBulkAction(
  workspaceId: string,
  request: BulkRequest,
  ids: readonly string[],
  actor: Actor,
  permissions: readonly Permission[],
): Promise<string> {
  return inWorkspace(workspaceId, async (db) => {
    const read = readingOf(db);
    const { action } = request;
    const isPublishing = action === "published" || action === "unpublished";
    if (isPublishing && !permissions.includes("articles.publish")) throw notAllowed();
    const existing = await read<{ id: string }>(
      `SELECT a.id::text FROM unnest($1::uuid[]) WITH ORDINALITY AS g(id, place) JOIN articles a ON a.id = g.id
       ORDER BY g.place LIMIT ${MOST_IN_BULK}`,
      [ids],
    );
    const there = existing.map(({ id }) => id);
    if (there.length === 0) throw new NotFoundError("These articles were deleted.");
    await refusePublished(db, there, permissions);
    const details: Details = {};
    if (action === "moved") Object.assign(details, await move(read, request.categoryId, there));
    if (action === "tagged") details.tag = tagName(request.tag, "tag");
    return store(db, action, there, details, actor);
  });
}

/**
 * Starts to undo a bulk action or the deletion of several articles.
 * @throws InvalidError when readers would see a change and the permissions exclude publishing
 * @throws NotFoundError after an earlier undo, or when it is too late
 */
export function startUndo(
  workspaceId: string,
  batch: string,
  actor: Actor,
  permissions: readonly Permission[],
): Promise<string> {
  return inWorkspace(workspaceId, async (db) => {
    const read = readingOf(db);
    // Those stored last come first (see undoBulkAction). Related articles of one deletion find each other then, too.
    const entries = await read<{ id: string; kind: string; action: Changing; isSeen: boolean }>(
      `SELECT t.id::text, t.kind, coalesce(t.details->>'action', 'deleted') AS action,
         coalesce('published' IN (a.state, t.rows->'articles'->0->>'state'), false) AS "isSeen"
       FROM trash t LEFT JOIN articles a ON a.id = (t.rows->'articles'->0->>'id')::uuid
       WHERE t.batch = $1::uuid AND t.kind IN ('undo', 'article') AND t.until > now() ORDER BY t.deleted_at DESC, t.id`,
      [batch],
    );
    const [first] = entries;
    if (!first) throw new NotFoundError("Can't undo. It was already undone, or more than an hour has passed.");
    if (!permissions.includes("articles.publish") && entries.some(({ isSeen }) => isSeen)) throw notAllowed();
    const [undone] = await read<{ details: Details }>(
      "SELECT details FROM bulk_actions WHERE id = $1::uuid AND state NOT IN ('running', 'stopping')",
      [batch],
    );
    const { from, to, tag } = undone?.details ?? {};
    const details = { ...(from && { from }), ...(to && { to }), ...(tag && { tag }), undoes: first.action, batch };
    const ids = entries.map(({ id }) => id);
    return store(db, first.kind === "undo" ? "undone" : "restored", ids, details, actor);
  });
}

function notAllowed(): InvalidError {
  const message = "This would make an article public again. Ask someone who can publish.";
  return new InvalidError([{ field: "", code: "not_allowed", message }]);
}

async function move(read: Read, categoryId: string, ids: readonly string[]): Promise<Details> {
  const [category] = await read<{ name: string }>("SELECT name FROM categories WHERE id = $1::uuid", [categoryId]);
  if (!category) {
    const message = "This category was deleted. Choose another one.";
    throw new InvalidError([{ field: "categoryId", code: "not_found", message }]);
  }
  const from = await read<{ name: string }>(
    `SELECT DISTINCT c.id, c.name FROM articles a JOIN categories c ON c.id = a.category_id
     WHERE a.id = ANY($1::uuid[]) AND c.id <> $2::uuid`,
    [ids, categoryId],
  );
  const names = from.length > 1 ? `${from.length.toLocaleString("en")} categories` : from[0]?.name;
  return { categoryId, to: category.name, ...(names !== undefined && { from: names }) };
}

async function store(
  db: Db,
  action: RunningBulk["action"],
  ids: readonly string[],
  details: Details,
  actor: Actor,
): Promise<string> {
  const id = randomUUID();
  await db.$executeRaw`
    DELETE FROM bulk_actions WHERE state NOT IN ('running', 'stopping') AND updated_at < now() - make_interval(days => ${KEPT_DAYS})`;
  await db.$executeRaw`
    INSERT INTO bulk_actions (id, action, state, ids, details, created_by, created_by_name)
    VALUES (${id}::uuid, ${action}, 'running', ${ids}::uuid[], ${JSON.stringify({ ...details, ip: actor.ip })}::jsonb,
      ${memberId(actor)}::uuid, ${actor.name})`;
  const isFirstTried = ids.length <= MOST_IMMEDIATE;
  await enqueue(db, "bulk_action", { actionId: id }, isFirstTried ? 2 * REQUEST_MS : undefined);
  return id;
}

/** Works on a small bulk action within the request. What is left when time is up, the job does. */
export async function tryBulkAction(workspaceId: string, id: string): Promise<void> {
  await work(workspaceId, id, { ms: REQUEST_MS, most: FEW, isSmall: true });
}

/** Works on a bulk action until it ends. Work that was stopped continues where it was, and changes no article twice. */
export async function workBulkAction(workspaceId: string, id: string, stop: AbortSignal): Promise<void> {
  const hasEnded = await work(workspaceId, id, { ms: JOB_MS, most: SOME, stop });
  if (!hasEnded) await inWorkspace(workspaceId, (db) => enqueue(db, "bulk_action", { actionId: id }));
}

async function work(
  workspaceId: string,
  id: string,
  { ms, most, isSmall = false, stop }: { ms: number; most: number; isSmall?: boolean; stop?: AbortSignal },
): Promise<boolean> {
  const until = performance.now() + ms;
  for (;;) {
    const bulk = await readWorkspace(workspaceId, (read) => nextOf(read, id, most));
    if (!bulk || !isUnderway(bulk) || (isSmall && bulk.total > MOST_IMMEDIATE)) return true;
    if (bulk.state === "stopping") return end(workspaceId, bulk, "cancelled");
    if (bulk.next.length === 0) return end(workspaceId, bulk, "done");
    if (performance.now() > until) return false;
    stop?.throwIfAborted();
    const started = performance.now();
    try {
      await step(workspaceId, bulk);
    } catch (error) {
      if (error instanceof OvertakenError) continue;
      if (!(error instanceof InvalidError)) throw error;
      return end(workspaceId, bulk, "failed", error.fields[0]?.message ?? error.message);
    }
    // Leaves half of the time to requests.
    if (!isSmall) await setTimeout(performance.now() - started, undefined, { signal: stop }).catch(() => {});
  }
}

interface OpenBulk extends RunningBulk {
  next: string[];
  ip: string | null;
  createdAt: Date;
  /** Of the member who started it, now. Empty if they were deactivated. */
  permissions: Permission[];
}

async function nextOf(read: Read, id: string, most: number): Promise<OpenBulk | null> {
  const [bulk] = await read<OpenBulk>(
    `SELECT ${columns}, b.ids[b.done + 1:b.done + $2::int]::text[] AS next, b.details->>'ip' AS ip,
       b.created_at AS "createdAt", CASE WHEN m.active THEN r.permissions ELSE '{}' END AS permissions
     FROM bulk_actions b
     LEFT JOIN members m ON m.workspace_id = b.workspace_id AND m.id = b.created_by
     LEFT JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
     WHERE b.id = $1::uuid`,
    [id, most],
  );
  if (!bulk || bulk.next.length < 2 || bulk.action === "undone" || bulk.action === "restored") return bulk ?? null;
  // Very long texts go one at a time, because the trash keeps a limited length of several.
  return (await isTooMuch(read, bulk.next)) ? { ...bulk, next: bulk.next.slice(0, 1) } : bulk;
}

type Tally = Pick<Details, "withoutTitle" | "withoutText" | "failed" | "newer" | "refused" | "renamed">;

const actorOf = ({ id, createdBy, createdByName, ip }: OpenBulk): Actor => ({
  kind: createdBy ? "member" : "system",
  id: createdBy,
  name: createdByName,
  ...(ip !== null && { ip }),
  within: id,
});

/**
 * Changes the next articles and notes the progress in the same transaction. Otherwise, after a server was killed, the next one
 * would change articles again that someone may have edited in between.
 */
async function step(workspaceId: string, bulk: OpenBulk): Promise<void> {
  const { action, details, permissions, next } = bulk;
  if (!permissions.includes("articles.write")) throw notAllowed();
  const noted = (work: (db: Db) => Promise<Tally>) =>
    inWorkspace(workspaceId, async (db) => note(db, bulk, await work(db)), BULK_SECONDS);
  try {
    switch (action) {
      case "published":
      case "unpublished":
        return await publishing(workspaceId, bulk);
      case "undone":
        // Takes the entries out of the trash, so it happens once.
        await undoBulkAction(workspaceId, details.batch ?? "", actorOf(bulk), permissions, next);
        return await noted(async () => ({}));
      case "restored":
        return await noted(async (db) => {
          const restored = await restoreArticles(db, next, actorOf(bulk), permissions);
          return { renamed: restored.filter(({ isNewSlug }) => isNewSlug).length };
        });
      case "moved":
      case "tagged":
      case "deleted":
        return await noted((db) => changing(db, action, bulk));
    }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // Others have deleted or restored all of these.
    await noted(async () => ({}));
  }
}

async function publishing(workspaceId: string, bulk: OpenBulk): Promise<void> {
  if (!bulk.permissions.includes("articles.publish")) throw notAllowed();
  try {
    return await publish(workspaceId, bulk);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
  }
  // One text takes too long, or is being saved again and again. The others must not wait for it.
  for (const [index, id] of bulk.next.entries()) {
    const one = { ...bulk, done: bulk.done + index, next: [id] };
    try {
      await publish(workspaceId, one);
    } catch (error) {
      const isFailed = error instanceof InvalidError;
      if (!isFailed && !(error instanceof NotFoundError)) throw error;
      await inWorkspace(workspaceId, (db) => note(db, one, { failed: isFailed ? 1 : 0 }));
    }
  }
}

async function publish(workspaceId: string, bulk: OpenBulk): Promise<void> {
  const verb = bulk.action === "published" ? publishArticles : unpublishArticles;
  const tallied = (lacking: Changed["lacking"]): Tally => {
    const count = (what: Changed["lacking"][number]["lack"]) => lacking.filter(({ lack }) => lack === what).length;
    return { withoutTitle: count("title"), withoutText: count("text"), newer: count("saved since") };
  };
  const { changed, lacking } = await verb(workspaceId, bulk.next, actorOf(bulk), {
    ...{ undo: bulk.id, leaveEmpty: true, savedUntil: bulk.createdAt },
    within: (db, without) => note(db, bulk, tallied(without)),
  });
  if (changed.length === 0) await inWorkspace(workspaceId, (db) => note(db, bulk, tallied(lacking)));
}

async function changing(db: Db, action: "moved" | "tagged" | "deleted", bulk: OpenBulk): Promise<Tally> {
  const { id: batch, details, permissions, next } = bulk;
  const actor = actorOf(bulk);
  const ids = await changeable(db, next, permissions);
  const refused = next.length - ids.length;
  if (ids.length === 0) return { refused };
  switch (action) {
    case "moved":
      await undoably(db, { batch, action, actor }, ids, () => moveArticles(db, ids, details.categoryId ?? "", actor));
      break;
    case "tagged":
      await undoably(db, { batch, action, actor }, ids, () => tagArticles(db, ids, details.tag ?? "", actor));
      break;
    case "deleted":
      await deleteArticles(db, ids, { kind: "gone" }, "", actor, batch);
  }
  return { refused };
}

/** Leaves out articles that someone has published since the start, if the member may not publish. */
async function changeable(db: Db, ids: string[], permissions: readonly Permission[]): Promise<string[]> {
  if (permissions.includes("articles.publish")) return ids;
  const published = await readingOf(db)<{ id: string }>(
    `WITH locked AS MATERIALIZED (SELECT id, state FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
     SELECT id::text FROM locked WHERE state = 'published'`,
    [ids],
  );
  return ids.filter((id) => published.every((one) => one.id !== id));
}

/** Another server or the request has worked on the same articles. */
class OvertakenError extends Error {
  override name = "OvertakenError";
}

/** @throws OvertakenError when these articles are noted already, so that the transaction is rolled back */
async function note(db: Db, { id, done, next }: OpenBulk, tally: Tally): Promise<void> {
  const noted = await db.$executeRaw`
    UPDATE bulk_actions SET done = done + ${next.length}::int, updated_at = now(), details = details || (
      SELECT coalesce(jsonb_object_agg(key, coalesce((details->>key)::int, 0) + value::int), '{}')
      FROM jsonb_each_text(${JSON.stringify(tally)}::jsonb) WHERE value::int > 0)
    WHERE id = ${id}::uuid AND done = ${done}::int AND state IN ('running', 'stopping')`;
  if (noted === 0) throw new OvertakenError("Another server has changed these articles.");
}

/** Ends it, with its entry in the audit log. All of it can be undone for an hour from now. */
async function end(
  workspaceId: string,
  bulk: OpenBulk,
  state: "done" | "failed" | "cancelled",
  problem: string | null = null,
): Promise<true> {
  const { id, action, details } = bulk;
  await inWorkspace(workspaceId, async (db) => {
    const ended = await db.$executeRaw`
      UPDATE bulk_actions SET state = ${state}, problem = ${problem}, updated_at = now()
      WHERE id = ${id}::uuid AND state IN ('running', 'stopping')`;
    if (ended === 0) return;
    await db.$executeRaw`
      UPDATE trash SET until = now() + make_interval(mins => ${UNDO_MINUTES}) WHERE batch = ${id}::uuid AND kind = 'undo'`;
    const [changed] = await readingOf(db)<{ count: number; id: string; title: string }>(
      `SELECT count(*)::int AS count, min(subject_id::text) AS id, min(subject_name) AS title FROM audit_items
       WHERE entry_id = $1::uuid`,
      [id],
    );
    if (!changed || changed.count === 0) return;
    const { from, to, tag, undoes } = details;
    const audited: AuditDetails = { articles: changed.count };
    for (const [name, value] of Object.entries({ from, to, tag, undoes }))
      if (value !== undefined) audited[name] = value;
    const isOne = changed.count === 1;
    const name = isOne ? changed.title : `${changed.count.toLocaleString("en")} articles`;
    const { within: _, ...actor } = actorOf(bulk);
    await recordAudit(
      db,
      actor,
      `articles.${action}`,
      { kind: "article", id: isOne ? changed.id : id, name },
      audited,
      id,
    );
  });
  return true;
}

/** Stops a member's bulk action after the articles it is working on. */
export async function cancelBulkAction(db: Db, id: string, memberId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_actions SET state = 'stopping' WHERE id = ${id}::uuid AND created_by = ${memberId}::uuid AND state = 'running'`;
}

const reported = `${columns}, i.changed, i.title,
  EXISTS (SELECT FROM trash t WHERE t.batch = b.id AND t.kind IN ('undo', 'article') AND t.until > now()) AS "hasUndo"`;
const items = `CROSS JOIN LATERAL (
  SELECT count(*)::int AS changed, CASE count(*) WHEN 1 THEN min(subject_name) END AS title
  FROM audit_items i WHERE i.workspace_id = b.workspace_id AND i.entry_id = b.id) i`;

/** A member's own, while it runs and for an hour after. */
export async function findBulkAction(read: Read, id: string, memberId: string): Promise<BulkReport | null> {
  const [bulk] = await read<BulkReport>(
    `SELECT ${reported} FROM bulk_actions b ${items} WHERE b.id = $1::uuid AND b.created_by = $2::uuid
       AND (b.state IN ('running', 'stopping') OR b.updated_at > now() - make_interval(mins => ${UNDO_MINUTES}))`,
    [id, memberId],
  );
  return bulk ?? null;
}

/** A member's running bulk actions, the oldest first. */
export function listRunningBulk(read: Read, memberId: string): Promise<RunningBulk[]> {
  return read(
    `SELECT ${columns} FROM bulk_actions b
     WHERE b.created_by = $1::uuid AND b.state IN ('running', 'stopping') ORDER BY b.created_at, b.id`,
    [memberId],
  );
}
