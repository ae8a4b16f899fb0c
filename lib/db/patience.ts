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
  const patience = takePatience(ms);
  try {
    return await unit(patience.ms);
  } finally {
    patience.end();
  }
}

/**
 * Waits for an answer that others need too. The work continues even if this request stops waiting. Takes one promise, because each
 * request waits here.
 */
export function awaitWithinPatience<T>(
  ms: number,
  answer: (resolve: (answer: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience = takePatience(ms);
    const timer = afterReading(patience.ms, () => {
      patience.end();
      reject(away());
    });
    const ends =
      <Result>(settle: (result: Result) => void) =>
      (result: Result) => {
        clearTimeout(timer);
        patience.end();
        settle(result);
      };
    answer(ends(resolve), ends(reject));
  });
}

/**
 * Begins to wait for up to `ms` milliseconds, or for what is left of the request's patience.
 * @throws UnavailableError if nothing is left
 */
function takePatience(ms: number): { ms: number; end: () => void } {
  const request = currentRequest();
  if (!request) return { ms, end: () => {} };
  const { waiting } = request;
  const now = performance.now();
  if (waiting.units === 0) waiting.since = now;
  const left = REQUEST_MS - waiting.ms - Math.max(0, now - waiting.since - QUICK_MS);
  const last = Math.min(LAST_MS, left + LAST_MS);
  if (last <= 0) throw away();
  waiting.units++;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    if (--waiting.units === 0) waiting.ms += Math.max(0, performance.now() - waiting.since - QUICK_MS);
  };
  return { ms: Math.ceil(Math.min(ms, Math.max(left, last))), end };
}

function away(): UnavailableError {
  noteOfRequest({ unavailable: true });
  return new UnavailableError("The database is not responding.");
}

/** Runs `work` after `ms` milliseconds. A process that was too busy to listen first reads what has arrived. */
export function afterReading(ms: number, work: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(work), ms);
}
