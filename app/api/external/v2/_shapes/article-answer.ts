import { z } from "zod";
import { allows, type Scope } from "@/lib/api-keys/scopes";
import { findArticle } from "@/lib/articles/articles";
import { findCategory } from "@/lib/categories/categories";
import type { Read } from "@/lib/db";
import type { Seen } from "@/lib/visibility";
import { ArticleDetails, ArticleMeta, articleMetaShape, articleShape } from "./article";
import { categoryShape } from "./category";
import { urlsOf } from "./urls";
import { visibilities } from "./visibility";

const Writing = {
  revision: z
    .int()
    .min(1)
    .describe("The revision of the text. Send it with a change, so that you don't overwrite newer text."),
  has_draft: z.boolean().describe("Whether the article has a draft that readers don't see. `GET …/draft` returns it."),
  external_id: z.string().nullable().describe("The article's id in your system, or null."),
};

const unlessPublic = "Absent without the scope `content.read`.";

export const ArticleAnswer = z
  .object({
    article: ArticleDetails,
    meta: ArticleMeta,
    revision: Writing.revision.optional().describe(`${Writing.revision.description} ${unlessPublic}`),
    has_draft: Writing.has_draft.optional().describe(`${Writing.has_draft.description} ${unlessPublic}`),
    external_id: Writing.external_id.optional().describe(`${Writing.external_id.description} ${unlessPublic}`),
  })
  .meta({ id: "ArticleAnswer", description: "One article." });

const Warning = z
  .object({
    code: z.enum(["element_removed"]).describe("The kind of warning, for programs."),
    message: z.string().describe("The warning, for people."),
  })
  .meta({ id: "Warning", description: "A part of the text that was not stored." });

export const WrittenAnswer = z
  .object({
    article: ArticleDetails,
    meta: ArticleMeta,
    ...Writing,
    changed: z.boolean().describe("Whether anything was changed. False if the article already was as you sent it."),
    warnings: z
      .array(Warning)
      .describe("Elements that were removed from the text because articles can't contain them."),
  })
  .meta({
    id: "WrittenArticle",
    description: "An article after a change. As with `GET`, a published article has the text that readers see.",
  });

export const DeletedArticle = z
  .object({
    deleted: z
      .object({
        id: z.guid().describe("The article's id. Send it to restore the article."),
        title: z.string().describe("The title."),
        slug: z.string().describe("The slug."),
      })
      .describe("The deleted article."),
  })
  .meta({ id: "DeletedArticle", description: "An article that was deleted." });

/** The answer of `GET`, or null if there is no such article. @param full with the category's articles and subcategories */
export async function articleAnswer(
  read: Read,
  name: string,
  { seen, key, workspace, full }: { seen: Seen; key: { scopes: readonly Scope[] }; workspace: Site; full: boolean },
): Promise<z.input<typeof ArticleAnswer> | null> {
  const urls = urlsOf(workspace);
  const article = await findArticle(read, name, seen);
  if (!article) return null;
  const category = await findCategory(read, article.categoryId, full, seen);
  if (!category) throw new Error("An article is always in a category.");
  const visibilityOf = await visibilities(read, workspace, seen);
  const shape = categoryShape(category, urls, visibilityOf, { levels: full ? 1 : 0, articles: full });
  return {
    article: articleShape(article, shape, urls, key),
    meta: articleMetaShape(article, urls),
    ...(allows(key.scopes, "content.read") && (await writingOf(read, article.id))),
  };
}

async function writingOf(
  read: Read,
  id: string,
): Promise<{ revision: number; has_draft: boolean; external_id: string | null }> {
  const [row] = await read<{ revision: number; has_draft: boolean; external_id: string | null }>(
    `SELECT revision, external_id, EXISTS (SELECT FROM article_drafts d WHERE d.workspace_id = a.workspace_id AND d.id = a.id) AS has_draft
     FROM articles a WHERE a.id = $1`,
    [id],
  );
  return row!;
}

type Site = { id: string; subdomain: string };
