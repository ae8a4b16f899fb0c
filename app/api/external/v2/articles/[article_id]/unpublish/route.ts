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
    "Hides an article from readers. Its live text becomes the draft, unless the article already has a draft. If the article is not published, nothing changes.",
  returns: "The article, now a draft.",
  example: {
    ...aWrittenArticle,
    article: {
      ...aWrittenArticle.article,
      state: "draft",
      category: { ...aWrittenArticle.article.category, articles_count: 1, total_articles_count: 1 },
    },
    has_draft: true,
  },
  invalid: { field: "revision", code: "invalid", message: "revision must be a number from an earlier response." },
  refusals: revisionConflicts,
  scope: "content.publish",
  noStore: true,
  params: z.object({ article_id: ArticleName }),
  query: z.object({}),
  body: z
    .object({ revision: ConflictFields.revision })
    .meta({ id: "Unpublication", description: "Conditions for unpublishing." }),
  isBodyOptional: true,
  response: WrittenAnswer,
  async handle(input) {
    const { db, params, actor } = input;
    const id = await idOf(db, params.article_id);
    return writtenAnswer(input, await writing(() => unpublishArticle(db, id, expectedOf(input), actor)));
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: unpublishOperation });
