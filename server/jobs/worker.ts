import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runTaskList, type TaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import { Pool } from "pg";
import { DAYS_LISTED } from "@/lib/articles/changed-articles";
import { NOW_MS } from "@/lib/counters";
import { endWhenLost, JOB_CONNECTIONS } from "@/lib/db";
import { env } from "@/lib/env";
import { envelope, NO_WORKSPACE, openEnvelope, type Payload, type Task } from "@/lib/jobs";
import { WEBHOOK_DAYS } from "@/lib/webhooks/deliveries";

export interface Job<T extends Task> {
  /** Unique per job and the same for every attempt: letters, digits and a hyphen, in the order of enqueueing. */
  id: string;
  workspaceId: string;
  payload: Payload<T>;
  /** Aborted when the server stops or time is up. The job then fails and runs again. */
  signal: AbortSignal;
}

/** A handler that throws runs again later, with growing pauses, for about four days. */
export type Handlers = { [T in Task]: (job: Job<T>) => Promise<void> };

export interface Worker {
  /** Takes no more jobs and gives running ones a few seconds. Settles within five seconds. */
  stop: () => Promise<void>;
}

/** Jobs one server runs at the same time. They mostly wait for others. At most twelve are bulk work (enqueue_job.sql). */
const AT_ONCE = 13;
/** How long a job may take, and how much longer when the server stops, in milliseconds. */
const JOB_MS = 60_000;
/** Backups have no end of their own. Imports and exports end themselves (lib/import-export/thread.ts), and bulk actions after a part of their articles. */
const LONG_MS: Partial<Record<Task, number>> = {
  transfer: 24 * 60 * 60_000,
  backup: 24 * 60 * 60_000,
  bulk_action: 5 * 60_000,
};
const FAREWELL_MS = 3_000;
const STOP_MS = 5_000;
/** Between two checks for due jobs. The database announces new ones. */
const POLL_MS = 2_000;
const TIDY_MS = 5 * 60_000;
/** Between two checks for due articles that have no job of their own. */
const SWEEP_MS = 60_000;
/** Milliseconds between two renewals of job locks. A server that misses three of them was killed. */
const BEAT_MS = 10_000;
const MOST_MISSED = 3;

/** Queues one job per workspace with something due, where a failed one runs again immediately. */
const sweeping = [
  `SELECT graphile_worker.add_job('publish_due', json_build_object('workspace_id', w.id, 'payload', json_build_object()),
    job_key := 'publish_due ' || w.id, job_key_mode := 'preserve_run_at')
  FROM (SELECT DISTINCT workspace_id AS id FROM articles WHERE publish_at <= now() AND NOT publish_held) w
  WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'publish_due ' || w.id AND (j.attempts = 0 OR j.locked_at IS NOT NULL))`,
  // Webhooks whose server was killed. A job ends within a minute.
  `SELECT graphile_worker.add_job('deliver_webhooks', json_build_object('workspace_id', w.id, 'payload', json_build_object()),
    job_key := 'deliver_webhooks ' || w.id, job_key_mode := 'preserve_run_at', priority := 10)
  FROM (SELECT DISTINCT d.workspace_id AS id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id AND e.active
    WHERE d.state = 'waiting' AND d.due_at <= now()) w
  WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'deliver_webhooks ' || w.id
    AND ((j.attempts = 0 AND j.locked_at IS NULL) OR j.locked_at > now() - interval '1 minute'))`,
];

/**
 * Queues one cleanup per workspace with uploads or archives, within the hour, and one deletion per workspace whose time
 * is up. The key is taken until the job starts.
 */
