import { z } from "zod";
import type { Db } from "@/lib/db";

/**
 * Every kind of job, and what one of it carries: enough to do the work later, and no secret, because jobs wait in the
 * database in the clear. What is done with it is in lib/jobs/handlers.ts.
 */
const payloads = {
  /** One of the two mails that a change of a member's e-mail address is told by (contract 34). */
  email_changed: z.object({
    tell: z.enum(["former_address", "new_address"]),
    formerAddress: z.string(),
    newAddress: z.string(),
    /** As whoever had this address was called when it changed. */
    memberName: z.string(),
    /** Who changed it. */
    actor: z.object({ kind: z.enum(["member", "api_key", "command_line", "system"]), name: z.string() }),
    /** Names of administrators to turn to. */
    administrators: z.array(z.string()),
  }),
};

export type Task = keyof typeof payloads;
export type Payload<T extends Task> = z.output<(typeof payloads)[T]>;

/**
 * Has a job done after the transaction, by whichever server is free: at least once, and again with growing pauses when
 * it fails. A transaction that is rolled back leaves no job. Without a running server the job waits for one.
 * @throws ZodError when the payload is not what the task declares; fields it does not declare are left out
 */
export async function enqueue<T extends Task>(db: Db, task: T, payload: Payload<T>): Promise<void> {
  const json = JSON.stringify(payloads[task].parse(payload));
  await db.$executeRaw`SELECT enqueue_job(${task}, ${json}::json)`;
}

const Envelope = z.object({ workspace_id: z.guid(), payload: z.unknown() });

/**
 * What a stored job says.
 * @throws ZodError when it is not a job of this task
 */
export function openEnvelope<T extends Task>(task: T, stored: unknown): { workspaceId: string; payload: Payload<T> } {
  const { workspace_id: workspaceId, payload } = Envelope.parse(stored);
  return { workspaceId, payload: payloads[task].parse(payload) };
}
