import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { updateArticle } from "@/lib/articles/write-article";
import { WrittenAnswer } from "../../../_shapes/article-answer";
import { aWrittenArticle } from "../../../_shapes/examples";
import {
  ArticleName,
  ConflictFields,
  expectedOf,
  idOf,
  preparedChange,
  publishConflicts,
  wishesOf,
  writing,
  writtenAnswer,
} from "../../_writing";

const publishArticle = writeOperation({
  operationId: "publishArticle",
  tag: "Articles",
  summary: "Publish an article",
  description:
    "Makes an article's draft live and cancels its schedule. A draft that a team member saved last is published only if you send its `revision`, or its `ETag` in `If-Match`. Without a draft, nothing changes.",
  returns: "The article as readers see it now.",
  example: aWrittenArticle,
  invalid: { field: "html_content", code: "required", message: "Add text before you publish the article." },
  refusals: publishConflicts,
  scope: "content.publish",
  noStore: true,
  params: z.object({ article_id: ArticleName }),
  query: z.object({}),
  body: z
    .object({ revision: ConflictFields.revision })
    .meta({ id: "Publication", description: "Conditions for publishing." }),
  isBodyOptional: true,
  response: WrittenAnswer,
  prepare: ({ workspace, key, params }) =>
    preparedChange({ workspace, key, body: { publish: true } }, "nothing", params.article_id),
  async handle(input) {
    const { db, params, prepared, actor } = input;
    const id = await idOf(db, params.article_id);
    const wishes = wishesOf(input, true, prepared);
    return writtenAnswer(
      input,
      await writing(() => updateArticle(db, id, { text: {} }, wishes, expectedOf(input), actor), { canKeep: false }),
    );
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: publishArticle });
