import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { type Endpoint, lockEndpoint, refuseOff, subjectOf } from "@/lib/webhooks/endpoints";

/** How long deliveries are kept. */
export const WEBHOOK_DAYS = 14;
/** Above twice as many that wait in a workspace, the webhook would be switched off (lib/webhooks/deliver.ts). */
const MOST_RESENT = 10_000;

export interface Delivery {
  id: string;
  event: string;
  state: "waiting" | "delivered" | "failed";
  createdAt: Date;
  attempts: number;
  /** The time of the next attempt, while it waits. */
  dueAt: Date;
  attemptedAt: Date | null;
  tookMs: number | null;
  status: number | null;
  problem: string | null;
}

export interface WholeDelivery extends Delivery {
  endpointId: string;
  body: string;
  response: string | null;
}

const columns = `id::text, event, state, created_at AS "createdAt", attempts, due_at AS "dueAt", attempted_at AS "attemptedAt",
  took_ms AS "tookMs", status, problem`;

/** The deliveries of an endpoint, newest first. */
export async function listDeliveries(
  read: Read,
  endpointId: string,
  { state, limit, offset }: { state?: Delivery["state"] | undefined; limit: number; offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const matching = "FROM webhook_deliveries WHERE endpoint_id = $1::uuid AND ($2::text IS NULL OR state = $2)";
  const values = [endpointId, state ?? null];
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total ${matching}`, values);
  const deliveries = await read<Delivery>(
    `SELECT ${columns} ${matching} ORDER BY created_at DESC, id LIMIT $3 OFFSET $4`,
    [...values, limit, offset],
  );
  return { deliveries, total: count?.total ?? 0 };
}

export async function findDelivery(read: Read, endpointId: string, id: string): Promise<WholeDelivery | null> {
  if (![endpointId, id].every((one) => z.guid().safeParse(one).success)) return null;
  const [delivery] = await read<WholeDelivery>(
    `SELECT ${columns}, endpoint_id::text AS "endpointId", body, response FROM webhook_deliveries
     WHERE endpoint_id = $1::uuid AND id = $2::uuid`,
    [endpointId, id],
  );
  return delivery ?? null;
}

/** Sends a delivery again, with the same `webhook-id`. @throws NotFoundError, and InvalidError when the endpoint is off */
export async function resendDelivery(
  db: Db,
  endpointId: string,
  id: string,
  actor: Actor,
  agree: (endpoint: Endpoint) => void = () => {},
): Promise<void> {
  const endpoint = await lockEndpoint(db, endpointId);
  agree(endpoint);
  refuseOff(endpoint);
  const isId = z.guid().safeParse(id).success;
  const resent = isId && (await resend(db, "endpoint_id = $1::uuid AND id = $2::uuid", [endpointId, id]));
  if (!resent) throw new NotFoundError("There is no delivery with this ID.");
  await recordAudit(db, actor, "webhook.resent", subjectOf(endpoint), { count: 1 });
}

/**
 * Sends failed deliveries since a time again, the oldest ones first.
 * @returns how many
 * @throws NotFoundError, and InvalidError when the endpoint is off or many deliveries wait already
 */
export async function resendFailed(
  db: Db,
  endpointId: string,
  since: Date,
  actor: Actor,
  agree: (endpoint: Endpoint) => void = () => {},
): Promise<number> {
  const endpoint = await lockEndpoint(db, endpointId);
  agree(endpoint);
  refuseOff(endpoint);
  const room = MOST_RESENT - (await db.webhookDelivery.count({ where: { state: "waiting" } }));
  if (room <= 0) {
    const message = `${MOST_RESENT.toLocaleString("en")} deliveries are already waiting. Try again after they have been sent.`;
    throw new InvalidError([{ field: "", code: "not_allowed", message }]);
  }
  // As a list, so that no plan for a nearly empty table joins thousands of rows with each other.
  const count = await resend(
    db,
    `id = ANY(ARRAY(SELECT id FROM webhook_deliveries WHERE endpoint_id = $1::uuid AND state = 'failed' AND created_at >= $2
       ORDER BY created_at, id LIMIT $3))`,
    [endpointId, since, room],
  );
  if (count > 0) await recordAudit(db, actor, "webhook.resent", subjectOf(endpoint), { count });
  return count;
}

async function resend(db: Db, which: string, values: readonly unknown[]): Promise<number> {
  const resent = await readingOf(db)<object>(
    `UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due_at = now(), attempted_at = NULL, took_ms = NULL,
       status = NULL, response = NULL, problem = NULL
     WHERE ${which} RETURNING id`,
    values,
  );
  if (resent.length > 0) await enqueue(db, "webhooks_stored", {});
  return resent.length;
}
