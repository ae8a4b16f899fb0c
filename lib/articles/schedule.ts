import { z } from "zod";
import { checkedSummary, publishArticles, savedSince } from "@/lib/articles/publish";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue, type Payload } from "@/lib/jobs";

const MOST_DAYS = 3 * 366;

/**
 * Schedules an article: its draft at that time is published once, even after a restart. A change by someone without publishing
 * rights puts it on hold (lib/articles/hold.ts).
 * @param at null ends the schedule
 * @param options.revision that the member has seen. Refused when someone has saved since
 * @throws InvalidError about `revision`, `summary` or `at`, NotFoundError
 */
export async function schedulePublishing(
  db: Db,
  id: string,
  at: Date | null,
  actor: Actor,
  { revision, summary: said }: { revision?: number; summary?: string | null } = {},
): Promise<void> {
  const summary = checkedSummary(said);
  const [article] = z.guid().safeParse(id).success
    ? await readingOf(db)<{ title: string; revision: number; publishAt: Date | null; hasDraft: boolean }>(
        `SELECT title, revision, publish_at AS "publishAt",
           state = 'draft' OR EXISTS (SELECT FROM article_drafts d WHERE d.id = a.id) AS "hasDraft"
         FROM articles a WHERE id = $1::uuid FOR UPDATE`,
        [id],
      )
    : [];
  if (!article) throw new NotFoundError("This article was deleted.");
  const subject = { kind: "article", id, name: article.title };
  if (at === null) {
    if (article.publishAt === null) return;
    await db.article.updateMany({ where: { id }, data: { publishAt: null, publishHeld: false } });
    return recordAudit(db, actor, "article.schedule_ended", subject);
  }
  const days = (at.getTime() - Date.now()) / 86_400_000;
  const refuse = (message: string) => new InvalidError([{ field: "at", code: "invalid", message }]);
  if (!(days > 0)) throw refuse("This time has passed. Choose a later time or publish now.");
  if (days > MOST_DAYS) throw refuse("This is more than 3 years away. Choose an earlier time.");
  if (!article.hasDraft) throw refuse("There are no changes to publish.");
  if (revision !== undefined && article.revision !== revision) throw savedSince();
  await db.article.updateMany({ where: { id }, data: { publishAt: at, publishHeld: false } });
  // The job is exact to the second. A sweep finds everything else that is due (publishDue).
  if (actor.kind === "member" && actor.id) {
    const by = { id: actor.id, name: actor.name };
    await enqueue(
      db,
      "publish_scheduled",
      { articleId: id, at: at.toISOString(), by, ...(summary && { summary }) },
      at,
    );
  }
  await recordAudit(db, actor, "article.scheduled", subject, { at: at.toISOString(), ...(summary && { summary }) });
}

/**
 * Runs the job of a schedule, unless the article was rescheduled, published, deleted or put on hold. With nothing left to
 * publish, the schedule ends.
 */
export function publishScheduled(
  workspaceId: string,
  { articleId, at, by, summary }: Payload<"publish_scheduled">,
): Promise<void> {
  return publishAt(workspaceId, articleId, new Date(at), { kind: "member", id: by.id, name: by.name }, summary);
}

async function publishAt(
  workspaceId: string,
  articleId: string,
  dueAt: Date,
  actor: Actor,
  summary: string | null | undefined,
): Promise<void> {
  try {
    await publishArticles(workspaceId, [articleId], actor, { dueAt, summary });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  await inWorkspace(workspaceId, async (db) => {
    const [ended] = await db.$queryRaw<{ title: string }[]>`
      UPDATE articles a SET publish_at = NULL
      WHERE a.id = ${articleId}::uuid AND a.publish_at = ${dueAt} AND NOT a.publish_held AND a.state = 'published'
        AND NOT EXISTS (SELECT FROM article_drafts d WHERE d.workspace_id = a.workspace_id AND d.id = a.id)
      RETURNING a.title`;
    if (!ended) return;
    await recordAudit(db, actor, "article.schedule_ended", { kind: "article", id: articleId, name: ended.title });
  });
}

/** SQL of the member who chose the time of a scheduled article, and their note, from the audit log. */
const chosenBy = `LEFT JOIN LATERAL (
    SELECT json_build_object('id', e.actor_id, 'name', e.actor_name) AS by, e.details->>'summary' AS summary
    FROM audit_entries e
    WHERE e.action = 'article.scheduled' AND e.subject_id = a.id AND e.actor_kind = 'member'
      AND e.details->>'at' = to_char(a.publish_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      AND EXISTS (SELECT FROM members m WHERE m.id = e.actor_id)
    ORDER BY e.created_at DESC, e.id LIMIT 1
  ) s ON true`;

/** Null if no current member chose the time, such as after an import. */
export async function findScheduler(read: Read, id: string): Promise<{ name: string; summary: string | null } | null> {
  const [article] = await read<{ name: string; summary: string | null }>(
    `SELECT concat_ws(' ', m.first_name, m.last_name) AS name, s.summary FROM articles a ${chosenBy}
     JOIN members m ON m.id = (s.by->>'id')::uuid WHERE a.id = $1::uuid AND a.publish_at IS NOT NULL`,
    [id],
  );
  return article ?? null;
}

/** One sweep publishes at most this many. The next follows a minute later. */
const MOST_DUE = 100;
/** Milliseconds in which a sweep starts articles, so that the last one ends before the job's time limit. */
const SWEEP_MS = 50_000;
const schedule: Actor = { kind: "system", id: null, name: "Schedule" };

/**
 * Publishes what is due and has no job, as after an import, or whose job failed. A failure is logged, delays no other article,
 * and is tried again by the next sweep a minute later (server/jobs/worker.ts). No article is started after `signal`.
 */
export async function publishDue(workspaceId: string, signal: AbortSignal): Promise<void> {
  const due = await readWorkspace(workspaceId, (read) =>
    read<{ articleId: string; at: Date; by: { id: string; name: string } | null; summary: string | null }>(
      `SELECT a.id::text AS "articleId", a.publish_at AS at, s.by, s.summary FROM articles a ${chosenBy}
       WHERE a.publish_at <= now() AND NOT a.publish_held ORDER BY a.publish_at, a.id LIMIT ${MOST_DUE}`,
    ),
  );
  const over = AbortSignal.any([signal, AbortSignal.timeout(SWEEP_MS)]);
  for (const { articleId, at, by, summary } of due) {
    if (over.aborted) return;
    try {
      await publishAt(workspaceId, articleId, at, by ? { kind: "member", ...by } : schedule, summary);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
      console.error(
        `The article ${articleId} was not published on schedule: ${reason} Publishing will be retried in a minute.`,
      );
    }
  }
}
