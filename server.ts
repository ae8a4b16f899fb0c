import cluster from "node:cluster";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { format } from "node:util";
import { setFlagsFromString } from "node:v8";
import next from "next";
import { flushSearches } from "@/lib/analytics/search-log";
import { flushSearchOpens } from "@/lib/analytics/search-opens";
import { keepForgettingSalts } from "@/lib/analytics/viewers";
import { flushViews } from "@/lib/analytics/views";
import { acrossWorkspaces, closeConnections } from "@/lib/db";
import { type Env, readEnv } from "@/lib/env";
import { removeLeftFolders } from "@/lib/import-export/folders";
import { log, logConsole, openLog, standardOutput } from "@/lib/log";
import { mailDelivery } from "@/lib/mail/mail";
import { collectAfterRequests } from "@/lib/threads/priority";
import { closeServer } from "@/server/close";
import { frontDoor } from "@/server/front-door";
import { answerUnparsed } from "@/server/front-door/arrival";
import { readerScripts } from "@/server/front-door/scripts";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { countMetrics, metricsOfAll, serveMetrics } from "@/server/metrics";
import { migrate } from "@/server/migrate";
import { type OpenDatabase, openDatabase, withLibpqModes } from "@/server/postgres";
import { replicaState } from "@/server/postgres/wait";
import { joinProcesses, startProcesses } from "@/server/processes";
import { loadSecrets } from "@/server/secrets";

/** After SIGTERM, in milliseconds: how long a load balancer has to read /readyz and send its requests elsewhere. */
const NOTICE_MS = 2_000;
/** After a signal: when the process ends in any case. */
const STOP_MS = 9_500;
/** In bytes: more than the longest URL, so that 414 can be answered (contract 29). */
const HEAD_LIMIT = 64 * 1024;
/** How long the head of a request may take to arrive, and how often that is checked, in milliseconds. */
const HEAD_MS = 10_000;
const HEAD_CHECK_MS = 2_000;
/** How long the whole request may take, such as a file on a slow line. Other bodies have less time (server/front-door/arrival.ts). */
const ARRIVAL_MS = 60 * 60_000;
/** Longer than proxies keep connections (60 s), so that no request arrives on one that is being closed. */
const KEEP_ALIVE_MS = 75_000;
/** Further connections are closed immediately. Each one takes memory and counts toward the process's limit of open files. */
const MOST_CONNECTIONS = 5_000;

/** How much the heap may grow between collections. V8 allows up to 300% by default. */
const HEAP_GROWTH_PERCENT = 60;

async function start(): Promise<void> {
  collectAfterRequests();
  const settings = readEnv(process.env);
  const development = settings.nodeEnv !== "production";
  if (!development) setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const { authSecret } = await loadSecrets({
    dataDir: settings.dataDir,
    production: !development && !process.env.QUICKSTART,
    env: process.env,
  });
  const say = startLog(settings);
  if (settings.nodeEnv === "production" && !settings.quickstart && !settings.smtpUrl && cluster.isPrimary)
    say("SMTP_URL is not set, so mail is written to files. Set it to let Lectern send mail.");
  const database = await openDatabase({ ...settings, log: say });
  try {
    await migrate(database.directUrl, { log: say, setting: settings.directSetting });
    const direct = database.url === database.directUrl ? database.nearUrl : database.directUrl;
    const replicaUrl = settings.replicaUrl && withLibpqModes(settings.replicaUrl);
    const replica = replicaUrl && cluster.isPrimary ? await replicaState(replicaUrl, database.directUrl) : null;
    if (replica && "away" in replica)
      say(`The replica in DATABASE_REPLICA_URL can't be used (${replica.away}), so the primary answers its reads.`);
    completeEnvironment(settings, {
      DATABASE_URL: database.nearUrl,
      DATABASE_DIRECT_URL: direct,
      DATABASE_REPLICA_URL: replicaUrl ?? "",
      AUTH_SECRET: authSecret,
    });
    if (settings.processes > 1 && cluster.isPrimary) return await serveTogether(settings, database, say);
    // In production Next gets a server that never listens. On ours it would add a listener for upgrades, which leaves
    // requests that offer one (h2c) unanswered.
    const httpServer = development ? undefined : createServer();
    // Without our host: Next takes 127.0.0.1 for a host other than localhost, and would request itself for every
    // rewritten page.
    const scripts = readerScripts(development ? null : join(process.cwd(), "dist/scripts"));
    let isStopping = () => false;
    if (!development) await useBuiltConfig();
    const app = next({ dev: development, port: settings.port, httpServer });
    await app.prepare();
    const server = createServer(
      // The front door answers requests without a host.
      {
        maxHeaderSize: HEAD_LIMIT,
        headersTimeout: HEAD_MS,
        connectionsCheckingInterval: HEAD_CHECK_MS,
        requestTimeout: ARRIVAL_MS,
        requireHostHeader: false,
      },
      frontDoor(
        settings,
        app.getRequestHandler(),
        async () => {
          if (isStopping()) return "Lectern is stopping.";
          await acrossWorkspaces.query("SELECT 1");
          return null;
        },
        scripts,
      ),
    );
    server.maxConnections = MOST_CONNECTIONS;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.on("clientError", answerUnparsed);
    // Without this, Node refuses unknown expectations itself.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    await listen(server, settings);
    const metricsNow = settings.metrics && countMetrics(jobsWaiting);
    const metrics =
      settings.metrics && metricsNow && cluster.isPrimary ? await serveMetrics(settings.metrics, metricsNow) : null;
    const tell = (line: string) => log().info(line);
    const handlers = jobHandlers({ deliver: mailDelivery(settings, tell), baseUrl: settings.baseUrl });
    const worker =
      settings.jobs &&
      startWorker({
        databaseUrl: direct,
        handlers,
        isBackingUp: settings.backups !== undefined,
        log: tell,
      });
    for (const kind of ["import", "backup"] as const)
      removeLeftFolders(settings.dataDir, kind).catch((error: unknown) =>
        log().error({ err: error }, `Leftover ${kind} files could not be removed.`),
      );
    const stopping = stopOnSignal(
      server,
      async () => {
        if (worker) await worker.stop();
      },
      async () => {
        metrics?.close();
        await app.close();
        await Promise.all([flushSearches(), flushSearchOpens(), flushViews()]);
        await closeConnections();
        await database.release();
      },
      // Nobody balances a quickstart, or what Ctrl+C stops.
      development || settings.quickstart ? 0 : NOTICE_MS,
    );
    isStopping = stopping.isNoticed;
    keepForgettingSalts();
    // Not earlier: people should read why it does not start.
    if (!development) logConsole();
    if (cluster.isWorker) joinProcesses(stopping.leave);
    else say(`Lectern is ready at ${settings.baseUrl}`);
  } catch (error) {
    await database.release();
    throw error;
  }
}

