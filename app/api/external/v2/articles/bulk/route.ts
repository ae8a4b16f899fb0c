import { z } from "zod";
import { bulkOperation, type ItemRequest } from "@/lib/api/bulk";
import { current, details, ErrorCode } from "@/lib/api/openapi.answers";
import { type Handler, route } from "@/lib/api/route";
import { InvalidError } from "@/lib/errors";
import { DeletedArticle, WrittenAnswer } from "../../_shapes/article-answer";
import { aWrittenArticle } from "../../_shapes/examples";
import { isPlain } from "../_writing";
import { POST as publish } from "../[article_id]/publish/route";
import { PATCH as article } from "../[article_id]/route";
import { POST as unpublish } from "../[article_id]/unpublish/route";
import { PUT as byExternalId } from "../by-external-id/[external_id]/route";
import { POST as articles } from "../route";

/** No bulk request takes more items. */
const MOST_ITEMS = 100;
const SECONDS = 20;

/** The request that each action stands for. */
const actions = {
  create: ["POST", "/articles", articles],
  update: ["PATCH", "/articles/{article_id}", article],
  upsert: ["PUT", "/articles/by-external-id/{external_id}", byExternalId],
  publish: ["POST", "/articles/{article_id}/publish", publish],
  unpublish: ["POST", "/articles/{article_id}/unpublish", unpublish],
  delete: ["DELETE", "/articles/{article_id}", article],
} as const satisfies Record<string, [method: string, path: string, handler: Handler]>;

const names = Object.keys(actions) as [keyof typeof actions];

const BulkItem = z
  .looseObject(
    {
      action: z
        .enum(names, { error: `action must be one of ${names.join(", ")}.` })
        .describe("What to do. To move an article, update its `category_id`."),
      ref: z
        .string({ error: "ref must be text." })
        .max(200, { error: "ref can have at most 200 characters." })
        .optional()
        .describe("A name that you choose for the item. Its result repeats it."),
      article_id: z
        .string({ error: "article_id must be text." })
        .optional()
        .describe("The article's id, permalink or slug. Required, except to create or upsert an article."),
      external_id: z
        .string({ error: "external_id must be text." })
        .nullable()
        .optional()
        .describe("The id of the article in your system. Required to upsert an article."),
    },
    { error: "Each item must be an object with an action." },
  )
  .meta({
    id: "BulkItem",
    description: "A change of one article, with the body fields of the request that the action stands for.",
  });

const BulkResult = z
  .object({
    ref: z.string().nullable().describe("The `ref` of the item, or null."),
    status: z.int().describe("The status that the request would have had alone."),
    ...WrittenAnswer.partial().shape,
    deleted: DeletedArticle.shape.deleted.optional(),
    error: z.string().optional().describe("If the item was refused: what happened and what to do."),
    code: ErrorCode.optional(),
    details: details.optional(),
    current,
  })
  .meta({
    id: "BulkResult",
    description: "The result of an item, with the fields of the response that the request would have had alone.",
  });

const bulkArticles = bulkOperation({
  operationId: "bulkArticles",
  tag: "Articles",
  summary: "Change many articles",
  description: [
    `Takes up to ${MOST_ITEMS} changes and makes them in order, each on its own. A refused item changes nothing and doesn't stop the others. Each item needs the scope of its action, counts as one write, and gets the same result as a separate request.`,
    "`create` stands for `POST /articles`, `update` for `PATCH /articles/{article_id}`, `upsert` for `PUT /articles/by-external-id/{external_id}`, `publish`, `unpublish` and `delete` for the requests of these names. Instead of `If-Match`, send `revision`.",
    `Items that have not started after ${SECONDS} seconds, or after 10 MB of results, get the status 503 and the code \`not_tried\`. If you repeat the request with the same \`Idempotency-Key\`, items that succeeded are not changed again, and all others are tried again. To correct an item, send it in a new request with a new key.`,
  ].join("\n\n"),
  returns: "The results, in the order of the items.",
  example: {
    results: [
      { ref: "intro", status: 201, ...aWrittenArticle },
      {
        ref: "old",
        status: 404,
        error: "Not found. Check the id in the URL.",
        code: "not_found",
      },
    ],
  },
  invalid: { field: "items", code: "too_long", message: `items can have at most ${MOST_ITEMS} items.` },
  scope: null,
  noStore: true,
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      items: z
        .array(BulkItem, { error: "items must be a list." })
        .min(1, { error: "items must have at least one item." })
        .max(MOST_ITEMS, { error: `items can have at most ${MOST_ITEMS} items.` })
        .meta({
          description: `The changes, 1 to ${MOST_ITEMS}.`,
          examples: [
            [
              {
                action: "create",
                ref: "intro",
                title: "Introduction",
                markdown_content: "Welcome.",
                category_path: ["Guides"],
              },
              { action: "publish", article_id: "reset-your-password" },
            ],
          ],
        }),
    })
    .meta({ id: "BulkRequest", description: "Changes of articles." }),
  bodyLimit: 4 * 1024 * 1024,
  seconds: SECONDS,
  response: z
    .object({ results: z.array(BulkResult).describe("The result of each item.") })
    .meta({ id: "BulkAnswer", description: "The results of a bulk request." }),
  requests: ({ items }) => items.map((item) => () => requestOf(item)),
  answer: ({ items }, results) => ({
    results: results.map(({ status, body }, index) => ({ ref: items[index]?.ref ?? null, status, ...body })),
  }),
});

/** Refuses an item whose path would lack its id. */
function requestOf({ action, ref: _, article_id, ...fields }: z.output<typeof BulkItem>): ItemRequest {
  const [method, path, handler] = actions[action];
  const { external_id, ...others } = fields;
  const params = path.includes("{article_id}") ? { article_id } : path.includes("{") ? { external_id } : {};
  for (const [field, value] of Object.entries(params)) {
    if (!value) {
      throw new InvalidError([{ field, code: "required", message: `To ${action} an article, send ${field}.` }]);
    }
    if (!isPlain(value)) {
      throw new InvalidError([{ field, code: "invalid", message: `${field} can't contain control characters.` }]);
    }
  }
  const body = action === "upsert" ? others : fields;
  return { operation: handler.operations[method]!, method, path, params: params as Record<string, string>, body };
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: bulkArticles });
