import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf } from "@/lib/db";
import { resendDelivery } from "@/lib/webhooks/deliveries";
import type { Endpoint } from "@/lib/webhooks/endpoints";
import { aDelivery } from "../../../../../_shapes/examples";
import { DeliveryAnswer, WebhookAnswer, webhookShape } from "../../../../../_shapes/webhook";
import { currentDelivery, DeliveryId, WebhookId } from "../../../../_writing";

const resendOperation = writeOperation({
  operationId: "resendWebhookDelivery",
  tag: "Webhooks",
  summary: "Resend a delivery",
  description: "Sends a failed or successful delivery again, with the same `webhook-id`.",
  returns: "The delivery, which is waiting to be sent.",
  example: { delivery: aDelivery },
  invalid: { field: "webhook_id", code: "not_allowed", message: "This webhook is off. Switch it on first." },
  scope: "webhooks",
  noStore: true,
  params: z.object({ webhook_id: WebhookId, delivery_id: DeliveryId }),
  query: z.object({}),
  response: DeliveryAnswer,
  async handle({ db, params, actor, ifMatch }) {
    const { webhook_id: webhookId, delivery_id: id } = params;
    const agree = (before: Endpoint) => ifMatch({ webhook: webhookShape(before) }, WebhookAnswer);
    await resendDelivery(db, webhookId, id, actor, agree);
    return currentDelivery(readingOf(db), webhookId, id);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: resendOperation });
