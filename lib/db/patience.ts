import { type CurrentRequest, currentRequest } from "@/lib/request";

/** How long one request may wait for the database in all, in milliseconds: its answer comes within 3 seconds (contract 61). */
const REQUEST_MS = 2_000;
/** What a unit gets whatever was waited for before: many quick units are no outage. */
const LEAST_MS = 250;

/** How long a request has been waiting for the database: `units` of them since `since`, and `ms` before that. */
interface Waiting {
  ms: number;
  units: number;
  since: number;
}

const waits = new WeakMap<CurrentRequest, Waiting>();

/**
 * Runs a unit of work on the database that may take `ms` milliseconds, or what is left of its request's patience: the
 * waits of a door and of the units behind it must not add up.
 */
export async function withinPatience<T>(ms: number, unit: (ms: number) => Promise<T>): Promise<T> {
  const request = currentRequest();
  if (!request) return unit(ms);
  const waiting = waits.get(request) ?? { ms: 0, units: 0, since: 0 };
  waits.set(request, waiting);
  const now = performance.now();
  // Units at the same time wait together.
  if (waiting.units++ === 0) waiting.since = now;
  const left = REQUEST_MS - waiting.ms - (now - waiting.since);
  try {
    return await unit(Math.ceil(Math.min(ms, Math.max(left, LEAST_MS))));
  } finally {
    if (--waiting.units === 0) waiting.ms += performance.now() - waiting.since;
  }
}
