import { createHash } from "node:crypto";
import { acrossWorkspaces } from "@/lib/db";

/** Tries are counted by this, such as by an account and one network. */
export interface Tried {
  /** Hashed before it is stored. */
  by: string[];
  /** Failed tries without a wait, at least 1. */
  free: number;
  /** Seconds. */
  longest: number;
  /** Seconds after the last try until all are forgotten. */
  remembered: number;
  /** Whether a successful try clears all others, or only itself. */
  clears: boolean;
}

export interface Wait {
  allowed: boolean;
  /** Seconds until the next try, unless this one succeeds. */
  seconds: number;
}

/** Seconds. */
export const FIRST_WAIT = 2;

/** Each wait is twice the last: 2, 4, 8 seconds … */
const waitAfter = (tries: string) => `
  (SELECT make_interval(secs => CASE WHEN ${tries} <= g.free THEN 0 ELSE least(g.longest, 2 ^ least(${tries} - g.free, 30)) END)
   FROM unnest($1::text[], $2::int[], $3::int[], $4::int[]) g (key, free, longest, remembered) WHERE g.key = excluded.key)`;
/**
 * Not rounded up to the column's precision, which would be a wait. A statement may see what a later one wrote, so waits are
 * compared with clock_timestamp(), which is never before what a statement sees.
 */
const now = "date_trunc('milliseconds', now())";
const again = "CASE WHEN t.forgotten_at <= now() THEN 1 ELSE t.failures + 1 END";

/**
 * Counts a try before its outcome is known, so that simultaneous tries cannot exceed the limit. A try that has to wait is not
 * counted. Throws UnavailableError.
 */
export async function beginTry(tried: Tried[]): Promise<Wait> {
  const keys = tried.map(keyOf);
  const counted = await acrossWorkspaces.query<{ seconds: number }>(
    `INSERT INTO tries AS t (key, failures, waits_until, forgotten_at)
     SELECT key, 1, ${now}, now() + make_interval(secs => remembered)
     FROM unnest($1::text[], $2::int[], $3::int[], $4::int[]) g (key, free, longest, remembered)
     WHERE NOT EXISTS (SELECT FROM tries WHERE key = ANY ($1) AND waits_until > clock_timestamp())
     ORDER BY key
     ON CONFLICT (key) DO UPDATE
       SET failures = ${again}, waits_until = ${now} + ${waitAfter(again)}, forgotten_at = excluded.forgotten_at
       WHERE t.waits_until <= clock_timestamp()
     RETURNING ceil(extract(epoch FROM waits_until - now()))::int AS seconds`,
    [keys, tried.map(({ free }) => free), tried.map(({ longest }) => longest), tried.map((one) => one.remembered)],
  );
  if (counted.length === keys.length) return { allowed: true, seconds: Math.max(...counted.map((row) => row.seconds)) };
  const [waiting] = await acrossWorkspaces.query<{ seconds: number | null }>(
    "SELECT ceil(extract(epoch FROM max(waits_until) - now()))::int AS seconds FROM tries WHERE key = ANY ($1)",
    [keys],
  );
  return { allowed: false, seconds: Math.max(1, waiting?.seconds ?? 1) };
}

export async function forgiveTry(tried: Tried[]): Promise<void> {
  await acrossWorkspaces.query(
    `UPDATE tries t SET failures = CASE WHEN g.clears THEN 0 ELSE greatest(t.failures - 1, 0) END,
       waits_until = least(t.waits_until, now())
     FROM (SELECT key FROM tries WHERE key = ANY ($1) ORDER BY key FOR UPDATE) held,
       unnest($1::text[], $2::boolean[]) g (key, clears)
     WHERE t.key = held.key AND g.key = t.key`,
    [tried.map(keyOf), tried.map(({ clears }) => clears)],
  );
}

/** Deletes some expired tries, more than one try adds. */
export async function forgetTries(): Promise<void> {
  await acrossWorkspaces.query(
    `DELETE FROM tries WHERE key = ANY(ARRAY(
       SELECT key FROM tries WHERE forgotten_at < now() LIMIT 20 FOR UPDATE SKIP LOCKED))`,
  );
}

function keyOf({ by }: Tried): string {
  return createHash("sha256").update(JSON.stringify(by)).digest("base64url");
}
