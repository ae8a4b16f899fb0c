import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { unpublishArticle } from "@/lib/articles/write-article";
import { WrittenAnswer } from "../../../_shapes/article-answer";
import { aWrittenArticle } from "../../../_shapes/examples";
import {
  ArticleName,
  ConflictFields,
  expectedOf,
  idOf,
  revisionConflicts,
  writing,
  writtenAnswer,
} from "../../_writing";

const unpublishOperation = writeOperation({
  operationId: "unpublishArticle",
  tag: "Articles",
  summary: "Unpublish an article",
  description:
    "Hides an article from readers. Its text becomes the draft, unless there is one already. If the article is not published, nothing changes.",
  returns: "The article, which is a draft now.",
  example: {
    ...aWrittenArticle,
    article: { ...aWrittenArticle.article, state: "draft" },
    has_draft: true,
    warnings: [],
  },
  invalid: { field: "revision", code: "invalid", message: "revision must be the number of an earlier response." },
  refusals: revisionConflicts,
  scope: "content.publish",
  noStore: true,
  params: z.object({ article_id: ArticleName }),
  query: z.object({}),
  body: z
    .object({ revision: ConflictFields.revision })
    .meta({ id: "Unpublication", description: "What to unpublish." }),
  isBodyOptional: true,
  response: WrittenAnswer,
  async handle(input) {
    const { db, params, actor } = input;
    const id = await idOf(db, params.article_id);
    return writtenAnswer(input, await writing(() => unpublishArticle(db, id, expectedOf(input), actor)));
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: unpublishOperation });
