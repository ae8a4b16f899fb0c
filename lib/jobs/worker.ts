import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runTaskList, type TaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import { Pool } from "pg";
import { JOB_CONNECTIONS } from "@/lib/db";
import { openEnvelope, type Payload, type Task } from "@/lib/jobs";

/** One job, as the handler of its task gets it. */
export interface Job<T extends Task> {
  /** The same for every try, and of no other job: letters, digits and a hyphen, in the order of enqueueing. */
  id: string;
  workspaceId: string;
  payload: Payload<T>;
  /** Aborted when the server stops or the job's time is over: the job counts as failed then, and is done again. */
  signal: AbortSignal;
}

/** What is done for each task. A handler that throws is called again later, with growing pauses, for about four days. */
export type Handlers = { [T in Task]: (job: Job<T>) => Promise<void> };

export interface Worker {
  /** Takes no more jobs, gives those at work a few seconds, leaves the rest to others; settles within five seconds. */
  stop: () => Promise<void>;
}

/** How many jobs one server does at once; they wait for others most of the time. */
const AT_ONCE = 4;
/** How long a job may take, and how long one is let go on when the server stops, in milliseconds. */
const JOB_MS = 60_000;
/** Those that may take longer; others get what is held for ten minutes. */
const LONG_MS: Partial<Record<Task, number>> = { transfer: 9 * 60_000 };
const FAREWELL_MS = 3_000;
/** How long `stop` takes at most, in milliseconds. */
const STOP_MS = 5_000;
/** Between two looks for jobs whose time has come; new ones are announced by the database. */
const POLL_MS = 2_000;
const TIDY_MS = 5 * 60_000;
/** Between two looks for articles whose time has come: at most so much later is published what has no job of its own. */
const SWEEP_MS = 60_000;

/**
 * Each workspace in which something is due has one job that publishes it, whichever server asks first. One that failed,
 * and would be tried again after a pause, is done at once: nobody waits longer for what is due.
 */
const sweeping = `
  SELECT graphile_worker.add_job('publish_due', json_build_object('workspace_id', w.id, 'payload', json_build_object()),
    job_key := 'publish_due ' || w.id, job_key_mode := 'preserve_run_at')
  FROM (SELECT DISTINCT workspace_id AS id FROM articles WHERE publish_at <= now() AND NOT publish_held) w
  WHERE NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'publish_due ' || w.id AND (j.attempts = 0 OR j.locked_at IS NOT NULL))`;

/**
 * Each workspace with uploads or archives has one job that waits to clean them, due within the hour, and each whose time is
 * over one that deletes it, whichever server asks first: its key is taken until the job is begun. A server that is stopped
 * meanwhile leaves it to the others.
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
];

/**
 * A job is held for longer than one may take only by a server that was killed: others get it. What failed for good is
 * kept for a month, for whoever wants to know.
 */
const tidying = [
  `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
   WHERE locked_at < now() - interval '10 minutes' HAVING count(*) > 0`,
  `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
   WHERE attempts >= max_attempts AND locked_at IS NULL AND run_at < now() - interval '30 days' HAVING count(*) > 0`,
];

/**
 * Does the jobs that wait in the database, beside any number of other servers: each job is one server's at a time.
 * A database that is away is waited for. The process is never ended, and keeps `JOB_CONNECTIONS` connections for this.
 *
 * @param log hears of jobs that fail, and of the database going and coming back
 */
export function startWorker(options: {
  databaseUrl: string;
  handlers: Handlers;
  log?: (line: string) => void;
}): Worker {
  const { databaseUrl, handlers, log = console.log } = options;
  const pool = new Pool({
    connectionString: databaseUrl,
    max: JOB_CONNECTIONS,
    application_name: "lectern jobs",
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    keepAlive: true,
  });
  // A lost connection must not end the process; the next query says so.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  const stopping = new AbortController();
  const tidy = () => Promise.allSettled([...tidying, ...recurring, sweeping].map((sql) => pool.query(sql)));
  const timers = [
    setInterval(() => void tidy(), TIDY_MS),
    // The database that is away is asked again a minute later.
    setInterval(() => void pool.query(sweeping).catch(() => {}), SWEEP_MS),
  ];
  const isStopped = () => stopping.signal.aborted;
  const running = (async () => {
    while (!isStopped()) {
      await tidy();
      // Stopped meanwhile, which is announced once.
      if (isStopped()) return;
      if ((await runUntilBroken()) === "outdated") {
        return log("Another server has brought the jobs to a newer version: this one does no more of them.");
      }
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  let away = false;
  const reached = (is: boolean) => {
    if (away !== is) return;
    away = !is;
    log(away ? "Jobs wait: the database does not answer." : "Jobs go on: the database is back.");
  };

  /** The library lives with most failures, and its workers die of two: those are answered by new ones. */
  async function runUntilBroken(): Promise<"broken" | "outdated"> {
    const events: WorkerEvents = new EventEmitter();
    let begun = false;
    const over = new AbortController();
    const broken = new Promise<"broken">((resolve) => {
      const end = () => resolve("broken");
      stopping.signal.addEventListener("abort", end, { once: true, signal: over.signal });
      // It could not write down how a job ended.
      events.on("worker:fatalError", end);
      // It could not register its tasks, and would not try again.
      events.on("worker:getJob:error", () => {
        reached(false);
        if (!begun) end();
      });
    });
    const answered = () => {
      begun = true;
      reached(true);
    };
    events.on("worker:getJob:empty", answered);
    events.on("job:start", answered);
    events.on("job:error", ({ job, error }) => {
      const again = job.attempts < job.max_attempts;
      const seconds = Math.round(Math.exp(Math.min(job.attempts, 10)));
      const next = again ? `It is tried again in ${duration(seconds)}.` : "It is not tried again.";
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
    // They end by themselves only when the library's tables were changed under them.
    const end = await Promise.race([broken, ended(workers)]);
    over.abort();
    // Without the database nobody can be waited for: what is at work cannot be written down.
    await (away ? workers.forcefulShutdown("The database does not answer.") : workers.gracefulShutdown());
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

/** Not `async`: the library's object is a promise too, which must not be waited for. */
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
    const stop = () => reject(new Error("The server stopped meanwhile."));
    const late = setTimeout(() => reject(new Error(`It took longer than ${ms / 1000} seconds.`)), ms);
    stopped.addEventListener("abort", stop);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(late);
      stopped.removeEventListener("abort", stop);
    });
  });
}

/** How a job ended can be written down only when the database is there; else it would be done a second time. */
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
