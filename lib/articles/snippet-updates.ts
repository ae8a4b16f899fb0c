import { setTimeout } from "node:timers/promises";
import { writeDerived } from "@/lib/articles/write-texts";
import { derivedFrom } from "@/lib/articles/written-body";
import type { DerivedText } from "@/lib/content/derive";
import { type Db, inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { log } from "@/lib/log";
import { reindexArticles } from "@/lib/search/reindex";

/** Articles per transaction. */
const FEW = 10;
/** How long a job works before other workspaces get their turn. One text takes at most ten seconds more. */
const JOB_MS = 40_000;
const SECONDS = 60;

/**
 * Derives published texts again after their snippets changed, with their search documents. Work that was stopped continues
 * later. A text that is too long with its snippets, or takes too long, stays as it is.
 */
export async function updateSnippets(workspaceId: string, stop: AbortSignal): Promise<void> {
  const until = performance.now() + JOB_MS;
  for (;;) {
    const next = await readWorkspace(workspaceId, nextOf, SECONDS);
    if (next.length === 0) return;
    if (performance.now() > until) {
      await inWorkspace(workspaceId, (db) => enqueue(db, "update_snippets", {}));
      return;
    }
    stop.throwIfAborted();
    const started = performance.now();
    const derived: { id: string; hash: string; body: DerivedText }[] = [];
    const done: Waiting[] = [];
    for (const one of next) {
      if (done.length > 0 && (performance.now() > until || stop.aborted)) break;
      done.push(one);
      const { id, hash, html } = one;
      if (hash === null || html === null) continue;
      const body = await derivedAgain(workspaceId, id, html);
      if (body) derived.push({ id, hash, body });
    }
    await inWorkspace(workspaceId, (db) => store(db, done, derived), SECONDS);
    // Leaves half of the time to requests.
    const pause = Math.min(performance.now() - started, Math.max(until - performance.now(), 0));
    await setTimeout(pause, undefined, { signal: stop }).catch(() => {});
  }
}

interface Waiting {
  id: string;
  stamp: string;
  /** Null if readers don't see it anymore. */
  html: string | null;
  hash: string | null;
}

const nextOf = (read: Read) =>
  read<Waiting>(
    `SELECT u.id::text, u.stamp::text, l.html, md5(l.html) AS hash
     FROM snippet_updates u LEFT JOIN article_live l ON l.workspace_id = u.workspace_id AND l.id = u.id
     ORDER BY u.id LIMIT ${FEW}`,
  );

async function derivedAgain(workspaceId: string, id: string, html: string): Promise<DerivedText | null> {
  try {
    return await derivedFrom(workspaceId, html);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    log().warn(
      { workspaceId, articleId: id, reason: error.message },
      "An article kept its text after a snippet changed.",
    );
    return null;
  }
}

async function store(
  db: Db,
  done: readonly Waiting[],
  derived: readonly { id: string; hash: string; body: DerivedText }[],
): Promise<void> {
  const ids = derived.map(({ id }) => id);
  // Articles before their texts, in the order in which writers lock them.
  await db.$executeRaw`SELECT id FROM articles WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const changed = await writeDerived(db, derived);
  if (changed.length > 0) await reindexArticles(db, changed);
  // In the order in which changes of snippets lock these rows.
  await db.$executeRaw`
    DELETE FROM snippet_updates WHERE id IN (
      SELECT u.id FROM snippet_updates u
      JOIN unnest(${done.map(({ id }) => id)}::uuid[], ${done.map(({ stamp }) => stamp)}::uuid[]) AS g(id, stamp)
        ON u.id = g.id AND u.stamp = g.stamp
      ORDER BY u.id FOR UPDATE OF u
    )`;
}
