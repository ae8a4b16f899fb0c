import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf } from "@/lib/db";
import { type Endpoint, rotateSecret } from "@/lib/webhooks/endpoints";
import { aSecret, aWebhook } from "../../../_shapes/examples";
import { WebhookAnswer, WebhookSecret, webhookShape } from "../../../_shapes/webhook";
import { currentWebhook, refuseAuditEvents, WebhookId } from "../../_writing";

const rotateOperation = writeOperation({
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Rotate a webhook secret",
  description:
    "Replaces the signing secret and returns the new one. For 24 hours, requests are also signed with the old secret.",
  returns: "The webhook and its new secret.",
  example: { webhook: { ...aWebhook, old_secret_until: "2026-01-22T11:55:00.000Z" }, secret: aSecret },
  scope: "webhooks",
  noStore: true,
  isSecret: true,
  params: z.object({ webhook_id: WebhookId }),
  query: z.object({}),
  response: WebhookSecret,
  async handle({ db, workspace, key, params, actor, ifMatch }) {
    const id = params.webhook_id;
    const agree = (before: Endpoint) => {
      refuseAuditEvents(key, before.events);
      ifMatch({ webhook: webhookShape(before) }, WebhookAnswer);
    };
    const { secret } = await rotateSecret(db, workspace.id, id, actor, agree);
    return { ...(await currentWebhook(readingOf(db), id)), secret };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: rotateOperation });
