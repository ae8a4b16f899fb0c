import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { deleteArticles } from "@/lib/articles/removal";
import { openForRemoval, updateArticle } from "@/lib/articles/write-article";
import { ArticleAnswer, articleAnswer, DeletedArticle, OwnArticle, WrittenAnswer } from "../../_shapes/article-answer";
import { anArticle, anArticleMeta, aWrittenArticle } from "../../_shapes/examples";
import { RedirectTarget, requestedTarget } from "../../_shapes/redirect-target";
import { urlsOf } from "../../_shapes/urls";
import {
  ArticleName,
  ConflictFields,
  ContentFields,
  draftConflicts,
  ExternalId,
  expectedOf,
  idOf,
  inputOf,
  PlaceFields,
  Publish,
  preparedChange,
  revisionConflicts,
  TEXT_LIMIT,
  Title,
  wishesOf,
  writing,
  writtenAnswer,
} from "../_writing";

const params = z.object({ article_id: ArticleName });

const getArticle = readOperation({
  operationId: "getArticle",
  tag: "Articles",
  summary: "Get an article",
  description:
    "Returns one article with its text. For a published article, the response has the text that readers see, without unpublished changes. For an unpublished article, it has the draft. A key without the `content.read` scope gets the published articles that visitors see, and a 404 for all others. If your program shows articles to the public, use such a key.",
  returns: "The article and its metadata for search engines.",
  example: {
    article: anArticle,
    meta: anArticleMeta,
    revision: 5,
    has_draft: false,
    external_id: "docs/reset-your-password.md",
  },
  invalid: { field: "category", code: "invalid", message: "category must be full or summary." },
  scope: "public",
  keeps: () => true,
  params,
  query: z.object({
    category: z
      .enum(["full", "summary"], { error: "category must be full or summary." })
      .default("full")
      .meta({
        description:
          "`full` includes the category's articles and direct subcategories. `summary` omits both, for clients that fetch many articles.",
        examples: ["summary"],
      }),
  }),
  response: ArticleAnswer,
  own: OwnArticle,
  async handle({ read, seen, key, params, query, workspace }) {
    const full = query.category === "full";
    const answer = await articleAnswer(read, params.article_id, { seen, key, workspace, full });
    if (!answer) throw notFound();
    return answer;
  },
});

const updateOperation = writeOperation({
  operationId: "updateArticle",
  tag: "Articles",
  summary: "Update an article",
  description: [
    "Changes the fields you send and leaves the others unchanged. Changes to the title, text, tags, keywords, related articles, attachments, table of contents, and fields for search engines are saved in the draft. Readers don't see the draft until it is published. With `publish`, the draft goes live immediately. The slug, category, author, and external ID always change immediately. If the article is published, changing its slug, category, or author requires the `content.publish` scope.",
    "Send the `revision` you read, or the article's `ETag` in `If-Match`, so that you don't overwrite newer text. Without either, a request that would replace, publish, or schedule a draft that a team member saved last gets a 409, unless `on_conflict` allows it. Replaced text is kept as a version. If nothing would change, nothing is written.",
  ].join("\n\n"),
  returns: "The article as it is now.",
  example: aWrittenArticle,
  invalid: { field: "slug", code: "taken", message: "The article “Sign in” has this slug. Choose another one." },
  refusals: draftConflicts,
  scope: "content.draft",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      title: Title,
      ...ContentFields,
      ...PlaceFields,
      external_id: ExternalId.nullable().meta({
        description: "The ID of the article in your system, unique in the workspace. Null removes it.",
        examples: ["docs/reset-your-password.md"],
      }),
      publish: Publish,
      ...ConflictFields,
    })
    .partial()
    .meta({ id: "ArticleChanges", description: "The fields to change." }),
  bodyLimit: TEXT_LIMIT,
  response: WrittenAnswer,
  prepare: (input) => preparedChange(input, "nothing", input.params.article_id),
  async handle(input) {
    const { db, body, params, prepared, actor } = input;
    const id = await idOf(db, params.article_id);
    const wishes = wishesOf(input, body.publish, prepared);
    const change = async () => updateArticle(db, id, await inputOf(input, body), wishes, expectedOf(input), actor);
    const written = await writing(change, { isMarkdown: body.markdown_content !== undefined });
    return writtenAnswer(input, written, prepared);
  },
});

const deleteArticle = writeOperation({
  operationId: "deleteArticle",
  tag: "Articles",
  summary: "Delete an article",
  description:
    "Moves an article to the trash. You can restore it for 30 days. The URL of a published article then redirects to `redirect_to`, or returns 410 if you omit `redirect_to`. An unpublished article has no public URL, so `redirect_to` has no effect on it.",
  returns: "The deleted article.",
  example: { deleted: { id: anArticle.id, title: anArticle.title, slug: anArticle.slug } },
  invalid: { field: "redirect_to", code: "not_found", message: "This destination was deleted. Choose another one." },
  refusals: revisionConflicts,
  scope: "content.delete",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      redirect_to: RedirectTarget.nullable()
        .optional()
        .meta({
          description: "Where the article's URL redirects. If null or absent, the URL returns 410.",
          examples: [{ article_id: "e3c7b2d4-5f60-4172-8cbd-2e3f4a5b6c7d" }],
        }),
      revision: ConflictFields.revision,
    })
    .meta({ id: "ArticleDeletion", description: "How to delete an article." }),
  isBodyOptional: true,
  response: DeletedArticle,
  async handle(input) {
    const { db, body, params, workspace, actor } = input;
    const id = await idOf(db, params.article_id);
    return writing(async () => {
      const { text, slug } = await openForRemoval(db, id, expectedOf(input));
      await deleteArticles(db, [id], requestedTarget(body.redirect_to), urlsOf(workspace).home, actor);
      return { deleted: { id, title: text.title, slug } };
    });
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getArticle,
  PATCH: updateOperation,
  DELETE: deleteArticle,
});