const recurring = [
  `
  SELECT graphile_worker.add_job('clean_uploads', json_build_object('workspace_id', w.id, 'payload', json_build_object()),
    job_key := 'clean_uploads ' || w.id, job_key_mode := 'preserve_run_at', run_at := now() + interval '1 hour')
  FROM workspaces w
  WHERE (EXISTS (SELECT FROM uploads u WHERE u.workspace_id = w.id)
      OR EXISTS (SELECT FROM transfers t WHERE t.workspace_id = w.id))
    AND NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'clean_uploads ' || w.id)`,
  `SELECT graphile_worker.add_job('delete_workspace', json_build_object('workspace_id', w.id, 'payload', json_build_object()),
    job_key := 'delete_workspace ' || w.id, job_key_mode := 'preserve_run_at')
  FROM workspaces w
  WHERE w.delete_after <= now()
    AND NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'delete_workspace ' || w.id)`,
  // A run without progress for a minute belongs to a killed server, so another server starts it again.
  `SELECT graphile_worker.add_job('transfer', json_build_object('workspace_id', t.workspace_id, 'payload', json_build_object('transferId', t.id)),
    queue_name := 'transfer ' || (hashtext(t.workspace_id::text) & 1), priority := 10,
    job_key := 'transfer ' || t.id, job_key_mode := 'preserve_run_at')
  FROM transfers t
  WHERE t.state IN ('checking', 'running') AND t.updated_at < now() - interval '1 minute' AND t.phase IS NOT NULL
    AND NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'transfer ' || t.id)`,
];

/** Looks whether a backup is due. One that failed for good starts again. */
const backingUp = `SELECT graphile_worker.add_job('backup', '${envelope("backup", NO_WORKSPACE, {})}'::json,
    job_key := 'backup', job_key_mode := 'preserve_run_at', queue_name := 'backup')
  WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'backup' AND j.attempts < j.max_attempts)`;

/** Rows one step changes in all workspaces, and in one. */
const STEP = { most: 5_000, each: 1_000 };
/** Entries whose items one step looks for in a workspace. */
const MOST_ENTRIES = 100;

/** SQL for rows of each workspace. The order changes, so that no backlog keeps others waiting. */
const fromEach = (rows: string, lock = "") => `SELECT r.ctid FROM (SELECT * FROM workspaces ORDER BY random()) w
  CROSS JOIN LATERAL (${rows} LIMIT ${STEP.each} ${lock}) r LIMIT ${STEP.most}`;

/**
 * SQL for the oldest entries past their workspace's retention, at most `most` per workspace. An entry stays while its article
 * is scheduled, because it holds who scheduled the article (lib/articles/schedule.ts).
 */
const expired = (most: number, more = "") => `SELECT a.ctid, a.id FROM audit_entries a
  WHERE a.workspace_id = w.id AND a.created_at < now() - make_interval(days => w.audit_days)
    AND NOT (a.action = 'article.scheduled' AND EXISTS (SELECT FROM articles s
      WHERE s.workspace_id = a.workspace_id AND s.id = a.subject_id AND s.publish_at IS NOT NULL))
    ${more}
  ORDER BY a.created_at LIMIT ${most} FOR UPDATE OF a SKIP LOCKED`;

const WITHOUT_ITEMS =
  "AND NOT EXISTS (SELECT FROM audit_items i WHERE i.workspace_id = a.workspace_id AND i.entry_id = a.id)";

/**
 * Forgets failed jobs after a month, and deletes what is no longer needed. Rows are found as lists, so that no plan for a nearly
 * empty table joins thousands of rows with each other.
 */
const tidying = () => [
  `DELETE FROM sessions
   WHERE expires_at < now() OR last_seen_at < now() - make_interval(days => ${env().sessionIdleDays})`,
  // A cursor counts whole days, so it may last almost a day longer.
  `DELETE FROM article_changes WHERE deleted AND changed_at < now() - interval '${DAYS_LISTED + 1} days'`,
  `DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM webhook_deliveries WHERE created_at < now() - interval '${WEBHOOK_DAYS} days' LIMIT 5000))`,
  // Kept for a while, because jobs are retried for four days and compare their request with later links.
  "DELETE FROM member_tokens WHERE expires_at < now() - interval '7 days'",
  // Skips locked rows, because waiting could deadlock with the API, which locks several in one statement.
  `DELETE FROM rate_limits WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM rate_limits WHERE expire < ${NOW_MS} - 60000 LIMIT 50000 FOR UPDATE SKIP LOCKED))`,
  // Contract 67.
  `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT 5000))`,
  // One transaction, because statements side by side would skip the rows that another one has locked. An entry can have
  // thousands of items, so the items are deleted first.
  `DELETE FROM audit_items WHERE ctid = ANY(ARRAY(${fromEach(
    `SELECT i.ctid FROM (${expired(MOST_ENTRIES)}) e JOIN audit_items i ON i.workspace_id = w.id AND i.entry_id = e.id`,
  )}));
   DELETE FROM audit_entries WHERE ctid = ANY(ARRAY(${fromEach(`SELECT e.ctid FROM (${expired(STEP.each, WITHOUT_ITEMS)}) e`)}));
   UPDATE audit_entries SET ip = NULL WHERE ctid = ANY(ARRAY(${fromEach(
     `SELECT a.ctid FROM audit_entries a
     WHERE a.workspace_id = w.id AND a.ip IS NOT NULL AND a.created_at < now() - make_interval(days => w.audit_ip_days)`,
     "FOR UPDATE SKIP LOCKED",
   )}))`,
  `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
   WHERE attempts >= max_attempts AND locked_at IS NULL AND run_at < now() - interval '30 days' HAVING count(*) > 0`,
];

