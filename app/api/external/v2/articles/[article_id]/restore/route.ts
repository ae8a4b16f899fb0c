import { z } from "zod";
import { forbidden } from "@/lib/api/errors";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { allows } from "@/lib/api-keys/scopes";
import { isDeletedPublished, restoreArticles } from "@/lib/articles/removal";
import { readingOf } from "@/lib/db";
import { WrittenAnswer } from "../../../_shapes/article-answer";
import { aWrittenArticle } from "../../../_shapes/examples";
import { writing, writtenAnswer } from "../../_writing";

const restoreArticle = writeOperation({
  operationId: "restoreArticle",
  tag: "Articles",
  summary: "Restore an article",
  description:
    "Restores a deleted article from the trash. An article that was published goes live again, which also requires the `content.publish` scope. If its slug has been taken since, the article gets a new slug. If its external ID has been taken, the article is restored without it.",
  returns: "The restored article.",
  example: aWrittenArticle,
  scope: "content.delete",
  noStore: true,
  isGone: true,
  params: z.object({
    article_id: z
      .guid()
      .meta({ description: "The ID of the deleted article.", examples: [aWrittenArticle.article.id] }),
  }),
  query: z.object({}),
  response: WrittenAnswer,
  async handle(input) {
    const { db, params, key, actor } = input;
    const mayPublish = allows(key.scopes, "content.publish");
    if (!mayPublish && (await isDeletedPublished(readingOf(db), params.article_id))) throw forbidden("content.publish");
    await writing(() => restoreArticles(db, [params.article_id], actor, ["articles.publish"]));
    return writtenAnswer(input, { id: params.article_id.toLowerCase(), changed: true });
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: restoreArticle });
