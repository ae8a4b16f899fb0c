import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { created, readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf } from "@/lib/db";
import { createEndpoint, listEndpoints } from "@/lib/webhooks/endpoints";
import { aPage, aSecret, aWebhook } from "../_shapes/examples";
import { WebhookDetails, WebhookSecret, webhookShape } from "../_shapes/webhook";
import { currentWebhook, refuseAuditEvents, WebhookFields } from "./_writing";

const listOperation = readOperation({
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  description: "Lists the webhooks of the workspace, oldest first.",
  returns: "One page of webhooks.",
  example: { webhooks: [aWebhook], pagination: aPage },
  scope: "webhooks",
  noStore: true,
  params: z.object({}),
  query: Paging,
  response: z
    .object({ webhooks: z.array(WebhookDetails).describe("The webhooks of this page."), pagination: Pagination })
    .meta({ id: "WebhookList", description: "One page of webhooks." }),
  async handle({ read, query }) {
    const endpoints = await listEndpoints(read);
    const { limit, offset } = windowOf(query);
    return {
      webhooks: endpoints.slice(offset, offset + limit).map(webhookShape),
      pagination: paginationOf(query, endpoints.length),
    };
  },
});

const createOperation = writeOperation({
  operationId: "createWebhook",
  tag: "Webhooks",
  summary: "Create a webhook",
  description:
    "Creates a webhook and returns its signing secret. To replace the secret later, rotate it. A workspace can have up to 20 webhooks.",
  returns: "The new webhook and its secret.",
  example: { webhook: aWebhook, secret: aSecret },
  invalid: { field: "url", code: "invalid", message: "Enter a URL that begins with https://." },
  scope: "webhooks",
  noStore: true,
  isSecret: true,
  creates: "always",
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      ...WebhookFields,
      description: WebhookFields.description
        .optional()
        .describe(`${WebhookFields.description.description} Default: empty.`),
    })
    .meta({ id: "NewWebhook", description: "A new webhook." }),
  response: WebhookSecret,
  async handle({ db, workspace, key, body, actor }) {
    const { url, description = "", events } = body;
    refuseAuditEvents(key, events);
    const { id, secret } = await createEndpoint(db, workspace.id, { url, description, events }, actor);
    return created({ ...(await currentWebhook(readingOf(db), id)), secret }, `/webhooks/${id}`);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation, POST: createOperation });
