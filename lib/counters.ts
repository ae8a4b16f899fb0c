import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { networkOf } from "@/lib/http/network";
import { type LimitName, type RateLimit, rateLimits, type SubjectPart } from "@/lib/limits";

/** The parts that a limit counts by. The network is a client's address: null when it is unknown, which counts as one. */
export type Subject<Name extends LimitName> = {
  [Part in (typeof rateLimits)[Name][number]["per"][number]]: Part extends "network" ? string | null : string;
};

export interface Use {
  isOver: boolean;
  limit: number;
  /** In seconds. */
  period: number;
  left: number;
  /** Seconds until the period ends, at least 1. */
  seconds: number;
}

/** The counts are in the database, for all servers (contract 55). */
const limiters = new Map<string, RateLimiterPostgres>();

/** Counts uses against every enabled limit of this name. Throws UnavailableError. */
export function countUse<Name extends LimitName>(name: Name, subject: Subject<Name>, uses = 1): Promise<Use[]> {
  return Promise.all(
    limitsOf(name).map(async (limit) => {
      const limiter = limiterOf(name, limit);
      const { state, isOver } = await limiter.consume(keyOf(limit, subject), uses).then(
        (state) => ({ state, isOver: false }),
        (reason: unknown) => {
          if (!(reason instanceof RateLimiterRes)) throw reason;
          return { state: reason, isOver: true };
        },
      );
      const seconds = secondsOf(state);
      return { isOver, limit: limit.points, period: limit.seconds, left: state.remainingPoints, seconds };
    }),
  );
}

/** Counts uses. Returns the seconds to wait if a limit is exceeded, otherwise null. */
export async function takeLimit<Name extends LimitName>(
  name: Name,
  subject: Subject<Name>,
  uses = 1,
): Promise<number | null> {
  const counted = await countUse(name, subject, uses);
  return longest(counted.filter(({ isOver }) => isOver).map(({ seconds }) => seconds));
}

/** As takeLimit for one more use, without counting it. */
export async function checkLimit<Name extends LimitName>(name: Name, subject: Subject<Name>): Promise<number | null> {
  const waits = await Promise.all(
    limitsOf(name).map(async (limit) => {
      const state = await limiterOf(name, limit).get(keyOf(limit, subject));
      return state && state.consumedPoints >= limit.points ? secondsOf(state) : null;
    }),
  );
  return longest(waits.filter((wait) => wait !== null));
}

/** For the door of the API (lib/api/keys.ts), which counts in a statement of its own. Null if the limit is off. */
export function countedLimit(
  name: "key" | "search" | "write",
): { prefix: string; points: number; seconds: number } | null {
  const [limit] = limitsOf(name);
  return limit ? { prefix: `${prefixOf(name, limit)}:`, points: limit.points, seconds: limit.seconds } : null;
}

const longest = (waits: number[]) => (waits.length > 0 ? Math.max(...waits) : null);
const secondsOf = (state: RateLimiterRes) => Math.max(1, Math.ceil(state.msBeforeNext / 1000));

function limitsOf(name: LimitName): (RateLimit & { points: number })[] {
  const settings = env().rateLimits;
  const limits: readonly RateLimit[] = rateLimits[name];
  return limits
    .filter(({ offWith }) => !offWith || settings[offWith] > 0)
    .map((limit) => ({ ...limit, points: typeof limit.most === "number" ? limit.most : settings[limit.most] }))
    .filter(({ points }) => points > 0);
}

function keyOf({ per }: RateLimit, subject: Partial<Record<SubjectPart, string | null>>): string {
  return per
    .map((part) => {
      const value = subject[part] ?? null;
      if (part === "network") return networkOf(value);
      return part === "email" ? createHash("sha256").update(String(value).toLowerCase()).digest("base64url") : value;
    })
    .join(" ");
}

const prefixOf = (name: LimitName, { per }: RateLimit) => `${name} per ${per.join(", ")}`;

function limiterOf(name: LimitName, limit: RateLimit & { points: number }): RateLimiterPostgres {
  const { points, seconds } = limit;
  const keyPrefix = prefixOf(name, limit);
  const known = limiters.get(keyPrefix);
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
    keyPrefix,
    points,
    duration: seconds,
    // A client over its limit costs the database nothing more in this period.
    inMemoryBlockOnConsumed: points,
  });
  limiters.set(keyPrefix, limiter);
  return limiter;
}
