import { setTimeout as sleep } from "node:timers/promises";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { enqueue } from "@/lib/jobs";
import { giveUpEndpoint, openedSecret } from "@/lib/webhooks/endpoints";
import { type Outcome, post } from "@/lib/webhooks/send";
import { signedHeaders } from "@/lib/webhooks/signature";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Pauses after failed attempts, in milliseconds. After the last attempt, the delivery has failed (Standard Webhooks 1.0). */
const pauses = [5 * SECOND, 300 * SECOND, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** The most that a Retry-After can delay the next attempt. */
const LONGEST_PAUSE = 24 * HOUR;
/** An endpoint without a success for this long is switched off. */
const FAILING_HOURS = 72;
/** The most deliveries that wait in a workspace. Above that, the endpoint with the most is switched off. */
export const MOST_WAITING = 20_000;

/** How long the work on one workspace starts new attempts, before other workspaces get their turn. */
const TURN_MS = 10 * SECOND;
/** Workspaces that one server works on at the same time (server/jobs/worker.ts). */
const MOST_TURNS = 4;
/** Deliveries of an endpoint that are sent at the same time. */
const AT_ONCE = 4;
/** How long the deliveries of a killed server stay reserved. Longer than an attempt and storing its outcome take. */
const LEASE_SECONDS = 45;

const turns = new Set<string>();

/**
 * Sends the webhooks of a workspace that are due, for a limited time, and queues the next job. Endpoints don't wait for each
 * other. Deliveries that a killed server was sending are sent again with the same `webhook-id`.
 */
export async function deliverWebhooks(workspaceId: string, stop: AbortSignal, send = post): Promise<void> {
  if (turns.has(workspaceId) || turns.size >= MOST_TURNS) {
    return inWorkspace(workspaceId, (db) => enqueue(db, "deliver_webhooks", {}, SECOND));
  }
  turns.add(workspaceId);
  try {
    await refuseFull(workspaceId);
    await work(workspaceId, stop, send);
    stop.throwIfAborted();
    await queueNext(workspaceId);
  } finally {
    turns.delete(workspaceId);
  }
}

async function work(workspaceId: string, stop: AbortSignal, send: typeof post): Promise<void> {
  const until = performance.now() + TURN_MS;
  const lanes = new Map<string, Promise<void>>();
  /** Endpoints that failed. Their other deliveries wait for the next turn. */
  const failing = new Set<string>();
  const lane = async (endpointId: string) => {
    while (performance.now() < until && !stop.aborted && !failing.has(endpointId)) {
      const due = await claim(workspaceId, endpointId);
      if (due.length === 0) return;
      const succeeded = await Promise.all(due.map((one) => attempt(workspaceId, one, stop, send)));
      if (!succeeded.includes(true)) failing.add(endpointId);
    }
  };
  let failure: Error | undefined;
  while (performance.now() < until && !stop.aborted && !failure) {
    const due = await dueEndpoints(workspaceId);
    for (const id of due.filter((one) => !lanes.has(one) && !failing.has(one))) {
      const running = lane(id)
        .catch((error: Error) => {
          failure ??= error;
        })
        .finally(() => lanes.delete(id));
      lanes.set(id, running);
    }
    if (lanes.size === 0) break;
    await Promise.race([...lanes.values(), sleep(SECOND, undefined, { ref: false })]);
  }
  await Promise.all(lanes.values());
  if (failure) throw failure;
}

async function dueEndpoints(workspaceId: string): Promise<string[]> {
  const rows = await readWorkspace(workspaceId, (read) =>
    read<{ id: string }>(
      `SELECT e.id::text FROM webhook_endpoints e WHERE e.active AND EXISTS (
         SELECT FROM webhook_deliveries d WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.id
           AND d.state = 'waiting' AND d.due_at <= now())`,
    ),
  );
  return rows.map(({ id }) => id);
}

interface Claimed {
  id: string;
  endpointId: string;
  event: string;
  body: string;
  attempts: number;
  url: string;
  secret: Uint8Array;
  former: Uint8Array | null;
}

/**
 * Takes deliveries that are due, so that no other server sends them meanwhile. As a list, so that a plan for a nearly empty table
 * does not look for them again for each row.
 */
function claim(workspaceId: string, endpointId: string): Promise<Claimed[]> {
  return inWorkspace(workspaceId, (db) =>
    readingOf(db)<Claimed>(
      `UPDATE webhook_deliveries d SET due_at = now() + interval '${LEASE_SECONDS} seconds'
       FROM webhook_endpoints e
       WHERE d.id = ANY(ARRAY(SELECT id FROM webhook_deliveries WHERE endpoint_id = $1::uuid AND state = 'waiting' AND due_at <= now()
           ORDER BY due_at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED))
         AND e.id = $1::uuid AND e.active
       RETURNING d.id::text, e.id::text AS "endpointId", d.event, d.body, d.attempts, e.url, e.secret,
         CASE WHEN e.former_until > now() THEN e.former_secret END AS former`,
      [endpointId],
    ),
  );
}

/** @returns whether it succeeded */
async function attempt(workspaceId: string, claimed: Claimed, stop: AbortSignal, send: typeof post): Promise<boolean> {
  const { id, url, body } = claimed;
  const at = new Date();
  const secrets = secretsOf(workspaceId, claimed);
  const outcome: Outcome =
    secrets.length > 0
      ? await send(
          url,
          { headers: { "Content-Type": "application/json", ...signedHeaders({ id, at, body }, secrets) }, body },
          { stop },
        )
      : { status: null, response: "", problem: unreadable, tookMs: 0, retryAfter: undefined };
  return store(workspaceId, claimed, at, outcome);
}

const unreadable = "The secret can't be decrypted, because AUTH_SECRET was changed. Rotate the secret.";

function secretsOf(workspaceId: string, { endpointId, secret, former }: Claimed): string[] {
  // After AUTH_SECRET was changed and the secret rotated, only the new one can be decrypted.
  return [secret, ...(former ? [former] : [])].flatMap((stored) => {
    try {
      return [openedSecret(stored, workspaceId, endpointId)];
    } catch {
      return [];
    }
  });
}

async function store(workspaceId: string, claimed: Claimed, at: Date, outcome: Outcome): Promise<boolean> {
  const { id, endpointId, event } = claimed;
  const { status, tookMs, response, problem } = outcome;
  const isSuccess = problem === null && status !== null && status >= 200 && status < 300;
  const attempts = claimed.attempts + 1;
  await inWorkspace(workspaceId, async (db) => {
    // Locks the endpoint first, as a deletion does.
    const [endpoint] = await db.$queryRaw<
      { id: string; url: string; description: string; active: boolean; isFailing: boolean }[]
    >`
      SELECT id::text, url, description, active,
        coalesce(failing_since < now() - make_interval(hours => ${FAILING_HOURS}::int), false) AS "isFailing"
      FROM webhook_endpoints WHERE id = ${endpointId}::uuid FOR NO KEY UPDATE`;
    if (!endpoint) return;
    const pause =
      isSuccess || event === "ping" || !endpoint.active ? null : pauseAfter(attempts, outcome.retryAfter, at);
    const state = isSuccess ? "delivered" : pause === null ? "failed" : "waiting";
    await db.$executeRaw`
      UPDATE webhook_deliveries SET state = ${state}, attempts = ${attempts}, attempted_at = ${at}, took_ms = ${tookMs},
        status = ${status}, response = ${response}, problem = ${problem},
        due_at = CASE WHEN ${state} = 'waiting' THEN now() + make_interval(secs => ${(pause ?? 0) / SECOND}) ELSE due_at END
      WHERE id = ${id}::uuid`;
    if (isSuccess) {
      await db.$executeRaw`
        UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${endpointId}::uuid AND failing_since IS NOT NULL`;
      return;
    }
    if (!endpoint.active) return;
    await db.$executeRaw`
      UPDATE webhook_endpoints SET failing_since = ${at} WHERE id = ${endpointId}::uuid AND failing_since IS NULL`;
    if (status === 410) await giveUpEndpoint(db, endpoint, "gone");
    else if (pause === null && event !== "ping" && endpoint.isFailing) await giveUpEndpoint(db, endpoint, "failing");
  });
  return isSuccess;
}

/** @returns milliseconds, or null after the last attempt */
function pauseAfter(attempts: number, retryAfter: string | undefined, now: Date): number | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const asked = /^\d{1,9}$/.test(retryAfter ?? "")
    ? Number(retryAfter) * SECOND
    : Date.parse(retryAfter ?? "") - now.getTime() || 0;
  return Math.max(pause, Math.min(asked, LONGEST_PAUSE));
}

