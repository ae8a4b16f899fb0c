import { z } from "zod";
import { created, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { upsertArticle } from "@/lib/articles/write-article";
import { WrittenAnswer } from "../../../_shapes/article-answer";
import { aNewArticle } from "../../../_shapes/examples";
import {
  ConflictFields,
  checkedExternalId,
  createTogether,
  draftConflicts,
  expectedOf,
  groupOf,
  inputOf,
  Publish,
  preparedUpsert,
  TEXT_LIMIT,
  Title,
  UpsertFields,
  wishesOf,
  writing,
  writtenAnswer,
} from "../../_writing";

const aSyncedArticle = { ...aNewArticle, external_id: "reset-your-password" };

const putArticle = writeOperation({
  operationId: "putArticle",
  tag: "Articles",
  summary: "Create or update an article by external ID",
  description: [
    "Creates the article with this external ID, or updates it if it exists. Use this request to sync articles from another system. You can safely repeat the request. If the article already matches, nothing is written, and the response has `changed: false`. With `revision` or `If-Match`, nothing is created, and the response is a 412 if no article has this external ID.",
    "Fields you don't send stay unchanged. A new article needs text and a category, and is a draft unless you send `publish`. Everything else works as in `PATCH /articles/{article_id}`.",
  ].join("\n\n"),
  returns: "The article as it is now.",
  example: {
    ...aSyncedArticle,
    article: { ...aSyncedArticle.article, updated_at: "2026-01-31T16:20:00.000Z" },
    revision: 2,
  },
  invalid: {
    field: "category_path",
    code: "not_found",
    message: "The category Guides doesn't exist. Send create_categories: true to create it.",
  },
  refusals: draftConflicts,
  scope: "content.draft",
  noStore: true,
  creates: { returns: "The new article.", example: aSyncedArticle },
  params: z.object({
    // Checked in `prepare`: as the id is the caller's own, a bad one is a 422 that says why, not a 404.
    external_id: z
      .string()
      .trim()
      .meta({
        description: "The ID of the article in your system, at most 200 characters, percent-encoded.",
        examples: ["reset-your-password"],
      }),
  }),
  query: z.object({}),
  body: z.object({ title: Title, ...UpsertFields, publish: Publish, ...ConflictFields }).meta({
    id: "UpsertedArticle",
    description:
      "The article. Send at most one of `html_content` and `markdown_content`, and at most one of `category_id` and `category_path`. A new article needs one of each. An existing article keeps the text or category that you omit.",
  }),
  bodyLimit: TEXT_LIMIT,
  response: WrittenAnswer,
  prepare: (input) => preparedUpsert(input, checkedExternalId(input.params.external_id)),
  async handle(input) {
    const { db, body, params, prepared, actor } = input;
    const wishes = wishesOf(input, body.publish, prepared);
    const written = await writing(
      async () => upsertArticle(db, params.external_id, await inputOf(input, body), wishes, expectedOf(input), actor),
      { isMarkdown: body.markdown_content !== undefined },
    );
    const answer = await writtenAnswer(input, written, prepared);
    return written.created ? created(answer, `/articles/${written.id}`) : answer;
  },
  shared: {
    group({ prepared, mustExist, body, ...input }) {
      const isNew = prepared.isNew && prepared.body && !mustExist && body.revision === undefined;
      return isNew ? groupOf({ ...input, body }, body.publish) : null;
    },
    handle(inputs, db) {
      const named = inputs.map((input) => ({
        ...input,
        body: { ...input.body, external_id: input.params.external_id },
      }));
      return createTogether(named, db, inputs[0]?.body.publish);
    },
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ PUT: putArticle });
