import { countUse, type Use, WINDOW } from "@/lib/counters";
import { env } from "@/lib/env";
import { networkOf } from "@/lib/network";
import { HttpError } from "./errors";

/** Counts one use of a limit of the API, as `env` sets it. */
function count(name: "key" | "search" | "failed", subject: string): Promise<Use | null> {
  return countUse(name, env().rateLimits[name], subject);
}

/**
 * Counts a request of a key against the limits that are set, and tells the client where it stands in
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-09).
 * @param told the headers of whatever will be answered
 * @throws HttpError 429 with Retry-After when one of them is used up
 */
export async function countRequest(keyId: string, isSearch: boolean, told: Headers): Promise<void> {
  const counted = await Promise.all([count("key", keyId), isSearch ? count("search", keyId) : null]);
  const uses = counted.filter((use) => use !== null);
  if (uses.length === 0) return;
  const list = (line: (use: Use) => string) => uses.map(line).join(", ");
  told.set(
    "RateLimit-Policy",
    list(({ name, limit }) => `"${name}";q=${limit};w=${WINDOW}`),
  );
  told.set(
    "RateLimit",
    list(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`),
  );
  const over = uses.filter((use) => use.over);
  if (over.length === 0) return;
  const seconds = Math.max(...over.map((use) => use.seconds));
  const what = over.some(({ name }) => name === "key") ? "requests" : "searches";
  const limit = Math.max(...over.map((use) => use.limit));
  throw new HttpError(429, `This key may send ${limit} ${what} a minute: go on in ${seconds} seconds.`, {
    "Retry-After": String(seconds),
  });
}

/**
 * Counts a key that was refused. A good key is never counted, nor stopped by what others at its address did.
 * @param address of the client; null when it is not known, which is an address too
 * @throws HttpError 429 with Retry-After when there were too many from this address
 */
export async function countRefusedKey(address: string | null): Promise<void> {
  const use = await count("failed", networkOf(address));
  if (!use?.over) return;
  throw new HttpError(
    429,
    `Too many requests with an invalid API key came from this address: correct the key, and go on in ${use.seconds} seconds.`,
    { "Retry-After": String(use.seconds) },
  );
}
