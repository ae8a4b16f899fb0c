import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listDeliveries } from "@/lib/webhooks/deliveries";
import { findEndpoint } from "@/lib/webhooks/endpoints";
import { aDelivery, aPage } from "../../../_shapes/examples";
import { DeliveryDetails, deliveryShape } from "../../../_shapes/webhook";
import { WebhookId } from "../../_writing";

const listOperation = readOperation({
  operationId: "listWebhookDeliveries",
  tag: "Webhooks",
  summary: "List webhook deliveries",
  description: "Lists the deliveries of the last 14 days, newest first.",
  returns: "One page of deliveries.",
  example: { deliveries: [aDelivery], pagination: aPage },
  scope: "webhooks",
  noStore: true,
  params: z.object({ webhook_id: WebhookId }),
  query: Paging.extend({
    state: z
      .enum(["waiting", "delivered", "failed"], { error: "state must be waiting, delivered, or failed." })
      .optional()
      .meta({ description: "Only deliveries in this state.", examples: ["failed"] }),
  }),
  response: z
    .object({ deliveries: z.array(DeliveryDetails).describe("The deliveries of this page."), pagination: Pagination })
    .meta({ id: "WebhookDeliveryList", description: "One page of deliveries." }),
  async handle({ read, params, query }) {
    const id = params.webhook_id;
    if (!(await findEndpoint(read, id))) throw notFound();
    const { deliveries, total } = await listDeliveries(read, id, { state: query.state, ...windowOf(query) });
    return {
      deliveries: deliveries.map((delivery) => deliveryShape(id, delivery)),
      pagination: paginationOf(query, total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
