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
  /** Deletes the workspace's uploads that nothing has used for a day. */
  clean_uploads: z.object({}),
  /** The next piece of an export or import that somebody asked for in the browser. */
  transfer: z.object({ transferId: z.guid() }),
  /** Deletes the workspace itself, when its time is over (lib/workspaces/deletion.ts). */
  delete_workspace: z.object({}),
  /** The mail that tells one administrator that the workspace will be deleted. */
  deletion_scheduled: z.object({
    address: z.string(),
    memberName: z.string(),
    /** Who wants it, as they are known. */
    by: z.string(),
    at: z.iso.datetime(),
  }),
  /** The mail that invites somebody. The token of its link is made of these when it is written (lib/invitations.ts). */
  invitation: z.object({
    invitationId: z.guid(),
    nonce: z.string(),
    /** Who invites, by their name: never an address, which may not be theirs. */
    invitedBy: z.string(),
  }),
  /** Publishes an article at the time that was chosen for it, unless another was chosen meanwhile. */
  publish_scheduled: z.object({
    articleId: z.guid(),
    at: z.iso.datetime(),
    /** Who chose it. */
    by: z.object({ id: z.guid(), name: z.string() }),
    /** What they say that it changes. */
    summary: z.string().optional(),
  }),
  /** Publishes whatever is due in the workspace, and no job of its own has published. */
  publish_due: z.object({}),
  /** Forgets articles that were deleted longer ago than that can be undone. */
  forget_deleted: z.object({}),
  /** Forgets what was done with many articles at once, longer ago than that can be undone. */
  forget_undos: z.object({}),
  /** Has the articles of a category found by its name, which they were not when they came there or it changed. */
  reindex_category: z.object({ categoryId: z.guid() }),
  /** The mail whose link signs somebody in or leads to a new password, if a member has the address (lib/member-links.ts). */
  member_link: z.object({
    purpose: z.enum(["sign_in", "password_reset"]),
    email: z.string(),
    /** Where the link leads on to. */
    to: z.string().nullable(),
    askedAt: z.iso.datetime(),
    linkId: z.guid(),
    nonce: z.string(),
  }),
  /** The mail that has a member's new address confirmed. */
  email_confirmation: z.object({ linkId: z.guid(), nonce: z.string() }),
  /** The mail that tells of a changed password. */
  password_changed: z.object({ email: z.string(), memberName: z.string() }),
  /** The mail with all workspaces of an e-mail address. A job of no workspace. */
  workspaces_of_address: z.object({ address: z.string() }),
};

export type Task = keyof typeof payloads;
export type Payload<T extends Task> = z.output<(typeof payloads)[T]>;

/**
 * Has a job done after the transaction, by whichever server is free: at least once, and again with growing pauses when
 * it fails. A transaction that is rolled back leaves no job. Without a running server the job waits for one.
 * @param due when it is begun at the earliest; at once when left out
 * @throws ZodError when the payload is not what the task declares; fields it does not declare are left out
 */
export async function enqueue<T extends Task>(db: Db, task: T, payload: Payload<T>, due?: Date): Promise<void> {
  const json = JSON.stringify(payloads[task].parse(payload));
  await db.$executeRaw`SELECT enqueue_job(${task}, ${json}::json, ${due ?? null}::timestamptz)`;
}

/** Whose a job is that is no workspace's: behind the wall, nothing is. */
export const NO_WORKSPACE = "00000000-0000-0000-0000-000000000000";

/** A job as it is stored, for those who enqueue outside the wall; inside, `enqueue_job` says whose it is. */
export function envelope<T extends Task>(task: T, workspaceId: string, payload: Payload<T>): string {
  return JSON.stringify({ workspace_id: workspaceId, payload: payloads[task].parse(payload) });
}

const Envelope = z.object({ workspace_id: z.guid(), payload: z.unknown() });

/**
 * What a stored job says.
 * @throws ZodError when it is not a job of this task
 */
export function openEnvelope<T extends Task>(task: T, stored: unknown): { workspaceId: string; payload: Payload<T> } {
  const { workspace_id: workspaceId, payload } = Envelope.parse(stored);
  return { workspaceId, payload: payloads[task].parse(payload) as Payload<T> };
}
