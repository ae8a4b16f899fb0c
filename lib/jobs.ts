import { z } from "zod";
import type { Db } from "@/lib/db";

/** Payloads hold no secrets, because jobs are stored in plain text. server/jobs/handlers.ts does the work. */
const payloads = {
  email_changed: z.object({
    tell: z.enum(["former_address", "new_address"]),
    formerAddress: z.string(),
    newAddress: z.string(),
    memberName: z.string(),
    actor: z.object({ kind: z.enum(["member", "api_key", "command_line", "system"]), name: z.string() }),
    administrators: z.array(z.string()),
    /** How many were removed. Absent in jobs of versions without passkeys. */
    passkeys: z.int().default(0),
  }),
  /** Of the whole installation, without a workspace. */
  backup: z.object({}),
  clean_uploads: z.object({}),
  bulk_action: z.object({ actionId: z.guid() }),
  transfer: z.object({ transferId: z.guid() }),
  delete_workspace: z.object({}),
  deletion_scheduled: z.object({
    email: z.string(),
    memberName: z.string(),
    by: z.string(),
    at: z.iso.datetime(),
  }),
  /** The mail's token is derived from these when it is written (lib/members/invitations.ts). */
  invitation: z.object({
    invitationId: z.guid(),
    nonce: z.string(),
    invitedBy: z.string(),
  }),
  publish_scheduled: z.object({
    articleId: z.guid(),
    at: z.iso.datetime(),
    by: z.object({ id: z.guid(), name: z.string() }),
    summary: z.string().optional(),
  }),
  /** Publishes due articles whose own job missed them. */
  publish_due: z.object({}),
  purge_trash: z.object({}),
  embed_article: z.object({ articleId: z.guid() }),
  reindex_category: z.object({ categoryId: z.guid() }),
  /** Updates the articles in snippet_updates. A workspace has one such job (enqueue_job.sql). */
  update_snippets: z.object({}),
  member_link: z.object({
    purpose: z.enum(["sign_in", "password_reset"]),
    email: z.string(),
    to: z.string().nullable(),
    requestedAt: z.iso.datetime(),
    linkId: z.guid(),
    nonce: z.string(),
  }),
  email_confirmation: z.object({ linkId: z.guid(), nonce: z.string() }),
  /** `passkeys` counts those that were removed. Absent in jobs of versions without passkeys. */
  password_changed: z.object({ email: z.string(), memberName: z.string(), passkeys: z.int().default(0) }),
  two_step_changed: z.object({
    email: z.string(),
    memberName: z.string(),
    change: z.enum(["on", "off", "reset", "codes"]),
    by: z.string(),
  }),
  passkeys_changed: z.object({
    email: z.string(),
    memberName: z.string(),
    change: z.enum(["added", "removed"]),
    passkeys: z.string().array(),
    /** Null for the member. */
    by: z.string().nullable(),
  }),
  new_sign_in: z.object({
    email: z.string(),
    memberName: z.string(),
    /** Absent in jobs of versions that knew passwords only. */
    by: z.enum(["password", "identity_provider", "passkey"]).default("password"),
    device: z.string(),
    ip: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  key_created: z.object({
    email: z.string(),
    memberName: z.string(),
    by: z.string(),
    keyName: z.string(),
    lastFour: z.string(),
    /** Such as "read all content and write drafts". */
    access: z.string(),
  }),
  identity_provider_changed: z.object({
    email: z.string(),
    memberName: z.string(),
    by: z.string(),
    change: z.enum(["added", "changed", "removed"]),
    providerName: z.string(),
  }),
  /** A committed transaction stored webhooks. */
  webhooks_stored: z.object({}),
  /** Delivers due webhooks. A workspace has one such job (enqueue_job.sql). */
  deliver_webhooks: z.object({}),
  webhook_off: z.object({
    email: z.string(),
    memberName: z.string(),
    /** Without the path, which can hold a secret. */
    host: z.string(),
    because: z.enum(["gone", "failing", "full"]),
  }),
  workspaces_of_address: z.object({ address: z.string() }),
};

export type Task = keyof typeof payloads;
export type Payload<T extends Task> = z.output<(typeof payloads)[T]>;

/**
 * Queues a job within the transaction. It runs at least once, with growing pauses after failures.
 * @param due a time, or a delay in milliseconds. PostgreSQL adds the delay, because this process's clock can jump
 */
export async function enqueue<T extends Task>(
  db: Db,
  task: T,
  payload: Payload<T>,
  due?: Date | number,
): Promise<void> {
  const json = JSON.stringify(payloads[task].parse(payload));
  const [at, seconds] = typeof due === "number" ? [null, due / 1000] : [due ?? null, null];
  await db.$executeRaw`
    SELECT enqueue_job(${task}, ${json}::json, coalesce(${at}::timestamptz, now() + make_interval(secs => ${seconds})))`;
}

/** For a job without a workspace. Behind the wall, it sees nothing. */
export const NO_WORKSPACE = "00000000-0000-0000-0000-000000000000";

/** A stored job, to enqueue outside the wall. Inside, `enqueue_job` adds the workspace. */
export function envelope<T extends Task>(task: T, workspaceId: string, payload: Payload<T>): string {
  return JSON.stringify({ workspace_id: workspaceId, payload: payloads[task].parse(payload) });
}

const Envelope = z.object({ workspace_id: z.guid(), payload: z.unknown() });

export function openEnvelope<T extends Task>(task: T, stored: unknown): { workspaceId: string; payload: Payload<T> } {
  const { workspace_id: workspaceId, payload } = Envelope.parse(stored);
  return { workspaceId, payload: payloads[task].parse(payload) as Payload<T> };
}
