import { z } from "zod";
import { allows, type Scope } from "@/lib/api-keys/scopes";
import { type Article, findArticle, findArticles } from "@/lib/articles/articles";
import { type Category, findCategory } from "@/lib/categories/categories";
import { inOneGo, type Read } from "@/lib/db";
import type { Seen } from "@/lib/visibility";
import { ArticleDetails, ArticleMeta, articleMetaShape, articleShape } from "./article";
import { keptCategoryShape } from "./category";
import { urlsOf } from "./urls";
import { visibilities } from "./visibility";

const Writing = {
  revision: z
    .int()
    .min(1)
    .describe("The revision of the text. Send it with a change so that you don't overwrite newer text."),
  has_draft: z.boolean().describe("Whether the article has a draft that readers don't see."),
  external_id: z.string().nullable().describe("The article's ID in your system, or null."),
};

const unlessPublic = "Absent without the `content.read` scope.";

export const ArticleAnswer = z
  .object({
    article: ArticleDetails,
    meta: ArticleMeta,
    revision: Writing.revision.optional().describe(`${Writing.revision.description} ${unlessPublic}`),
    has_draft: Writing.has_draft.optional().describe(`${Writing.has_draft.description} ${unlessPublic}`),
    external_id: Writing.external_id.optional().describe(`${Writing.external_id.description} ${unlessPublic}`),
  })
  .meta({ id: "ArticleAnswer", description: "One article." });

/** Without other articles, the category's contents and the author's picture. */
export const OwnArticle = ArticleAnswer.extend({
  article: ArticleDetails.omit({ related_articles: true, next_article: true, prev_article: true }).extend({
    category: ArticleDetails.shape.category.pick({ id: true }),
    author: ArticleDetails.shape.author.omit({ profile_image_url: true }),
  }),
});

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
    changed: z.boolean().describe("Whether the request changed anything."),
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
        id: z.guid().describe("The article's ID. Send it to restore the article."),
        title: z.string().describe("The title."),
        slug: z.string().describe("The slug."),
      })
      .describe("The deleted article."),
  })
  .meta({ id: "DeletedArticle", description: "An article that was deleted." });

interface About {
  seen: Seen;
  key: { scopes: readonly Scope[] };
  workspace: { id: string; subdomain: string };
  /** With the category's articles and subcategories. */
  full: boolean;
}

type Answer = z.input<typeof ArticleAnswer>;

/** The answer of `GET`, or null if there is no such article. */
export async function articleAnswer(read: Read, name: string, about: About): Promise<Answer | null> {
  const articles = findArticle(read, name, about.seen).then((article) => (article ? [article] : []));
  const categories = articles.then((found) =>
    categoriesOf(
      read,
      found.map(({ categoryId }) => categoryId),
      about,
    ),
  );
  const [answer] = (await answersOf(read, articles, categories, about)).values();
  return answer ?? null;
}

/**
 * The answers of `GET` for articles with these ids.
 * @param categoryIds of the articles
 */
export async function articleAnswers(
  read: Read,
  ids: readonly string[],
  categoryIds: readonly string[],
  about: About,
): Promise<Map<string, Answer>> {
  const articles = findArticles(read, ids, about.seen).then((found) => [...found.values()]);
  return answersOf(read, articles, categoriesOf(read, categoryIds, about), about);
}

async function categoriesOf(read: Read, ids: readonly string[], { full, seen }: About): Promise<Category[]> {
  const found = await inOneGo(Array.from(new Set(ids), (id) => findCategory(read, id, full, seen)));
  return found.filter((category) => category !== null);
}

async function answersOf(
  read: Read,
  finding: Promise<readonly Article[]>,
  findingCategories: Promise<readonly Category[]>,
  { seen, key, workspace, full }: About,
): Promise<Map<string, Answer>> {
  const urls = urlsOf(workspace);
  const [articles, found, visibilityOf] = await inOneGo([
    finding,
    findingCategories,
    visibilities(read, workspace, seen),
  ]);
  const categories = new Map(
    found.map((category) => [category.id, keptCategoryShape(category, urls, visibilityOf, full)] as const),
  );
  const answers = articles.map((article) => {
    const { id, revision, hasDraft, externalId } = article;
    const answer: Answer = {
      article: articleShape(article, categories.get(article.categoryId)!, urls, key),
      meta: articleMetaShape(article, urls),
      ...(allows(key.scopes, "content.read") && { revision, has_draft: hasDraft, external_id: externalId }),
    };
    return [id, answer] as const;
  });
  return new Map(answers);
}
