import { UnavailableError } from "@/lib/errors";
import { currentRequest, noteOfRequest } from "@/lib/http/request";

/** In milliseconds, for the whole request: its answer comes within 3 seconds (contract 61). */
const REQUEST_MS = 2_000;
/** Milliseconds that later units still have after that, so that the answer of a slow unit is not lost. */
const LAST_MS = 250;
/** Milliseconds of each unit that don't count, because many quick units are no outage. */
const QUICK_MS = 100;

/**
 * Runs a unit with `ms` milliseconds or what is left of the request's patience, so that waits don't add up.
 * @throws UnavailableError if nothing is left
 */
export async function withinPatience<T>(ms: number, unit: (ms: number) => Promise<T>): Promise<T> {
  const request = currentRequest();
  if (!request) return unit(ms);
  const { waiting } = request;
  const now = performance.now();
  if (waiting.units === 0) waiting.since = now;
  const left = REQUEST_MS - waiting.ms - Math.max(0, now - waiting.since - QUICK_MS);
  const last = Math.min(LAST_MS, left + LAST_MS);
  if (last <= 0) {
    noteOfRequest({ unavailable: true });
    throw new UnavailableError("The database is not responding.");
  }
  waiting.units++;
  try {
    return await unit(Math.ceil(Math.min(ms, Math.max(left, last))));
  } finally {
    if (--waiting.units === 0) waiting.ms += Math.max(0, performance.now() - waiting.since - QUICK_MS);
  }
}

/** Waits for an answer that others need too. The work continues even if this request stops waiting. */
export function awaitWithinPatience<T>(ms: number, answer: () => Promise<T>): Promise<T> {
  return withinPatience(
    ms,
    (ms) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          noteOfRequest({ unavailable: true });
          reject(new UnavailableError("The database is not responding."));
        };
        const timer = afterReading(ms, giveUp);
        answer().then(
          (answered) => {
            clearTimeout(timer);
            resolve(answered);
          },
          (error: Error) => {
            clearTimeout(timer);
            reject(error);
          },
        );
      }),
  );
}

/** Runs `work` after `ms` milliseconds. A process that was too busy to listen first reads what has arrived. */
export function afterReading(ms: number, work: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(work), ms);
}