/** Serves the port with several processes. This one only watches them. */
async function serveTogether(settings: Env, database: OpenDatabase, say: (line: string) => void): Promise<void> {
  const metrics = settings.metrics && (await serveMetrics(settings.metrics, metricsOfAll()));
  const processes = startProcesses(settings.processes, say);
  const stopping = new AbortController();
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await processes.stop(signal);
    metrics?.close();
    await closeConnections();
    await database.release();
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
  process.on("SIGHUP", () => void processes.restart());
  await processes.started.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (stopping.signal.aborted) return;
  logConsole();
  say(`Lectern is ready at ${settings.baseUrl}`);
}

const jobsWaiting = () =>
  acrossWorkspaces.query<{ task: string; count: number }>(
    `SELECT task_identifier AS task, count(*)::int AS count FROM graphile_worker.jobs
     WHERE run_at <= now() AND locked_at IS NULL AND attempts < max_attempts GROUP BY 1`,
  );

/**
 * JSON for production, text for quickstart and development.
 * @returns writes a line for the operator
 */
function startLog({ nodeEnv, logLevel: level }: Env): (line: string) => void {
  const json = nodeEnv === "production" && !process.env.QUICKSTART;
  openLog({
    level,
    format: json ? "json" : "text",
    write: json ? standardOutput() : (line) => process.stdout.write(line),
  });
  if (!json) return console.log;
  // Next writes there that it read its settings.
  console.log = (...said: unknown[]) => log().info({ source: "console" }, format(...said));
  return (line) => log().info(line);
}

/** Gives Next its built config, as the server of Next's standalone build does. Otherwise, Next loads its compiler, which takes 24 MB. */
async function useBuiltConfig(): Promise<void> {
  const built = JSON.parse(await readFile(".next/required-server-files.json", "utf8")) as { config: object };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(built.config);
}

/** Completes the environment for code that reads it directly: lib/env.ts, the middleware and Next. */
function completeEnvironment(
  settings: Env,
  found: Record<"DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATABASE_REPLICA_URL" | "AUTH_SECRET", string>,
): void {
  Object.assign(process.env, found, {
    BASE_URL: settings.baseUrl,
    NEXT_TELEMETRY_DISABLED: "1",
  });
  // Next requests the target of an action's redirect here, instead of wherever the Host header points.
  const host = settings.host?.includes(":") ? `[${settings.host}]` : (settings.host ?? "127.0.0.1");
  process.env.__NEXT_PRIVATE_ORIGIN = `http://${host}:${settings.port}`;
}

function listen(server: Server, { host, port }: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const elsewhere = `HOST is "${host}", which isn't an address of this machine. Set one such as 127.0.0.1, or unset it.`;
      const problems: Record<string, string> = {
        EADDRINUSE: `Port ${port} is in use. Stop the program that uses it, or choose another port with PORT=${port + 1}.`,
        EACCES: `Only root can use port ${port}. Choose one above 1023 with PORT, and put a proxy in front.`,
        ENOTFOUND: elsewhere,
        EADDRNOTAVAIL: elsewhere,
      };
      const problem = problems[error.code ?? ""];
      reject(problem ? new Error(problem) : error);
    });
    server.listen(port, host, resolve);
  });
}

/**
 * On SIGTERM and SIGINT: takes no more jobs (`rest`), and after `notice` milliseconds no more connections, finishes the requests
 * in flight, closes, ends.
 * @param notice not given after Ctrl+C
 * @returns `isNoticed`: whether /readyz reports the stop. `leave`: stops this process while others continue
 */
function stopOnSignal(
  server: Server,
  rest: () => Promise<unknown>,
  close: () => Promise<void>,
  notice: number,
): { isNoticed: () => boolean; leave: () => void } {
  let reason: NodeJS.Signals | "leave" | null = null;
  const stop = async (why: NodeJS.Signals | "leave") => {
    if (reason) return;
    reason = why;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    const rested = rest();
    await closeServer(server, why === "SIGTERM" ? notice : 0);
    await rested;
    await close();
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
  // Several processes are replaced after it, and a single one must not end. A closed terminal ends it.
  if (cluster.isWorker || !process.stdout.isTTY) process.on("SIGHUP", () => {});
  return { isNoticed: () => reason !== null && reason !== "leave", leave: () => void stop("leave") };
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
