import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { GET as unknownPath } from "@/app/api/[...path]/route";
import { routes as v1 } from "@/app/api/external/v1/routes";
import { routes as v2 } from "@/app/api/external/v2/routes";
import { serveApi } from "@/lib/api/http";
import { acrossWorkspaces, closeConnections } from "@/lib/db";
import { type Env, readEnv } from "@/lib/env";
import {
  answerUnparsed,
  isApi,
  isForeignChange,
  isMalformed,
  isOverlong,
  settleForwarded,
  settleTarget,
} from "@/lib/front-door";
import { boundArrival } from "@/lib/front-door/arrival";
import { keepPages } from "@/lib/front-door/kept";
import { tellMoved, tellScriptMoved } from "@/lib/front-door/moved";
import { observe } from "@/lib/front-door/observe";
import { tellOutage } from "@/lib/front-door/outage";
import { pageNames } from "@/lib/front-door/pages";
import { varyByAccept } from "@/lib/front-door/vary";
import { noteViewOf } from "@/lib/front-door/viewed";
import { jobHandlers } from "@/lib/jobs/handlers";
import { startWorker } from "@/lib/jobs/worker";
import { log, logConsole, openLog, standardOutput } from "@/lib/log";
import { mailDelivery } from "@/lib/mail";
import { serveMetrics } from "@/lib/metrics";
import { migrate } from "@/lib/migrate";
import { openDatabase } from "@/lib/postgres";
import { currentRequest } from "@/lib/request";
import { flushSearches } from "@/lib/searches";
import { loadSecrets } from "@/lib/secrets";
import { SESSION_COOKIE } from "@/lib/session/cookie";
import { answering } from "@/lib/status";
import { removeLeftFolders } from "@/lib/transfers/folders";
import { keepForgettingSalts } from "@/lib/viewers";
import { flushViews } from "@/lib/views";
import { contentVersionOf, reindexOutdated } from "@/lib/workspaces";
import { addressNow } from "@/lib/workspaces/former";

/** After a signal, in milliseconds: how long open connections are left alone, how long their requests may then take, */
const FAREWELL_MS = 1_000;
const DRAIN_MS = 6_000;
/** and when the process ends whatever happens. */
const STOP_MS = 9_500;
/** The most bytes of a request's head: well over the longest address, so that 414 can be answered (contract 29). */
const HEAD_LIMIT = 64 * 1024;
/** How long the head of a request may take to arrive, in milliseconds, */
const HEAD_MS = 60_000;
/** and how long all of it at most: a file on a slow line. What else has less is in lib/front-door/arrival.ts. */
const ARRIVAL_MS = 60 * 60_000;
/** How long the database may take to say that it is there, in milliseconds. */
const READY_MS = 2_000;

async function start(): Promise<void> {
  const settings = readEnv(process.env);
  const development = settings.nodeEnv !== "production";
  const { authSecret } = await loadSecrets({
    dataDir: settings.dataDir,
    // `npm run quickstart` runs what production does, but asks nobody for a secret.
    production: !development && !process.env.QUICKSTART,
    env: process.env,
  });
  startLog(settings);
  const database = await openDatabase({ ...settings, log: console.log });
  try {
    await migrate(database.url, { log: console.log });
    completeEnvironment(settings, { DATABASE_URL: database.url, AUTH_SECRET: authSecret });
    // In production Next is given a server that never listens: on ours it would hang a listener for upgrades, which leaves
    // every request that offers one (h2c, as some clients do on each) without an answer.
    const httpServer = development ? undefined : createServer();
    // Not told the address we listen on: Next takes 127.0.0.1 for another host than localhost, and would ask itself again
    // and again for every page that the middleware rewrites.
    const app = next({ dev: development, port: settings.port, httpServer });
    await app.prepare();
    const server = createServer(
      // Without a host, we answer it ourselves.
      { maxHeaderSize: HEAD_LIMIT, headersTimeout: HEAD_MS, requestTimeout: ARRIVAL_MS, requireHostHeader: false },
      frontDoor(settings, app.getRequestHandler()),
    );
    server.on("clientError", answerUnparsed);
    // An expectation we do not know is none we break: without this, Node answers by itself.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    await listen(server, settings);
    const metrics = settings.metrics && (await serveMetrics(settings.metrics));
    const tell = (line: string) => log().info(line);
    const handlers = jobHandlers({ deliver: mailDelivery(settings, tell), baseUrl: settings.baseUrl });
    const worker = startWorker({ databaseUrl: database.url, handlers, log: tell });
    removeLeftFolders(settings.dataDir).catch((error: unknown) =>
      log().error({ err: error }, "What an import left behind could not be removed."),
    );
    const stopping = new AbortController();
    const reindexed = reindexOutdated({
      tell: (line, error) => (error ? log().error({ err: error }, line) : tell(line)),
      signal: stopping.signal,
    });
    const rest = () => {
      stopping.abort();
      return Promise.all([worker.stop(), reindexed]);
    };
    stopOnSignal(server, rest, async () => {
      metrics?.close();
      await app.close();
      await Promise.all([flushSearches(), flushViews()]);
      await closeConnections();
      await database.release();
    });
    keepForgettingSalts();
    // From here on; before, people are told why it does not start.
    if (!development) logConsole();
    console.log(`Lectern is ready at ${settings.baseUrl}`);
  } catch (error) {
    await database.release();
    throw error;
  }
}

/** Programs read what production says, people what quickstart and development do. */
function startLog({ nodeEnv, logLevel: level }: Env): void {
  const json = nodeEnv === "production" && !process.env.QUICKSTART;
  openLog({
    level,
    format: json ? "json" : "text",
    write: json ? standardOutput() : (line) => process.stdout.write(line),
  });
}

