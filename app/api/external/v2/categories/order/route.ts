import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { orderCategories } from "@/lib/categories/places";
import { writing } from "../_writing";

const example = {
  parent_id: "5d1a7c3e-2b4f-4a6d-8c9e-0f1a2b3c4d5e",
  category_ids: ["6e2b8d4f-3c5a-4b7e-9d0f-1a2b3c4d5e6f", "7f3c9e50-4d6b-4c8f-8e10-2b3c4d5e6f70"],
};

const orderOperation = writeOperation({
  operationId: "orderCategories",
  tag: "Categories",
  summary: "Order categories",
  description:
    "Sets the order of all categories in a parent, or at the top level. To move one category, update its `position`.",
  returns: "The order, and whether it changed.",
  example: { ...example, changed: true },
  invalid: {
    field: "category_ids",
    code: "invalid",
    message: `List the ID of every category in the parent exactly once. Missing: ${example.category_ids[1]}.`,
  },
  scope: "categories",
  noStore: true,
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      parent_id: z
        .guid({ error: "parent_id must be the ID of a category, or null." })
        .toLowerCase()
        .nullable()
        .meta({
          description: "The ID of the parent category. Null means the top level.",
          examples: [example.parent_id],
        }),
      category_ids: z
        .array(z.guid({ error: "category_ids must be IDs of categories." }).toLowerCase(), {
          error: "category_ids must be a list of IDs.",
        })
        .meta({
          description: "The IDs of all categories in the parent, in order. Include members-only categories.",
          examples: [example.category_ids],
        }),
    })
    .meta({ id: "CategoryOrder", description: "The order of the categories in a parent." }),
  bodyLimit: 1024 * 1024,
  response: z
    .object({
      parent_id: z.guid().nullable().describe("The ID of the parent category, or null for the top level."),
      category_ids: z.array(z.guid()).describe("The IDs in the new order."),
      changed: z.boolean().describe("Whether anything changed. False if the categories were already in this order."),
    })
    .meta({ id: "OrderedCategories", description: "Categories that were put in order." }),
  async handle({ db, body: { parent_id, category_ids }, actor }) {
    const changed = await writing(() => orderCategories(db, parent_id, category_ids, actor));
    return { parent_id, category_ids, changed };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ PUT: orderOperation });
