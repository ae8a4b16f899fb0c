import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { findArticle } from "@/lib/articles/articles";
import { findCategory } from "@/lib/categories/categories";
import { ArticleDetails, ArticleMeta, articleMetaShape, articleShape } from "../../_shapes/article";
import { categoryShape } from "../../_shapes/category";
import { anArticle, anArticleMeta } from "../../_shapes/examples";
import { urlsOf } from "../../_shapes/urls";

const getArticle = readOperation({
  operationId: "getArticle",
  tag: "Articles",
  summary: "Get an article",
  description:
    "Returns one article with its text. For a published article, that is the text readers see, without unpublished changes. For a draft, it is the draft, so check `state` before you show it to the public. A key without the scope `content.read` gets the published articles that visitors see, and a 404 for all others.",
  returns: "The article and its metadata for search engines.",
  example: { article: anArticle, meta: anArticleMeta },
  invalid: { field: "category", code: "invalid", message: "category must be full or summary." },
  scope: "public",
  params: z.object({
    article_id: z.string().meta({
      description: "The article's id, its permalink (`a-` and eight hexadecimal digits), its slug, or a former slug.",
      examples: ["reset-your-password"],
    }),
  }),
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
  response: z
    .object({ article: ArticleDetails, meta: ArticleMeta })
    .meta({ id: "ArticleAnswer", description: "One article." }),
  async handle({ read, seen, key, params, query, workspace }) {
    const urls = urlsOf(workspace);
    const article = await findArticle(read, params.article_id, seen);
    if (!article) throw notFound();
    const full = query.category === "full";
    const category = await findCategory(read, article.categoryId, full, seen);
    if (!category) throw new Error("An article is always in a category.");
    return {
      article: articleShape(
        article,
        categoryShape(category, urls, { levels: full ? 1 : 0, articles: full }),
        urls,
        key,
      ),
      meta: articleMetaShape(article, urls),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getArticle });
