import { z } from "zod";
import type { Category } from "@/lib/categories/categories";
import type { Urls } from "./urls";
import { CategoryVisibility, type VisibilityOf, VisibilitySetting } from "./visibility";

const NestedArticle = z
  .object({
    id: z.guid().describe("The article's ID."),
    url: z.url().describe("The absolute URL of its page."),
    title: z.string().describe("The title."),
    created_at: z.iso.datetime().describe("When it was created."),
    content: z.string().describe("The first 300 characters of the text, ending with a whole word."),
  })
  .meta({ id: "CategoryArticle", description: "A published article in a category." });

const Ancestor = z
  .object({
    id: z.guid().describe("The category's ID."),
    name: z.string().describe("The name."),
    url: z.url().describe("The absolute URL of its page."),
  })
  .meta({ id: "CategoryAncestor", description: "A category above another category." });

/** Contract 50 and 51. */
export const CategoryDetails = z
  .object({
    id: z.guid().describe("The category's ID, which never changes."),
    name: z.string().describe("The name."),
    description: z.string().nullable().describe("The description as plain text, or null."),
    slug: z.string().describe("The slug, unique in the workspace."),
    sequence: z
      .int()
      .nullable()
      .describe("The position among its siblings. Lower numbers come first, null comes last, and ties sort by name."),
    visibility: CategoryVisibility,
    visibility_setting: VisibilitySetting.describe(
      "The setting behind `visibility`. `inherit` uses the parent's visibility, or the workspace's at the top level.",
    ),
    parent_id: z.guid().nullable().describe("The parent category, or null at the top level."),
    depth: z.int().min(0).nullable().describe("The number of categories above it. 0 at the top level."),
    articles_count: z
      .int()
      .min(0)
      .describe("The number of published articles in this category, without subcategories."),
    categories_count: z.int().min(0).describe("The number of direct subcategories."),
    total_articles_count: z
      .int()
      .min(0)
      .describe("The number of published articles in this category and all its subcategories."),
    url: z.url().describe("The absolute URL of its page."),
    ancestors: z.array(Ancestor).describe("The categories above it, starting at the top level."),
    children: z.array(z.guid()).describe("The IDs of its direct subcategories, in order."),
    get subcategories() {
      return z
        .array(CategoryDetails)
        .optional()
        .describe("The direct subcategories, in order. Absent at levels that the response does not include.");
    },
    articles: z
      .array(NestedArticle)
      .optional()
      .describe("The first 100 published articles, in reading order. Absent in a summary."),
  })
  .meta({ id: "Category", description: "A category of articles, in a tree of at most 6 levels." });

export type CategoryShape = z.input<typeof CategoryDetails>;

/** @param levels of subcategories to include */
export function categoryShape(
  category: Category,
  urls: Urls,
  visibilityOf: VisibilityOf,
  { levels = Number.POSITIVE_INFINITY, articles = true } = {},
): CategoryShape {
  return {
    id: category.id,
    name: category.name,
    description: category.description,
    slug: category.slug,
    sequence: category.sequence,
    visibility: visibilityOf(category.id),
    visibility_setting: category.visibility,
    parent_id: category.parentId,
    depth: category.depth,
    articles_count: category.articlesCount,
    categories_count: category.categoriesCount,
    total_articles_count: category.totalArticlesCount,
    url: urls.category(category.slug),
    ancestors: category.ancestors.map(({ id, name, slug }) => ({ id, name, url: urls.category(slug) })),
    children: category.subcategories.map(({ id }) => id),
    ...(levels > 0 && {
      subcategories: category.subcategories.map((child) =>
        categoryShape(child, urls, visibilityOf, { levels: levels - 1, articles }),
      ),
    }),
    ...(articles && {
      articles: category.articles.map((article) => ({
        id: article.id,
        url: urls.article(article.slug),
        title: article.title,
        created_at: article.createdAt.toISOString(),
        content: article.excerpt,
      })),
    }),
  };
}

const shapes = new WeakMap<Category, { home: string; full: boolean; shape: CategoryShape }>();

/**
 * The shape of a category that `findCategory` keeps, made once. It's frozen so that `jsonOf` keeps its JSON. Only the outer object is
 * frozen, so don't change its parts.
 * @param full with articles and direct subcategories
 */
export function keptCategoryShape(
  category: Category,
  urls: Urls,
  visibilityOf: VisibilityOf,
  full: boolean,
): CategoryShape {
  const known = shapes.get(category);
  if (known?.home === urls.home && known.full === full) return known.shape;
  const shape = Object.freeze(categoryShape(category, urls, visibilityOf, { levels: full ? 1 : 0, articles: full }));
  shapes.set(category, { home: urls.home, full, shape });
  return shape;
}
