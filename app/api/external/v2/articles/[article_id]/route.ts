import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { findArticle } from "@/lib/articles";
import { findCategory } from "@/lib/categories";
import { addressesOf } from "../../_shapes/addresses";
import { ArticleDetails, ArticleMeta, articleMetaShape, articleShape } from "../../_shapes/article";
import { categoryShape } from "../../_shapes/category";

const getArticle = readOperation({
  summary: "Get an article",
  permission: "read",
  params: z.object({ article_id: z.string().describe("The article's id, permalink, slug, or a slug it once had.") }),
  query: z.object({
    category: z
      .enum(["full", "summary"], { error: "category must be full or summary." })
      .default("full")
      .describe("summary: the category without its subcategories and articles, for clients that fetch many articles."),
  }),
  response: z.object({ article: ArticleDetails, meta: ArticleMeta }),
  async handle({ read, params, query, workspace }) {
    const addresses = addressesOf(workspace);
    const article = await findArticle(read, params.article_id);
    if (!article) throw notFound();
    const full = query.category === "full";
    const category = await findCategory(read, article.categoryId, full);
    if (!category) throw new Error("An article is always in a category.");
    return {
      article: articleShape(
        article,
        categoryShape(category, addresses, { levels: full ? 1 : 0, articles: full }),
        addresses,
      ),
      meta: articleMetaShape(article, addresses),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getArticle });
