import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf } from "@/lib/db";
import { type Endpoint, sendPing } from "@/lib/webhooks/endpoints";
import { aDelivery } from "../../../_shapes/examples";
import { DeliveryAnswer, WebhookAnswer, webhookShape } from "../../../_shapes/webhook";
import { currentDelivery, WebhookId } from "../../_writing";

const testOperation = writeOperation({
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "Sends one `ping` event to the webhook. A failed test is not sent again. To see the response, list the deliveries.",
  returns: "The delivery, which is waiting to be sent.",
  example: { delivery: { ...aDelivery, event: "ping" } },
  invalid: { field: "webhook_id", code: "not_allowed", message: "This webhook is off. Switch it on first." },
  scope: "webhooks",
  noStore: true,
  params: z.object({ webhook_id: WebhookId }),
  query: z.object({}),
  response: DeliveryAnswer,
  async handle({ db, params, actor, ifMatch }) {
    const id = params.webhook_id;
    const agree = (before: Endpoint) => ifMatch({ webhook: webhookShape(before) }, WebhookAnswer);
    return currentDelivery(readingOf(db), id, await sendPing(db, id, actor, agree));
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: testOperation });
