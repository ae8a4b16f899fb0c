import { z } from "zod";
import type { Delivery } from "@/lib/webhooks/deliveries";
import type { Endpoint } from "@/lib/webhooks/endpoints";

export const WebhookDetails = z
  .object({
    id: z.guid().describe("The webhook's ID, which never changes."),
    url: z.string().describe("Where events are sent."),
    description: z.string().describe("What the webhook is for."),
    events: z.array(z.string()).describe("The events that are sent."),
    active: z.boolean().describe("Whether events are sent."),
    off_because: z
      .enum(["gone", "failing", "full"])
      .nullable()
      .describe(
        "Why Lectern switched the webhook off: `gone` after a 410 response, `failing` if every delivery failed for 3 days, or `full` if too many deliveries were waiting. Otherwise null.",
      ),
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe("The time of the first failed attempt since the last successful delivery, or null."),
    old_secret_until: z.iso
      .datetime()
      .nullable()
      .describe("Until when Lectern also signs requests with the old secret. Null if only one secret is used."),
    created_at: z.iso.datetime().describe("When it was created."),
  })
  .meta({ id: "Webhook", description: "A URL to which events are sent, without the signing secret." });

export const WebhookAnswer = z
  .object({ webhook: WebhookDetails.describe("The webhook.") })
  .meta({ id: "WebhookAnswer", description: "One webhook." });

export const WebhookSecret = WebhookAnswer.extend({
  secret: z.string().describe("The signing secret. No other response contains it."),
}).meta({ id: "WebhookSecret", description: "A webhook with its new secret." });

export const DeliveryDetails = z
  .object({
    id: z.guid().describe("The delivery's ID, which requests send in the `webhook-id` header."),
    webhook_id: z.guid().describe("The ID of the webhook."),
    event: z.string().describe("The event, such as `article.published`, or `ping` for a test."),
    state: z
      .enum(["waiting", "delivered", "failed"])
      .describe("`waiting` until an attempt succeeds or the last one fails."),
    created_at: z.iso.datetime().describe("When the event happened."),
    attempts: z.int().min(0).describe("The number of attempts."),
    next_attempt_at: z.iso.datetime().nullable().describe("When the next attempt is due. Null if no attempt is due."),
    attempted_at: z.iso.datetime().nullable().describe("The time of the last attempt, or null."),
    took_ms: z.int().min(0).nullable().describe("How long the last attempt took, in milliseconds, or null."),
    status: z.int().nullable().describe("The status of the last response, or null if there was none."),
    problem: z.string().nullable().describe("Why the last attempt failed, or null."),
  })
  .meta({ id: "WebhookDelivery", description: "An event that was or will be sent to a webhook." });

export const DeliveryAnswer = z
  .object({ delivery: DeliveryDetails.describe("The delivery.") })
  .meta({ id: "WebhookDeliveryAnswer", description: "One delivery." });

export function webhookShape(endpoint: Endpoint): z.input<typeof WebhookDetails> {
  const { id, url, description, events, active, offBecause, failingSince, formerUntil, createdAt } = endpoint;
  return {
    ...{ id, url, description, events, active },
    off_because: offBecause,
    failing_since: failingSince?.toISOString() ?? null,
    old_secret_until: formerUntil?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

export function deliveryShape(webhookId: string, delivery: Delivery): z.input<typeof DeliveryDetails> {
  const { id, event, state, createdAt, attempts, dueAt, attemptedAt, tookMs, status, problem } = delivery;
  return {
    ...{ id, webhook_id: webhookId, event, state, attempts, status, problem },
    created_at: createdAt.toISOString(),
    next_attempt_at: state === "waiting" ? dueAt.toISOString() : null,
    attempted_at: attemptedAt?.toISOString() ?? null,
    took_ms: tookMs,
  };
}
