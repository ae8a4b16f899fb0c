import { z } from "zod";
import {
  BULK_SECONDS,
  bulkOperation,
  type ItemRequest,
  itemFields,
  itemNotFound,
  itemsOf,
  MOST_ITEMS,
  refusalFields,
  resultFields,
  tooMany,
} from "@/lib/api/bulk";
import { type Handler, route } from "@/lib/api/route";
import { InvalidError } from "@/lib/errors";
import { aRedirect } from "../../_shapes/examples";
import { RedirectDetails } from "../../_shapes/redirect";
import { DELETE as deleted, PATCH as updated } from "../[redirect_id]/route";
import { POST as created } from "../route";

/** The request that each action stands for. */
const actions = {
  create: ["POST", "/redirects", created],
  update: ["PATCH", "/redirects/{redirect_id}", updated],
  delete: ["DELETE", "/redirects/{redirect_id}", deleted],
} as const satisfies Record<string, [method: string, path: string, handler: Handler]>;

const names = Object.keys(actions) as [keyof typeof actions];

const RedirectItem = z
  .looseObject(
    {
      ...itemFields(names, "What to do."),
      redirect_id: z
        .string({ error: "redirect_id must be text." })
        .optional()
        .describe("The redirect's ID. Required, except to create a redirect."),
    },
    { error: "Each item must be an object with an action." },
  )
  .meta({
    id: "RedirectItem",
    description: "A change to one redirect, with the body fields of the request that the action stands for.",
  });

const RedirectResult = z
  .object({
    ...resultFields,
    redirect: RedirectDetails.optional(),
    deleted: RedirectDetails.optional().describe("The deleted redirect."),
    ...refusalFields,
  })
  .meta({
    id: "RedirectResult",
    description: "The result of an item, with the fields that a separate request would have returned.",
  });

const bulkRedirects = bulkOperation({
  operationId: "bulkRedirects",
  tag: "Redirects",
  summary: "Change many redirects",
  description: [
    `Makes up to ${MOST_ITEMS} changes in order, independently of each other. A refused item changes nothing and doesn't stop the others. Each item counts as one write and gets the same result as a separate request.`,
    "`create` stands for `POST /redirects`, `update` for `PATCH /redirects/{redirect_id}`, and `delete` for `DELETE /redirects/{redirect_id}`.",
    `Items that have not started after ${BULK_SECONDS} seconds, or after 10 MB of results, have the 503 status and the \`not_tried\` code. If you repeat the request with the same \`Idempotency-Key\`, items that succeeded are not changed again, and all others are tried again. To correct an item, send it in a new request with a new \`Idempotency-Key\`.`,
  ].join("\n\n"),
  returns: "The results, in the order of the items.",
  example: {
    results: [
      {
        ref: "billing",
        status: 201,
        redirect: {
          ...aRedirect,
          from: "/help/billing",
          to: { path: "https://example.com/billing" },
          to_url: "https://example.com/billing",
        },
      },
      {
        ref: "old",
        status: 404,
        error: itemNotFound().message,
        code: "not_found",
      },
    ],
  },
  invalid: tooMany,
  scope: "redirects",
  noStore: true,
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      items: itemsOf(RedirectItem, [
        { action: "create", ref: "billing", from: "/help/billing", to: { path: "https://example.com/billing" } },
        { action: "delete", ref: "old", redirect_id: aRedirect.id },
      ]),
    })
    .meta({ id: "RedirectBulkRequest", description: "Changes to redirects." }),
  bodyLimit: 1024 * 1024,
  response: z
    .object({ results: z.array(RedirectResult).describe("The result of each item.") })
    .meta({ id: "RedirectBulkAnswer", description: "The results of a bulk request." }),
  seconds: BULK_SECONDS,
  requestOf,
});

/** Refuses an item whose path would lack its id. */
function requestOf({ action, ref: _, redirect_id, ...body }: z.output<typeof RedirectItem>): ItemRequest {
  const [method, path, handler] = actions[action];
  if (!redirect_id && path.includes("{")) {
    throw new InvalidError([
      { field: "redirect_id", code: "required", message: `To ${action} a redirect, send redirect_id.` },
    ]);
  }
  return { operation: handler.operations[method]!, method, path, params: redirect_id ? { redirect_id } : {}, body };
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: bulkRedirects });