async function refuseFull(workspaceId: string): Promise<void> {
  const counts = await readWorkspace(workspaceId, (read) =>
    read<{ id: string; count: number }>(
      `SELECT endpoint_id::text AS id, count(*)::int AS count FROM webhook_deliveries WHERE state = 'waiting'
       GROUP BY 1 ORDER BY 2 DESC`,
    ),
  );
  const [most] = counts;
  if (!most || counts.reduce((sum, { count }) => sum + count, 0) <= MOST_WAITING) return;
  await inWorkspace(workspaceId, async (db) => {
    const [endpoint] = await db.$queryRaw<{ id: string; url: string; description: string }[]>`
      SELECT id::text, url, description FROM webhook_endpoints WHERE id = ${most.id}::uuid AND active FOR NO KEY UPDATE`;
    if (endpoint) await giveUpEndpoint(db, endpoint, "full");
  });
}

/** Queues a job for the next due delivery. Endpoints that have just failed wait a few seconds. */
async function queueNext(workspaceId: string): Promise<void> {
  await inWorkspace(workspaceId, async (db) => {
    const [next] = await db.$queryRaw<{ at: Date }[]>`
      SELECT greatest(min(d.due_at), now() + interval '2 seconds') AS at FROM webhook_deliveries d
      JOIN webhook_endpoints e ON e.workspace_id = d.workspace_id AND e.id = d.endpoint_id AND e.active
      WHERE d.state = 'waiting' HAVING count(*) > 0`;
    if (next) await enqueue(db, "deliver_webhooks", {}, next.at);
  });
}