/** What is told to everything that reads the environment by itself: lib/env.ts, the middleware, Next and next-auth. */
function completeEnvironment(settings: Env, found: { DATABASE_URL: string; AUTH_SECRET: string }): void {
  // The host of a request is checked against the known workspaces before next-auth is asked, and no one address is ours.
  Object.assign(process.env, found, {
    BASE_URL: settings.baseUrl,
    AUTH_TRUST_HOST: "true",
    NEXT_TELEMETRY_DISABLED: "1",
  });
  delete process.env.NEXTAUTH_URL;
  // Where Next itself asks for the page that an action redirects to; otherwise at whatever address the Host header names.
  const host = settings.host?.includes(":") ? `[${settings.host}]` : (settings.host ?? "127.0.0.1");
  process.env.__NEXT_PRIVATE_ORIGIN = `http://${host}:${settings.port}`;
}

/** What every request passes before Next sees it. */
function frontDoor(settings: Env, next: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const api = serveApi(
    [
      { prefix: "/api/external/v1", paths: v1 },
      { prefix: "/api/external/v2", paths: v2 },
    ],
    unknownPath,
  );
  const keep = keepPages({ ...settings, sessionCookie: SESSION_COOKIE, versionOf: contentVersionOf });
  const pageOf = pageNames(join(process.cwd(), ".next"), settings.baseUrl);
  const answer = (request: IncomingMessage, response: ServerResponse, isPath: boolean): void => {
    if (request.url === "/healthz") return say(response, 200, "ok");
    if (request.url === "/readyz") return void sayReady(response);
    if (!isPath) {
      return refuse(request, response, 400, "The address is none that a server has: ask for a path, such as /.");
    }
    // The API says it in its own words: it knows no workspace then (contract 22).
    if (!request.headers.host && !isApi(request.url)) {
      return refuse(request, response, 400, "The request names no host, and so no workspace: send a Host header.");
    }
    // In development Next serves the API too, so that a changed handler is loaded again.
    if (isApi(request.url) && (settings.nodeEnv === "production" || request.method === "TRACE"))
      return void api(request, response).catch((error: unknown) => {
        log().error({ err: error }, "A request of the API could not be answered.");
        response.destroy();
      });
    if (isOverlong(request.url)) return refuse(request, response, 414, "The address is over 8 KB: send less in it.");
    if (isMalformed(request.url)) {
      return refuse(
        request,
        response,
        400,
        "The address is not properly percent-encoded: encode it as UTF-8, without NUL.",
      );
    }
    // Next never answers the first of these, and the second with 500.
    if (request.method === "OPTIONS" || request.method === "TRACE") {
      response.setHeader("Allow", "GET, HEAD, POST, OPTIONS");
      if (request.method === "OPTIONS") return void response.writeHead(204).end();
      return refuse(request, response, 405, "A page is asked for by GET.");
    }
    if (isForeignChange(request, settings)) {
      return refuse(
        request,
        response,
        403,
        "This request was not sent by a page of this site, so nothing was changed: open the page again and repeat it there.",
        `If you run this installation: BASE_URL is ${settings.baseUrl}, and must begin as the address that browsers show.`,
      );
    }
    varyByAccept(request, response);
    const current = currentRequest();
    if (current) {
      tellOutage(response, current);
      tellMoved(response, current);
      noteViewOf(request, response, current);
    }
    const render = () => answering(response, () => void next(request, response));
    const show = async () => {
      if (await tellScriptMoved(request, response, { ...settings, addressNow })) return;
      // In development every page is rendered anew, and its policy is looser.
      if (settings.nodeEnv !== "production") return render();
      await keep(request, response, render);
    };
    show().catch((error: unknown) => {
      log().error({ err: error }, "A page could not be answered.");
      response.destroy();
    });
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const isPath = settleTarget(request);
    settleForwarded(request, settings);
    boundArrival(request, response);
    observe(request, response, pageOf, () => answer(request, response, isPath));
  };
}

/** Whether requests can be answered. /healthz in turn says only that the process lives: an outage restarts nobody. */
async function sayReady(response: ServerResponse): Promise<void> {
  const deadline = sleep(READY_MS, "late", { ref: false });
  const ready = await Promise.race([acrossWorkspaces.query("SELECT 1"), deadline]).catch(() => "away");
  if (Array.isArray(ready)) return say(response, 200, "ok");
  response.setHeader("Retry-After", "5");
  say(response, 503, "The database does not answer.");
}

/** Programs are answered in JSON (contract 21), people in lines. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, ...lines: string[]): void {
  if (!request.url?.startsWith("/api/")) return say(response, status, ...lines);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": request.headers["x-request-id"],
  });
  response.end(JSON.stringify({ error: lines.join(" ") }));
}

function say(response: ServerResponse, status: number, ...lines: string[]): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${lines.join("\n")}\n`);
}

function listen(server: Server, { host, port }: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      reject(new Error(`Port ${port} is taken: stop what listens there, or choose another with PORT=${port + 1}.`));
    });
    server.listen(port, host, resolve);
  });
}

/** SIGTERM and SIGINT: take no more requests and jobs (`rest`), finish those in flight, close what is open, end. */
function stopOnSignal(server: Server, rest: () => Promise<unknown>, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    const rested = rest();
    // Who keeps a connection alive is told to leave it, and only later are idle ones closed, which http's own close
    // would do at once: a request may be on its way over each of them.
    server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    await Promise.race([closed, sleep(FAREWELL_MS)]);
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const drained = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearInterval(sweep);
    clearTimeout(drained);
    await rested;
    await close();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
