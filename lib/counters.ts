import { createHash } from "node:crypto";
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

/** The database's clock, in milliseconds. All servers share the counts (contract 55), and their own clocks can differ or jump. */
export const NOW_MS = "(extract(epoch FROM now()) * 1000)::bigint";
/**
 * A use after the end of a period begins the next one. `r` is the stored count. A count that ends later than a period from now was
 * stored before the clock was set back. A statement that waited for the row has an earlier clock.
 */
const isCurrent = `r.expire > ${NOW_MS} AND r.expire <= excluded.expire + 5000`;
export const COUNTED = `
  points = CASE WHEN ${isCurrent} THEN r.points + excluded.points ELSE excluded.points END,
  expire = CASE WHEN ${isCurrent} THEN r.expire ELSE excluded.expire END`;

const REMEMBERED_MS = 60_000;
/** When the periods of used-up limits end, on the clock of `performance`. For a minute, the database isn't asked about them again. */
const usedUp = new Map<string, number>();

/** Counts uses against every enabled limit of this name. Throws UnavailableError. */
export function countUse<Name extends LimitName>(name: Name, subject: Subject<Name>, uses = 1): Promise<Use[]> {
  return Promise.all(
    limitsOf(name).map(async (limit) => {
      const { points: most, seconds: period } = limit;
      const key = keyOf(name, limit, subject);
      const use = (used: number, ms: number): Use => {
        return { isOver: used > most, limit: most, period, left: Math.max(0, most - used), seconds: secondsOf(ms) };
      };
      const ends = usedUp.get(key);
      if (ends !== undefined && ends > performance.now()) return use(most + 1, ends - performance.now());
      const [row] = await acrossWorkspaces.query<Count>(
        `INSERT INTO rate_limits AS r (key, points, expire) VALUES ($1, $2, ${NOW_MS} + $3::bigint)
         ON CONFLICT (key) DO UPDATE SET ${COUNTED}
         RETURNING points, (expire - ${NOW_MS})::int AS ms`,
        [key, uses, period * 1000],
      );
      const { points, ms } = row as Count;
      if (points >= most) {
        usedUp.set(key, performance.now() + ms);
        setTimeout(() => usedUp.delete(key), Math.min(ms, REMEMBERED_MS)).unref();
      }
      return use(points, ms);
    }),
  );
}

interface Count {
  points: number;
  ms: number;
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
      const [row] = await acrossWorkspaces.query<Count>(
        `SELECT points, (expire - ${NOW_MS})::int AS ms FROM rate_limits
         WHERE key = $1 AND expire > ${NOW_MS} AND expire <= ${NOW_MS} + $2::bigint`,
        [keyOf(name, limit, subject), limit.seconds * 1000 + 5_000],
      );
      return row && row.points >= limit.points ? secondsOf(row.ms) : null;
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
const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

function limitsOf(name: LimitName): (RateLimit & { points: number })[] {
  const settings = env().rateLimits;
  const limits: readonly RateLimit[] = rateLimits[name];
  return limits
    .filter(({ offWith }) => !offWith || settings[offWith] > 0)
    .map((limit) => ({ ...limit, points: typeof limit.most === "number" ? limit.most : settings[limit.most] }))
    .filter(({ points }) => points > 0);
}

function keyOf(name: LimitName, limit: RateLimit, subject: Partial<Record<SubjectPart, string | null>>): string {
  const parts = limit.per
    .map((part) => {
      const value = subject[part] ?? null;
      if (part === "network") return networkOf(value);
      // An email is not stored, and a slug in a URL can be long.
      return part === "email" || part === "article"
        ? createHash("sha256").update(String(value).toLowerCase()).digest("base64url")
        : value;
    })
    .join(" ");
  return `${prefixOf(name, limit)}:${parts}`;
}

const prefixOf = (name: LimitName, { per }: RateLimit) => `${name} per ${per.join(", ")}`;
