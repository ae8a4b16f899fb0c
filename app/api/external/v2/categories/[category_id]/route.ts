import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { updateCategory } from "@/lib/categories/changes";
import { placeCategory } from "@/lib/categories/places";
import { removeCategory } from "@/lib/categories/removal";
import { CategoryDetails } from "../../_shapes/category";
import { CategoryAnswer, categoryAnswer, OwnCategory } from "../../_shapes/category-answer";
import { aCategory } from "../../_shapes/examples";
import {
  CategoryFields,
  CategoryId,
  CategoryName,
  currentCategory,
  lockedCategory,
  MovedContents,
  movedShape,
  refuseOtherSequence,
  refuseOtherVisibility,
  writing,
} from "../_writing";

const params = z.object({ category_id: CategoryId });

const getCategory = readOperation({
  operationId: "getCategory",
  tag: "Categories",
  summary: "Get a category",
  description:
    "Returns one category with its articles and direct subcategories. A key without the `content.read` scope gets the categories that visitors see, and a 404 for all others.",
  returns: "The category.",
  example: { category: aCategory },
  scope: "public",
  keeps: () => true,
  params,
  query: z.object({}),
  response: CategoryAnswer,
  own: OwnCategory,
  async handle({ read, seen, params, workspace }) {
    const answer = await categoryAnswer(read, params.category_id, { seen, workspace });
    if (!answer) throw notFound();
    return answer;
  },
});

const updateOperation = writeOperation({
  operationId: "updateCategory",
  tag: "Categories",
  summary: "Update a category",
  description:
    "Changes the fields you send and leaves the others unchanged. To move the category with everything in it, send `parent_id` or `position`. If the slug changes, the old URL redirects. If nothing would change, nothing is written. Send the `ETag` of the category in `If-Match` so that you don't overwrite a newer change.",
  returns: "The category as it is now.",
  example: { category: aCategory },
  invalid: { field: "slug", code: "taken", message: "Another category has this slug. Choose another one." },
  scope: "categories",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      name: CategoryName,
      ...CategoryFields,
      sequence: z
        .int({ error: "sequence must be a whole number or null." })
        .nullable()
        .meta({
          description:
            "Read-only. If you send it, it must equal the category's current `sequence`. To move the category, send `position`.",
          examples: [aCategory.sequence],
        }),
    })
    .partial()
    .meta({ id: "CategoryChanges", description: "The fields to change." }),
  ignored: CategoryDetails,
  response: CategoryAnswer,
  async handle(input) {
    const { db, body, params, actor } = input;
    const id = params.category_id;
    const before = await lockedCategory(input, id);
    refuseOtherSequence(body.sequence, before.sequence);
    const { parent_id = before.parentId, position } = body;
    const parentId = parent_id?.toLowerCase() ?? null;
    await writing(async () => {
      if (position !== undefined) await placeCategory(db, id, { parentId, position }, actor);
      else if (parentId !== before.parentId) await placeCategory(db, id, { parentId, before: null }, actor);
      const { name, slug, description, visibility_setting: visibility } = body;
      const changes = {
        ...(name !== undefined && { name }),
        ...(slug !== undefined && { slug }),
        ...(description !== undefined && { description: description ?? "" }),
        ...(visibility !== undefined && { visibility }),
      };
      await updateCategory(db, id, changes, actor);
    });
    const now = await currentCategory(input, id);
    refuseOtherVisibility(body.visibility, now);
    return now;
  },
});

const deleteCategory = writeOperation({
  operationId: "deleteCategory",
  tag: "Categories",
  summary: "Delete a category",
  description:
    "Deletes a category. Its articles and subcategories move to the end of the category in `move_contents_to`, and the URL of the deleted category redirects there. You can delete an empty category without `move_contents_to`. Its URL then returns 410. Members can restore the category from the trash for 30 days. Scheduled articles that move are put on hold, unless the key has the `content.publish` scope.",
  returns: "The deleted category, and how much moved.",
  example: {
    deleted: { id: aCategory.id, name: aCategory.name, slug: aCategory.slug },
    moved: { articles_count: 0, categories_count: 1 },
  },
  invalid: {
    field: "move_contents_to",
    code: "required",
    message: "“Your account” is not empty. Choose a category for its contents.",
  },
  scope: "categories",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      move_contents_to: z
        .guid({ error: "move_contents_to must be the ID of a category." })
        .nullable()
        .optional()
        .meta({
          description:
            "The ID of the category that receives the articles and subcategories. Required unless the category is empty.",
          examples: ["55b029d6-ffd2-4d38-8548-1a4f0e8c9252"],
        }),
    })
    .meta({ id: "CategoryDeletion", description: "How to delete a category." }),
  isBodyOptional: true,
  response: z
    .object({
      deleted: z
        .object({
          id: z.guid().describe("The category's ID."),
          name: z.string().describe("The name."),
          slug: z.string().describe("The slug."),
        })
        .describe("The deleted category."),
      moved: MovedContents,
    })
    .meta({ id: "DeletedCategory", description: "A category that was deleted." }),
  async handle(input) {
    const { db, body, params, actor } = input;
    const { tree } = await lockedCategory(input, params.category_id);
    const { id, name, slug } = tree.get(params.category_id);
    const into = body.move_contents_to ?? null;
    const removed = await writing(() => removeCategory(db, id, into, actor), "move_contents_to");
    return { deleted: { id, name, slug }, moved: movedShape(removed) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getCategory,
  PATCH: updateOperation,
  DELETE: deleteCategory,
});
