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
 * Waits for an answer that others need too. The work continues even if this request stops waiting. Creates only one promise, because
 * every request waits here.
 */
export function awaitWithinPatience<T>(
  ms: number,
  answer: (resolve: (answer: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience = takePatience(ms);
    let isSettled = false;
    const settle = (how: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      patience.end();
      how();
    };
    const timer = afterReading(patience.ms, () => settle(() => reject(notResponding())));
    answer(
      (answered) => settle(() => resolve(answered)),
      (error) => settle(() => reject(error)),
    );
  });
}

/**
 * Starts a wait of at most `ms` milliseconds, or less if the request has less time left.
 * @throws UnavailableError if no time is left
 */
function takePatience(ms: number): { ms: number; end: () => void } {
  const request = currentRequest();
  if (!request) return { ms, end: () => {} };
  const { waiting } = request;
  const now = performance.now();
  if (waiting.units === 0) waiting.since = now;
  const left = REQUEST_MS - waiting.ms - Math.max(0, now - waiting.since - QUICK_MS);
  const last = Math.min(LAST_MS, left + LAST_MS);
  if (last <= 0) throw notResponding();
  waiting.units++;
  const end = () => {
    if (--waiting.units === 0) waiting.ms += Math.max(0, performance.now() - waiting.since - QUICK_MS);
  };
  return { ms: Math.ceil(Math.min(ms, Math.max(left, last))), end };
}

function notResponding(): UnavailableError {
  noteOfRequest({ unavailable: true });
  return new UnavailableError("The database is not responding.");
}

/** Runs `work` after `ms` milliseconds. A process that was too busy to listen first reads what has arrived. */
export function afterReading(ms: number, work: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(work), ms);
}
