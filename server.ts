import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { acrossWorkspaces, closeConnections } from "@/lib/db";
import { type Env, readEnv } from "@/lib/env";
import { isForeignChange, isMalformed, settleForwarded } from "@/lib/front-door";
import { migrate } from "@/lib/migrate";
import { openDatabase } from "@/lib/postgres";
import { loadSecrets } from "@/lib/secrets";
import { answering } from "@/lib/status";

/** After a signal, in milliseconds: how long open connections are left alone, how long their requests may then take, */
const FAREWELL_MS = 1_000;
const DRAIN_MS = 6_000;
/** and when the process ends whatever happens. */
const STOP_MS = 9_500;
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
  const database = await openDatabase({ ...settings, log: console.log });
  try {
    await migrate(database.url, { log: console.log });
    completeEnvironment(settings, { DATABASE_URL: database.url, AUTH_SECRET: authSecret });
    const app = next({ dev: development, hostname: settings.host, port: settings.port });
    await app.prepare();
    const server = createServer(frontDoor(settings, app.getRequestHandler()));
    await listen(server, settings);
    stopOnSignal(server, async () => {
      await app.close();
      await closeConnections();
      await database.release();
    });
    console.log(`Lectern is ready at ${settings.baseUrl}`);
  } catch (error) {
    await database.release();
    throw error;
  }
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
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === "/healthz") return say(response, 200, "ok");
    if (request.url === "/readyz") return void sayReady(response);
    if (isMalformed(request.url)) {
      return refuse(
        request,
        response,
        400,
        "The address is not properly percent-encoded: encode it as UTF-8, without NUL.",
      );
    }
    settleForwarded(request, settings);
    if (isForeignChange(request, settings)) {
      return refuse(
        request,
        response,
        403,
        "This request was not sent by a page of this site, so nothing was changed: open the page again and repeat it there.",
        `If you run this installation: BASE_URL is ${settings.baseUrl}, and must begin as the address that browsers show.`,
      );
    }
    answering(response, () => void next(request, response));
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
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
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

/** SIGTERM and SIGINT: take no more requests, finish those in flight, close what is open, end. */
function stopOnSignal(server: Server, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
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
