import { format } from "node:util";
import pino from "pino";
import type { Env } from "./env";
import { readableLine } from "./log/readable";
import { scrubbed } from "./log/scrub";
import { currentRequest } from "./request";

interface Options {
  level: Env["logLevel"];
  /** "json": a line of JSON each, for programs; "text": for people. */
  format: "json" | "text";
  /** Takes the lines. */
  write: (line: string) => void;
}

// One for the process: the server opens it, pages are bundled apart from it.
const shared = globalThis as typeof globalThis & { lecternLog?: pino.Logger };

/**
 * The log of this process. What it is told is scrubbed of keys, cookies and passwords, and carries the id of the
 * request that it belongs to. Until a server has opened it, it says what went wrong on standard error: a program's
 * standard output is its answer.
 */
export function log(): pino.Logger {
  shared.lecternLog ??= made({ level: "error", format: "text", write: (line) => process.stderr.write(line) });
  return shared.lecternLog;
}

/** Sets what the log of this process tells, how, and to whom. */
export function openLog(options: Options): void {
  shared.lecternLog = made(options);
}

/** JSON on standard output, as production wants it: written when there is time, and to its end when the process ends. */
export function standardOutput(): (line: string) => void {
  const output = pino.destination({ dest: 1, sync: false });
  return (line) => void output.write(line);
}

/** Puts what others print as warnings and errors, Next above all, into the log, with the id of the request it is about. */
export function logConsole(): void {
  console.error = (...said: unknown[]) => log().error({ source: "console" }, format(...said));
  console.warn = (...said: unknown[]) => log().warn({ source: "console" }, format(...said));
}

function made(options: Options): pino.Logger {
  const write = (line: string) => {
    const safe = scrubbed(line);
    options.write(options.format === "json" ? safe : readableLine(safe));
  };
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin() {
        const request = currentRequest();
        return request ? { request_id: request.id, operation: request.operation ?? undefined } : {};
      },
    },
    { write },
  );
}
