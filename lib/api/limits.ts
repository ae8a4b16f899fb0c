import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { HttpError } from "./errors";

/** The window of every limit, in seconds (contract 55). */
const WINDOW = 60;

type Name = "key" | "search" | "failed";

/** One limiter a limit and process, as `env` sets it; the counts are in the database, for all servers (contract 55). */
const limiters = new Map<Name, RateLimiterPostgres>();

function limiterOf(name: Name): RateLimiterPostgres | null {
  const { rateLimits } = env();
  if (rateLimits[name] === 0) return null;
  const known = limiters.get(name);
  if (known) return known;
  const limiter = new RateLimiterPostgres({
    storeClient: {
      query: async ({ text, values }: { text: string; values: unknown[] }) => {
        const rows = await acrossWorkspaces.query(text, values);
        return { rows, rowCount: rows.length };
      },
    },
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: name,
    points: rateLimits[name],
    duration: WINDOW,
    // Who is over the limit costs the database nothing more in this window.
    inMemoryBlockOnConsumed: rateLimits[name],
  });
  limiters.set(name, limiter);
  return limiter;
}

/**
 * Counts one use.
 * @returns what is left of the limit, null when it is turned off; `over` when this use was one too many
 */
async function count(name: Name, subject: string) {
  const limiter = limiterOf(name);
  if (!limiter) return null;
  const answer = await limiter.consume(subject).then(
    (state) => ({ state, over: false }),
    (reason: unknown) => {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      return { state: reason, over: true };
    },
  );
  const seconds = Math.max(1, Math.ceil(answer.state.msBeforeNext / 1000));
  return { name, over: answer.over, limit: limiter.points, left: answer.state.remainingPoints, seconds };
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
  const list = (line: (use: (typeof uses)[number]) => string) => uses.map(line).join(", ");
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
  const use = await count("failed", networkOf(address ?? "unknown"));
  if (!use?.over) return;
  throw new HttpError(
    429,
    `Too many requests with an invalid API key came from this address: correct the key, and go on in ${use.seconds} seconds.`,
    { "Retry-After": String(use.seconds) },
  );
}

/** One address of IPv4, one network of IPv6: whoever has one of the latter's addresses has 2^64. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("%")[0]!.split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - last.length)).fill("0");
  return [...groups, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
