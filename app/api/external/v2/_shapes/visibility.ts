import { z } from "zod";
import { categoryVisibilities } from "@/lib/categories/fields";
import type { Read } from "@/lib/db";
import { closedCategories, type Seen } from "@/lib/visibility";

/** Who can read a category and its articles. */
export const Visibility = z.enum(["public", "members"], { error: "visibility must be public or members." });

export const CategoryVisibility = Visibility.describe(
  "Who can read the category: `public` for everyone, `members` for members only. Everything below a members-only category is members-only too.",
);

export const ArticleVisibility = Visibility.describe(
  "Who can read the article when it is published: `public` for everyone, `members` for members only. Determined by its category.",
);

export const VisibilitySetting = z.enum(categoryVisibilities, {
  error: "visibility_setting must be inherit, everyone, or members.",
});

/** The visibility of a category, by its id. */
export type VisibilityOf = (categoryId: string) => z.output<typeof Visibility>;

export async function visibilities(read: Read, { id }: { id: string }, seen?: Seen): Promise<VisibilityOf> {
  const closed = await closedCategories(read, id, seen);
  return (categoryId) => (closed.has(categoryId) ? "members" : "public");
}
