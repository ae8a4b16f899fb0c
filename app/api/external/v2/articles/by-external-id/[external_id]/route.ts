import { z } from "zod";
import { created, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { upsertArticle } from "@/lib/articles/write-article";
import { WrittenAnswer } from "../../../_shapes/article-answer";
import { aWrittenArticle } from "../../../_shapes/examples";
import {
  ConflictFields,
  ContentFields,
  draftConflicts,
  ExternalId,
  expectedOf,
  newInputOf,
  PlaceFields,
  Publish,
  preparedUpsert,
  TEXT_LIMIT,
  Title,
  wishesOf,
  writing,
  writtenAnswer,
} from "../../_writing";

const putArticle = writeOperation({
  operationId: "putArticle",
  tag: "Articles",
  summary: "Create or update an article by external id",
  description: [
    "Creates the article with this external id, or updates it if there is one: the request for programs that keep articles in step with another system. It can be repeated. If the article is as you send it already, nothing is written, and the response has `changed: false`.",
    "Fields that you don't send stay as they are. A new article is a draft unless you send `publish`. Everything else is as for `PATCH /articles/{article_id}`.",
  ].join("\n\n"),
  returns: "The article as it is now.",
  example: aWrittenArticle,
  invalid: {
    field: "category_path",
    code: "not_found",
    message: "There is no category Guides. Send create_categories to create it.",
  },
  refusals: draftConflicts,
  scope: "content.draft",
  noStore: true,
  creates: "sometimes",
  params: z.object({
    external_id: ExternalId.meta({
      description: "The id of the article in your system, at most 200 characters, percent-encoded.",
      examples: ["reset-your-password"],
    }),
  }),
  query: z.object({}),
  body: z.object({ title: Title, ...ContentFields, ...PlaceFields, publish: Publish, ...ConflictFields }).meta({
    id: "UpsertedArticle",
    description: "The article. Exactly one of its two texts, and one of its two categories, is required.",
  }),
  bodyLimit: TEXT_LIMIT,
  response: WrittenAnswer,
  prepare: (input) => preparedUpsert(input, input.params.external_id),
  async handle(input) {
    const { db, body, params, prepared, actor } = input;
    const wishes = wishesOf(input, body.publish, prepared);
    const written = await writing(
      async () =>
        upsertArticle(db, params.external_id, await newInputOf(input, body), wishes, expectedOf(input), actor),
      body.markdown_content !== undefined,
    );
    const answer = await writtenAnswer(input, written, prepared);
    return written.created ? created(answer, `/articles/${written.id}`) : answer;
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ PUT: putArticle });
