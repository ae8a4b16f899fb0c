import { z } from "zod";
import type { Category } from "@/lib/categories";
import type { Addresses } from "./addresses";

const NestedArticle = z.object({
  id: z.guid(),
  url: z.url().describe("The article's address."),
  title: z.string(),
  created_at: z.iso.datetime(),
  content: z.string().describe("The first 300 characters of the text, in whole words."),
});

const CategorySummary = z.object({
  id: z.guid(),
  name: z.string(),
  description: z.string().nullable(),
  slug: z.string(),
  sequence: z.int().nullable(),
  parent_id: z.guid().nullable(),
  depth: z.int().nullable().describe("0 for a category without a parent."),
  articles_count: z.int().describe("Published articles of this category alone."),
  categories_count: z.int().describe("Direct subcategories."),
  total_articles_count: z.int().describe("Published articles of the whole subtree."),
  url: z.url(),
  ancestors: z.array(z.object({ id: z.guid(), name: z.string(), url: z.url() })).describe("From the root down."),
  children: z.array(z.guid()).describe("The ids of the direct subcategories, in order."),
});

/** `subcategories` is absent where the answer does not nest so far, `articles` in a summary (contract 50, 51). */
export const CategoryDetails = CategorySummary.extend({
  get subcategories() {
    return z.array(CategoryDetails).optional();
  },
  articles: z.array(NestedArticle).optional().describe("The first 100 published articles, in reading order."),
});

export type CategoryShape = z.input<typeof CategoryDetails>;

/**
 * @param levels how many levels of subcategories the answer nests
 * @param articles whether categories come with their articles
 */
export function categoryShape(
  category: Category,
  addresses: Addresses,
  { levels = Number.POSITIVE_INFINITY, articles = true } = {},
): CategoryShape {
  return {
    id: category.id,
    name: category.name,
    description: category.description,
    slug: category.slug,
    sequence: category.sequence,
    parent_id: category.parentId,
    depth: category.depth,
    articles_count: category.articlesCount,
    categories_count: category.categoriesCount,
    total_articles_count: category.totalArticlesCount,
    url: addresses.category(category.slug),
    ancestors: category.ancestors.map(({ id, name, slug }) => ({ id, name, url: addresses.category(slug) })),
    children: category.subcategories.map(({ id }) => id),
    ...(levels > 0 && {
      subcategories: category.subcategories.map((child) =>
        categoryShape(child, addresses, { levels: levels - 1, articles }),
      ),
    }),
    ...(articles && {
      articles: category.articles.map((article) => ({
        id: article.id,
        url: addresses.article(article.slug),
        title: article.title,
        created_at: article.createdAt.toISOString(),
        content: article.excerpt,
      })),
    }),
  };
}