/**
 * Runs the jobs in the database, beside other servers: each job runs on one server at a time. Survives outages of the
 * database, and keeps `JOB_CONNECTIONS` connections.
 * @param options.isBackingUp whether to look for due backups every few minutes
 * @param options.log reports failed jobs and outages
 * @param options.beatMs how often the locks of jobs are renewed
 */
export function startWorker(options: {
  databaseUrl: string;
  handlers: Handlers;
  isBackingUp?: boolean;
  log?: (line: string) => void;
  beatMs?: number;
}): Worker {
  const { databaseUrl, handlers, isBackingUp = false, log = console.log, beatMs = BEAT_MS } = options;
  const pool = new Pool({
    connectionString: databaseUrl,
    max: JOB_CONNECTIONS,
    application_name: "lectern jobs",
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    // With it, `pg` closes a connection when a query times out. Otherwise the next query would wait behind the lost one.
    pipeline: true,
    keepAlive: true,
    // Finds out after about a minute that the connection that listens is lost.
    keepAliveInitialDelayMillis: 60_000,
  });
  // A lost connection must not end the process. The next query fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => endWhenLost(client.on("error", () => {})));

  const stopping = new AbortController();
  const repeated = [...tidying(), ...recurring, ...sweeping, ...(isBackingUp ? [backingUp] : [])];
  const tidy = () => Promise.allSettled(repeated.map((sql) => pool.query(sql)));
  const sweep = () => Promise.allSettled(sweeping.map((sql) => pool.query(sql)));
  const locks = new Locks(pool);
  const timers = [
    setInterval(() => void tidy(), TIDY_MS),
    setInterval(() => void sweep(), SWEEP_MS),
    setInterval(() => void locks.beat(), beatMs),
  ];
  const isStopped = () => stopping.signal.aborted;
  const running = (async () => {
    while (!isStopped()) {
      await tidy();
      if (isStopped()) return;
      if ((await runUntilBroken()) === "outdated") {
        return log("Another server updated the job queue to a newer version, so this server stops running jobs.");
      }
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  let away = false;
  const reached = (is: boolean) => {
    if (away !== is) return;
    away = !is;
    log(away ? "Jobs are paused because the database is not responding." : "Jobs have resumed. The database is back.");
  };

  /** Runs the library until one of the two failures its workers don't survive. */
  async function runUntilBroken(): Promise<"broken" | "outdated"> {
    const events: WorkerEvents = new EventEmitter();
    let hasStarted = false;
    const over = new AbortController();
    const broken = new Promise<"broken">((resolve) => {
      const end = () => resolve("broken");
      stopping.signal.addEventListener("abort", end, { once: true, signal: over.signal });
      // It could not record the end of a job.
      events.on("worker:fatalError", end);
      // It could not register its tasks, and does not retry.
      events.on("worker:getJob:error", () => {
        reached(false);
        if (!hasStarted) end();
      });
    });
    const answered = () => {
      hasStarted = true;
      reached(true);
    };
    locks.own = [];
    events.on("worker:create", ({ worker }) => locks.own.push(worker.workerId));
    events.on("worker:getJob:empty", answered);
    events.on("job:start", answered);
    events.on("job:error", ({ job, error }) => {
      const again = job.attempts < job.max_attempts;
      const seconds = Math.round(Math.exp(Math.min(job.attempts, 10)));
      const next = again ? `It will be retried in ${duration(seconds)}.` : "It will not be retried.";
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
      log(`The job ${job.task_identifier} ${job.id} failed, try ${job.attempts}: ${reason} ${next}`);
    });
    const workers = runTaskList(
      {
        schema: "graphile_worker",
        concurrency: AT_ONCE,
        pollInterval: POLL_MS,
        gracefulShutdownAbortTimeout: FAREWELL_MS,
        noHandleSignals: true,
        logger: new Logger(() => () => {}),
        events,
      },
      tasksOf(handlers, pool),
      pool,
    );
    // They end themselves only after the library's tables were changed.
    const end = await Promise.race([broken, ended(workers)]);
    over.abort();
    // Without the database the end of a job cannot be recorded.
    await (away ? workers.forcefulShutdown("The database is not responding.") : workers.gracefulShutdown());
    return end;
  }

  let left: Promise<void> | undefined;
  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      left ??= running.then(() => pool.end());
      await Promise.race([left, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * The locks of jobs and queues. The library keeps a killed server's locks for four hours, and a queue that it locked would
 * stop for every workspace. So each server renews its own locks, and frees those that no server renews.
 */
class Locks {
  /** The workers of this server. */
  own: string[] = [];
  private seen = new Map<string, { at: string; missed: number }>();
  private isBeating = false;

  constructor(private readonly pool: Pool) {}

  async beat(): Promise<void> {
    // After an outage, beats that waited for the database would follow each other immediately.
    if (this.isBeating) return;
    this.isBeating = true;
    try {
      await this.pool.query(renewing, [this.own]);
      const { rows } = await this.pool.query<{ by: string; at: string }>(held, [this.own]);
      this.seen = new Map(
        rows.map(({ by, at }) => {
          const before = this.seen.get(by);
          return [by, { at, missed: before?.at === at ? before.missed + 1 : 0 }];
        }),
      );
      const dead = [...this.seen].filter(([, { missed }]) => missed >= MOST_MISSED).map(([by]) => by);
      if (dead.length > 0) await this.pool.query("SELECT graphile_worker.force_unlock_workers($1)", [dead]);
    } catch {
      // Other servers could not renew theirs either.
      this.seen.clear();
    } finally {
      this.isBeating = false;
    }
  }
}

const renewing = `
  WITH jobs AS (UPDATE graphile_worker._private_jobs SET locked_at = now() WHERE locked_by = ANY($1::text[]))
  UPDATE graphile_worker._private_job_queues SET locked_at = now() WHERE locked_by = ANY($1::text[])`;
const held = `
  SELECT locked_by AS by, max(locked_at)::text AS at FROM (
    SELECT locked_by, locked_at FROM graphile_worker._private_jobs
    UNION ALL SELECT locked_by, locked_at FROM graphile_worker._private_job_queues
  ) l WHERE locked_by <> ALL($1::text[]) GROUP BY locked_by`;

/** Not `async`: the library's object is a promise too, which must not be awaited. */
const ended = (workers: WorkerPool) => workers.promise.then(() => "outdated" as const);

function tasksOf(handlers: Handlers, pool: Pool): TaskList {
  const taskOf =
    <T extends Task>(task: T): TaskList[string] =>
    async (stored, { job, abortSignal }) => {
      const stopped = abortSignal as AbortSignal;
      const id = `${job.created_at.toISOString().replace(/[-:.]/g, "")}-${job.id}`;
      try {
        const ms = LONG_MS[task] ?? JOB_MS;
        const signal = AbortSignal.any([stopped, AbortSignal.timeout(ms)]);
        await withDeadline(handlers[task]({ id, ...openEnvelope(task, stored), signal }), stopped, ms);
      } finally {
        await untilAnswered(pool, stopped);
      }
    };
  return Object.fromEntries((Object.keys(handlers) as Task[]).map((task) => [task, taskOf(task)]));
}

function withDeadline(work: Promise<void>, stopped: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("The server stopped while it was running."));
    const late = setTimeout(() => reject(new Error(`It took longer than ${ms / 1000} seconds.`)), ms);
    stopped.addEventListener("abort", stop);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(late);
      stopped.removeEventListener("abort", stop);
    });
  });
}

/** Recording the end of a job needs the database. Otherwise the job would run twice. */
async function untilAnswered(pool: Pool, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      await pool.query("SELECT 1");
      return;
    } catch {
      await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => {});
    }
  }
}

function duration(seconds: number): string {
  if (seconds < 100) return `${seconds} seconds`;
  return seconds < 6_000 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
