import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { acrossWorkspaces } from "@/lib/db";

/** The window of every limit of requests, in seconds (contract 55). */
export const WINDOW = 60;

/** What one use of something limited comes to. */
export interface Use {
  name: string;
  /** Whether this one was one too many. */
  over: boolean;
  limit: number;
  left: number;
  /** Until it begins anew, at least 1. */
  seconds: number;
}

/** One limiter a limit and process; the counts are in the database, for all servers (contract 55). */
const limiters = new Map<string, RateLimiterPostgres>();

/**
 * Counts one use of what may be used so many times in a while.
 * @param name of the limit, one in the whole product
 * @param points how many; 0 for a limit that is turned off
 * @param subject who uses it
 * @param window in seconds, where it is not a minute
 * @returns null where the limit is turned off
 * @throws UnavailableError
 */
export async function countUse(name: string, points: number, subject: string, window = WINDOW): Promise<Use | null> {
  if (points === 0) return null;
  const answer = await limiterOf(name, points, window)
    .consume(subject)
    .then(
      (state) => ({ state, over: false }),
      (reason: unknown) => {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        return { state: reason, over: true };
      },
    );
  const left = answer.state.remainingPoints;
  return {
    name,
    over: answer.over,
    limit: points,
    left,
    seconds: Math.max(1, Math.ceil(answer.state.msBeforeNext / 1000)),
  };
}

/**
 * Whether one more use would be one too many, without counting it: for what is counted only once it is done.
 * @returns in how many seconds there may be another, at least 1; null when there may be now
 * @throws UnavailableError
 */
export async function pauseOf(name: string, points: number, subject: string, window = WINDOW): Promise<number | null> {
  if (points === 0) return null;
  const state = await limiterOf(name, points, window).get(subject);
  if (!state || state.consumedPoints < points) return null;
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}

function limiterOf(name: string, points: number, window: number): RateLimiterPostgres {
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
    points,
    duration: window,
    // Who is over the limit costs the database nothing more in this window.
    inMemoryBlockOnConsumed: points,
  });
  limiters.set(name, limiter);
  return limiter;
}
