import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { removeCategory } from "@/lib/categories/removal";
import { CategoryAnswer } from "../../../_shapes/category-answer";
import { aCategory } from "../../../_shapes/examples";
import { CategoryId, currentCategory, lockedCategory, MovedContents, movedShape, writing } from "../../_writing";

const mergeCategory = writeOperation({
  operationId: "mergeCategory",
  tag: "Categories",
  summary: "Merge a category",
  description:
    "Moves a category's articles and subcategories to the end of another category, then deletes the empty category. The URL of the deleted category redirects to the other category. Members can restore the deleted category from the trash for 30 days. Scheduled articles that move are put on hold, unless the key has the `content.publish` scope.",
  returns: "The target category, and how much moved.",
  example: { category: aCategory, moved: { articles_count: 0, categories_count: 1 } },
  invalid: {
    field: "into",
    code: "not_found",
    message: "The target category doesn't exist. Choose another one.",
  },
  scope: "categories",
  noStore: true,
  params: z.object({ category_id: CategoryId.meta({ examples: ["55b029d6-ffd2-4d38-8548-1a4f0e8c9252"] }) }),
  query: z.object({}),
  body: z
    .object({
      into: z.guid({ error: "into must be the ID of a category." }).meta({
        description: "The ID of the category that receives the articles and subcategories.",
        examples: [aCategory.id],
      }),
    })
    .meta({ id: "CategoryMerge", description: "The category to merge into." }),
  response: z
    .object({ ...CategoryAnswer.shape, moved: MovedContents })
    .meta({ id: "MergedCategory", description: "The target category after the merge." }),
  async handle(input) {
    const { db, body, params, actor } = input;
    await lockedCategory(input, params.category_id);
    const into = body.into.toLowerCase();
    const removed = await writing(() => removeCategory(db, params.category_id, into, actor, "merged"));
    return { ...(await currentCategory(input, into)), moved: movedShape(removed) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: mergeCategory });
