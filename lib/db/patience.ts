import { currentRequest } from "@/lib/http/request";

/** In milliseconds, for the whole request: its answer comes within 3 seconds (contract 61). */
const REQUEST_MS = 2_000;
/** The minimum for a unit, in milliseconds: many quick units are no outage. */
const LEAST_MS = 250;

/** Runs a unit with `ms` milliseconds or what is left of the request's patience, so that waits don't add up. */
export async function withinPatience<T>(ms: number, unit: (ms: number) => Promise<T>): Promise<T> {
  const request = currentRequest();
  if (!request) return unit(ms);
  const { waiting } = request;
  const now = performance.now();
  if (waiting.units++ === 0) waiting.since = now;
  const left = REQUEST_MS - waiting.ms - (now - waiting.since);
  try {
    return await unit(Math.ceil(Math.min(ms, Math.max(left, LEAST_MS))));
  } finally {
    if (--waiting.units === 0) waiting.ms += performance.now() - waiting.since;
  }
}
