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
import { current } from "@/lib/api/openapi.answers";
import { type Handler, route } from "@/lib/api/route";
import { InvalidError } from "@/lib/errors";
import { DeletedArticle, WrittenAnswer } from "../../_shapes/article-answer";
import { aNewArticle } from "../../_shapes/examples";
import { isPlain } from "../_writing";
import { POST as publish } from "../[article_id]/publish/route";
import { PATCH as article } from "../[article_id]/route";
import { POST as unpublish } from "../[article_id]/unpublish/route";
import { PUT as byExternalId } from "../by-external-id/[external_id]/route";
import { POST as articles } from "../route";

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
      ...itemFields(names, "What to do. To move an article, update its `category_id`."),
      article_id: z
        .string({ error: "article_id must be text." })
        .optional()
        .describe("The article's ID, permalink, or slug. Required, except to create or upsert an article."),
      external_id: z
        .string({ error: "external_id must be text." })
        .nullable()
        .optional()
        .describe("The ID of the article in your system. Required to upsert an article."),
    },
    { error: "Each item must be an object with an action." },
  )
  .meta({
    id: "BulkItem",
    description: "A change to one article, with the body fields of the request that the action stands for.",
  });

const BulkResult = z
  .object({
    ...resultFields,
    ...WrittenAnswer.partial().shape,
    deleted: DeletedArticle.shape.deleted.optional(),
    ...refusalFields,
    current,
  })
  .meta({
    id: "BulkResult",
    description: "The result of an item, with the fields that a separate request would have returned.",
  });

const bulkArticles = bulkOperation({
  operationId: "bulkArticles",
  tag: "Articles",
  summary: "Change many articles",
  description: [
    `Makes up to ${MOST_ITEMS} changes in order, independently of each other. A refused item changes nothing and doesn't stop the others. Each item needs the scope of its action, counts as one write, and gets the same result as a separate request.`,
    "`create` stands for `POST /articles`, `update` for `PATCH /articles/{article_id}`, and `upsert` for `PUT /articles/by-external-id/{external_id}`. `publish`, `unpublish`, and `delete` stand for the requests of the same name. Instead of `If-Match`, send `revision`.",
    `Items that have not started after ${BULK_SECONDS} seconds, or after 10 MB of results, have the 503 status and the \`not_tried\` code. If you repeat the request with the same \`Idempotency-Key\`, items that succeeded are not changed again, and all others are tried again. To correct an item, send it in a new request with a new \`Idempotency-Key\`.`,
  ].join("\n\n"),
  returns: "The results, in the order of the items.",
  example: {
    results: [
      { ref: "password", status: 201, ...aNewArticle },
      {
        ref: "install",
        status: 404,
        error: itemNotFound().message,
        code: "not_found",
      },
    ],
  },
  invalid: tooMany,
  scope: null,
  noStore: true,
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      items: itemsOf(BulkItem, [
        {
          action: "create",
          ref: "password",
          title: "Reset your password",
          markdown_content: "Open the sign-in page and select **Forgot password**.",
          category_path: ["Your account", "Sign-in"],
        },
        { action: "publish", ref: "install", article_id: "install-lectern" },
      ]),
    })
    .meta({ id: "BulkRequest", description: "Changes to articles." }),
  bodyLimit: 4 * 1024 * 1024,
  response: z
    .object({ results: z.array(BulkResult).describe("The result of each item.") })
    .meta({ id: "BulkAnswer", description: "The results of a bulk request." }),
  seconds: BULK_SECONDS,
  requestOf,
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
