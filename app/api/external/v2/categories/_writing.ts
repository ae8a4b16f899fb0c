import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import type { Removed } from "@/lib/categories/removal";
import { CategoryTree } from "@/lib/categories/tree";
import { type Db, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { everything } from "@/lib/visibility";
import { type CategoryAnswer, categoryAnswer, OwnCategory } from "../_shapes/category-answer";
import { aCategory } from "../_shapes/examples";
import { Visibility, VisibilitySetting } from "../_shapes/visibility";

// The fields, conflicts and answers of all operations that write categories.

export const CategoryId = z
  .guid()
  .toLowerCase()
  .meta({ description: "The category's ID.", examples: [aCategory.id] });

const text = (name: string) => z.string({ error: `${name} must be text.` });

export const CategoryName = text("name").meta({
  description: "The name, at most 200 characters.",
  examples: ["Sign-in"],
});

export const CategoryFields = {
  slug: text("slug")
    .optional()
    .meta({
      description: "The slug. URLs with a former slug redirect.",
      examples: ["sign-in"],
    }),
  description: text("description")
    .nullable()
    .optional()
    .meta({ description: "The description as plain text, at most 5,000 characters.", examples: ["How to sign in."] }),
  visibility_setting: VisibilitySetting.optional().meta({
    description:
      "Who can read the category: `everyone`, `members`, or `inherit` to use the parent's setting. Everything below a members-only category is members-only too.",
    examples: ["members"],
  }),
  visibility: Visibility.optional().meta({
    description:
      "Read-only. If you send it, it must match the category's visibility after the request. To change who can read the category, send `visibility_setting`.",
    examples: ["public"],
  }),
  parent_id: z
    .guid({ error: "parent_id must be the ID of a category, or null." })
    .nullable()
    .optional()
    .meta({
      description: "The ID of the parent category. Null puts the category at the top level.",
      examples: [aCategory.id],
    }),
  position: z
    .int({ error: "position must be a whole number of at least 1." })
    .min(1, { error: "position must be a whole number of at least 1." })
    .optional()
    .meta({
      description:
        "The position among the category's siblings, counted from 1. A number past the end puts the category last. If you send a new `parent_id` without `position`, the category goes last.",
      mistakenFor: ["sequence"],
      examples: [1],
    }),
};

/** For an operation that creates a category. */
export const NewCategoryFields = {
  ...CategoryFields,
  slug: CategoryFields.slug.describe("The slug. Default: generated from the name."),
  visibility_setting: CategoryFields.visibility_setting.describe(
    `${CategoryFields.visibility_setting.description} Default: \`inherit\`.`,
  ),
  parent_id: CategoryFields.parent_id.describe("The ID of the parent category. Default: null, for the top level."),
  position: CategoryFields.position.describe(
    "The position among the category's siblings, counted from 1. A number past the end puts the category last. Default: last.",
  ),
};

interface Site {
  db: Db;
  workspace: { id: string; subdomain: string };
}

/**
 * Keeps others from changing the tree until the transaction ends, and compares `If-Match` with the category.
 * @throws HttpError 404 or 412
 */
export async function lockedCategory(
  { db, workspace, ifMatch }: Site & { ifMatch: (current: unknown, schema?: z.ZodType) => void },
  id: string,
): Promise<{ tree: CategoryTree; parentId: string | null; sequence: number | null }> {
  const tree = await CategoryTree.lock(db);
  const category = tree.find(id);
  if (!category) throw notFound();
  ifMatch(await currentCategory({ db, workspace }, id), OwnCategory);
  const { parentId, sequence } = category;
  return { tree, parentId, sequence };
}

/** The answer of `GET` for a key that writes. */
export async function currentCategory({ db, workspace }: Site, id: string): Promise<z.input<typeof CategoryAnswer>> {
  const answer = await categoryAnswer(readingOf(db), id, { seen: everything, workspace });
  if (!answer) throw notFound();
  return answer;
}

/** Throws InvalidError if the visibility that was sent is not what the category has. */
export function refuseOtherVisibility(
  sent: z.output<typeof Visibility> | undefined,
  { category }: z.input<typeof CategoryAnswer>,
): void {
  if (sent === undefined || sent === category.visibility) return;
  const message = `visibility is read-only and would be ${category.visibility} for this category. To change it, send visibility_setting. Otherwise, omit visibility.`;
  throw new InvalidError([{ field: "visibility", code: "not_allowed", message }]);
}

/** Throws InvalidError if a category would have another `sequence`, which programs may take for a position. */
export function refuseOtherSequence(sent: number | null | undefined, sequence: number | null): void {
  if (sent === undefined || sent === sequence) return;
  const message = `sequence is read-only, and this category's is ${sequence}. To move the category, send position.`;
  throw new InvalidError([{ field: "sequence", code: "not_allowed", message }]);
}

/** Runs a change, and renames fields in its errors as the API names them. @param into the field for the target category */
export async function writing<T>(change: () => Promise<T>, into = "into"): Promise<T> {
  const names: Record<string, string> = {
    parent: "parent_id",
    visibility: "visibility_setting",
    ids: "category_ids",
    into,
  };
  return change().catch((error: unknown) => {
    if (!(error instanceof InvalidError)) throw error;
    const renamed = error.fields.map((one) => ({ ...one, field: names[one.field] ?? one.field }));
    throw new InvalidError(renamed, error.message);
  });
}

export const MovedContents = z
  .object({
    articles_count: z.int().min(0).describe("The number of articles that moved, including drafts."),
    categories_count: z.int().min(0).describe("The number of direct subcategories that moved."),
  })
  .meta({ id: "MovedContents", description: "The contents that moved to the other category." });

export function movedShape({ articles, categories }: Removed): z.input<typeof MovedContents> {
  return { articles_count: articles, categories_count: categories };
}
