import { z } from "zod";
import { forbidden, notFound } from "@/lib/api/errors";
import type { ApiKey } from "@/lib/api/keys";
import { allows } from "@/lib/api-keys/scopes";
import type { Read } from "@/lib/db";
import { auditEvent, everyEvent } from "@/lib/events/events";
import { findDelivery } from "@/lib/webhooks/deliveries";
import { findEndpoint } from "@/lib/webhooks/endpoints";
import { aDelivery, aWebhook } from "../_shapes/examples";
import { type DeliveryAnswer, deliveryShape, type WebhookAnswer, webhookShape } from "../_shapes/webhook";

// The parameters, fields and answers of the operations on webhooks.

export const WebhookId = z.guid().meta({ description: "The webhook's ID.", examples: [aWebhook.id] });
export const DeliveryId = z.guid().meta({ description: "The delivery's ID.", examples: [aDelivery.id] });

const EVENTS = "events must be a list of events, such as article.published.";

const EventName = z
  .enum(everyEvent, { error: EVENTS })
  .meta({ id: "EventName", description: "An event that webhooks can send." });

export const WebhookFields = {
  url: z.string({ error: "url must be text." }).meta({
    description: "A URL on the public internet that begins with `https://`, at most 2,000 characters.",
    examples: [aWebhook.url],
  }),
  description: z.string({ error: "description must be text." }).meta({
    description: "What the webhook is for, at most 200 characters.",
    examples: [aWebhook.description],
  }),
  events: z.array(EventName, { error: EVENTS }).meta({
    description: "The events to send, at least one. `audit_entry.created` also requires the `audit.read` scope.",
    examples: [aWebhook.events],
  }),
};

/** A key that can't read the audit log may not have it sent elsewhere. Throws 403. */
export function refuseAuditEvents({ scopes }: Pick<ApiKey, "scopes">, events: readonly string[] = []): void {
  if (events.includes(auditEvent) && !allows(scopes, "audit.read")) throw forbidden("audit.read");
}

/** The answer of `GET`. Throws 404. */
export async function currentWebhook(read: Read, id: string): Promise<z.input<typeof WebhookAnswer>> {
  const endpoint = await findEndpoint(read, id);
  if (!endpoint) throw notFound();
  return { webhook: webhookShape(endpoint) };
}

/** Throws 404. */
export async function currentDelivery(
  read: Read,
  webhookId: string,
  id: string,
): Promise<z.input<typeof DeliveryAnswer>> {
  const delivery = await findDelivery(read, webhookId, id);
  if (!delivery) throw notFound();
  return { delivery: deliveryShape(webhookId, delivery) };
}
