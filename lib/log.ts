import cluster from "node:cluster";
import { format } from "node:util";
import pino from "pino";
import type { Env } from "./env";
import { currentRequest } from "./http/request";
import { withSourcePositions } from "./log/positions";
import { readableLine } from "./log/readable";
import { scrubbed } from "./log/scrub";

interface Options {
  level: Env["logLevel"];
  format: "json" | "text";
  write: (line: string) => void;
}

interface Log {
  logger: pino.Logger;
  /** Writes a line of JSON in the log's format. */
  write: (line: string) => void;
}

// One per process: the server opens it, and Next bundles pages separately.
const shared = globalThis as typeof globalThis & { lecternLog?: Log };

function current(): Log {
  shared.lecternLog ??= made({ level: "error", format: "text", write: (line) => process.stderr.write(line) });
  return shared.lecternLog;
}

/**
 * Free of keys, cookies and passwords, with the id of the current request. Before a server opens it, errors go to
 * standard error.
 */
export function log(): pino.Logger {
  return current().logger;
}

interface RequestLine extends Record<string, string | number | boolean | undefined> {
  request_id: string;
  path: string;
  host: string;
}

/** Logs a finished request in the format of `log()`, but without Pino, which took up to a fifth of the time of a kept answer. */
export function logRequest(level: "debug" | "info" | "warn", line: RequestLine): void {
  const { logger, write } = current();
  if (!logger.isLevelEnabled(level)) return;
  // Clients can write secrets only into these.
  const [request_id, path, host] = scrubbed([line.request_id, line.path, line.host].join("\n")).split("\n");
  write(`${JSON.stringify({ level, time: timeNow(), ...line, request_id, path, host })}\n`);
}

export function openLog(options: Options): void {
  shared.lecternLog = made(options);
}

/** In milliseconds. Lines take less time together. */
const LINES_MS = 20;

/** In characters. Workers share a pipe, where a write of up to 4 KiB isn't split by lines of another process. */
const MOST_AT_ONCE = cluster.isWorker ? 4_096 : 65_536;

/** Writes when there is time, the lines of a moment together, and the rest when the process ends. */
export function standardOutput(): (line: string) => void {
  const output = pino.destination({ dest: 1, sync: false });
  let lines = "";
  const send = () => {
    if (lines) output.write(lines);
    lines = "";
  };
  // Before the destination writes what it still has.
  process.prependListener("exit", send);
  return (line) => {
    if (lines.length + line.length > MOST_AT_ONCE) send();
    if (!lines) setTimeout(send, LINES_MS).unref();
    lines += line;
  };
}

export function logConsole(): void {
  const text = (said: unknown[]) =>
    withSourcePositions(format(...said.map((one) => (isOutage(one) ? inShort(one) : one))));
  console.error = (...said: unknown[]) => log().error({ source: "console" }, text(said));
  console.warn = (...said: unknown[]) => log().warn({ source: "console" }, text(said));
}

const securityEvents = {
  "sign_in.failed": "A sign-in failed.",
  "sign_in.waiting": "A sign-in was refused because of earlier failures.",
  "two_step.failed": "A two-step verification code was wrong.",
  "two_step.waiting": "A two-step verification code was refused because of earlier failures.",
  "access.refused": "A member's role didn't allow a request.",
  "origin.refused": "A change was refused because another site sent it.",
  "key.refused": "An API key was refused.",
};

/** Logs a security event as one line, with a stable name to filter by. */
export function logSecurity(
  event: keyof typeof securityEvents,
  facts: Record<string, string | number | null | undefined>,
): void {
  log().warn({ event, ...facts }, securityEvents[event]);
}

/** Every request of an outage fails in the same way, so where in the code tells nothing. */
const isOutage = (error: unknown): error is Error => error instanceof Error && error.name === "UnavailableError";
const inShort = ({ message, cause }: Error) => (cause instanceof Error ? `${message} (${cause.message})` : message);

let written = { at: 0, text: "" };

/** In ISO 8601. Lines of the same millisecond share the text. */
function timeNow(): string {
  const at = Date.now();
  if (at !== written.at) written = { at, text: new Date(at).toISOString() };
  return written.text;
}

function made(options: Options): Log {
  const write = (line: string) => options.write(options.format === "json" ? line : readableLine(line));
  const logger = pino(
    {
      level: options.level,
      base: undefined,
      timestamp: () => `,"time":"${timeNow()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: {
        err: (error: Error) => {
          if (isOutage(error)) return { type: error.name, message: inShort(error) };
          const facts = pino.stdSerializers.err(error) as Partial<pino.SerializedError> | null;
          return facts?.stack ? { ...facts, stack: withSourcePositions(facts.stack) } : facts;
        },
      },
      mixin() {
        const request = currentRequest();
        return request ? { request_id: request.id, operation: request.operation ?? undefined } : {};
      },
    },
    { write: (line: string) => write(scrubbed(line)) },
  );
  return { logger, write };
}
