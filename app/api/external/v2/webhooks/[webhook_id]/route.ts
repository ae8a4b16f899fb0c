import { z } from "zod";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf } from "@/lib/db";
import { changeEndpoint, deleteEndpoint, type Endpoint, switchEndpoint } from "@/lib/webhooks/endpoints";
import { aWebhook } from "../../_shapes/examples";
import { WebhookAnswer, WebhookDetails, webhookShape } from "../../_shapes/webhook";
import { currentWebhook, refuseAuditEvents, WebhookFields, WebhookId } from "../_writing";

const params = z.object({ webhook_id: WebhookId });

const getWebhook = readOperation({
  operationId: "getWebhook",
  tag: "Webhooks",
  summary: "Get a webhook",
  description: "Returns one webhook, without its secret.",
  returns: "The webhook.",
  example: { webhook: aWebhook },
  scope: "webhooks",
  noStore: true,
  params,
  query: z.object({}),
  response: WebhookAnswer,
  handle: ({ read, params }) => currentWebhook(read, params.webhook_id),
});

const updateOperation = writeOperation({
  operationId: "updateWebhook",
  tag: "Webhooks",
  summary: "Update a webhook",
  description:
    "Changes the fields you send and leaves the others unchanged. `events` replaces the whole list and deletes the deliveries of removed events. With `active: false`, nothing is sent, and waiting deliveries fail.",
  returns: "The webhook as it is now.",
  example: { webhook: aWebhook },
  invalid: { field: "url", code: "invalid", message: "Enter a URL that begins with https://." },
  scope: "webhooks",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      ...WebhookFields,
      active: z
        .boolean({ error: "active must be true or false." })
        .meta({ description: "Whether events are sent.", examples: [true] }),
    })
    .partial()
    .meta({ id: "WebhookChanges", description: "The fields to change." }),
  ignored: WebhookDetails,
  response: WebhookAnswer,
  async handle({ db, params, key, body, actor, ifMatch }) {
    const { active, ...fields } = body;
    const id = params.webhook_id;
    refuseAuditEvents(key, fields.events);
    await changeEndpoint(db, id, fields, actor, (before) => {
      refuseAuditEvents(key, before.events);
      ifMatch({ webhook: webhookShape(before) });
    });
    if (active !== undefined) await switchEndpoint(db, id, active, actor);
    return currentWebhook(readingOf(db), id);
  },
});

const deleteWebhook = writeOperation({
  operationId: "deleteWebhook",
  tag: "Webhooks",
  summary: "Delete a webhook",
  description: "Deletes a webhook with its deliveries. It can't be restored. Waiting deliveries are not sent.",
  returns: "The deleted webhook.",
  example: { deleted: aWebhook },
  scope: "webhooks",
  noStore: true,
  params,
  query: z.object({}),
  response: z
    .object({ deleted: WebhookDetails.describe("The deleted webhook.") })
    .meta({ id: "DeletedWebhook", description: "A webhook that was deleted." }),
  async handle({ db, params, actor, ifMatch }) {
    const agree = (before: Endpoint) => ifMatch({ webhook: webhookShape(before) }, WebhookAnswer);
    return { deleted: webhookShape(await deleteEndpoint(db, params.webhook_id, actor, agree)) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getWebhook,
  PATCH: updateOperation,
  DELETE: deleteWebhook,
});
