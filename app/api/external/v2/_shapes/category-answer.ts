import { z } from "zod";
import { findCategory } from "@/lib/categories/categories";
import type { Read } from "@/lib/db";
import type { Seen } from "@/lib/visibility";
import { CategoryDetails, keptCategoryShape } from "./category";
import { urlsOf } from "./urls";
import { visibilities } from "./visibility";

export const CategoryAnswer = z
  .object({
    category: CategoryDetails.describe("The category. Its subcategories come without their own subcategories."),
  })
  .meta({ id: "CategoryAnswer", description: "One category." });

/** Without its contents and the categories above it. */
export const OwnCategory = CategoryAnswer.extend({
  category: CategoryDetails.omit({
    ...{ articles: true, articles_count: true, total_articles_count: true },
    ...{ children: true, subcategories: true, categories_count: true, ancestors: true, depth: true },
  }),
});

/** The answer of `GET`, or null if there is no such category. */
export async function categoryAnswer(
  read: Read,
  id: string,
  { seen, workspace }: { seen: Seen; workspace: { id: string; subdomain: string } },
): Promise<z.input<typeof CategoryAnswer> | null> {
  const category = await findCategory(read, id, true, seen);
  if (!category) return null;
  const visibilityOf = await visibilities(read, workspace, seen);
  return { category: keptCategoryShape(category, urlsOf(workspace), visibilityOf, true) };
}
