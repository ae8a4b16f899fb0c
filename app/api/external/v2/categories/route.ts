import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { created, readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listAllCategories, listRootCategories } from "@/lib/categories/categories";
import { createCategory } from "@/lib/categories/changes";
import { CategoryDetails, categoryShape } from "../_shapes/category";
import { CategoryAnswer } from "../_shapes/category-answer";
import { aCategory, aPage } from "../_shapes/examples";
import { urlsOf } from "../_shapes/urls";
import { visibilities } from "../_shapes/visibility";
import { CategoryName, currentCategory, NewCategoryFields, refuseOtherVisibility, writing } from "./_writing";

const listCategories = readOperation({
  operationId: "listCategories",
  tag: "Categories",
  summary: "List categories",
  description:
    "Lists the top-level categories in the order that readers see, each with its whole subtree in `subcategories`. With `scope=all`, lists every category, without nesting. `pagination` counts top-level categories with `scope=roots` and all categories with `scope=all`.",
  returns: "One page of categories.",
  example: { categories: [aCategory], pagination: aPage },
  scope: "public",
  keeps: () => true,
  params: z.object({}),
  query: Paging.extend({
    scope: z
      .enum(["roots", "all"], { error: "scope must be roots or all." })
      .default("roots")
      .meta({
        description:
          "`roots` lists the top-level categories, each with its whole subtree. `all` lists every category, without nesting.",
        examples: ["roots"],
      }),
  }),
  response: z
    .object({ categories: z.array(CategoryDetails).describe("The categories of this page."), pagination: Pagination })
    .meta({ id: "CategoryList", description: "One page of categories." }),
  async handle({ read, seen, query, workspace }) {
    const urls = urlsOf(workspace);
    const flat = query.scope === "all";
    const { categories, total } = await (flat ? listAllCategories : listRootCategories)(read, windowOf(query), seen);
    const visibilityOf = await visibilities(read, workspace, seen);
    return {
      categories: categories.map((category) => categoryShape(category, urls, visibilityOf, flat ? { levels: 0 } : {})),
      pagination: paginationOf(query, total),
    };
  },
});

const createOperation = writeOperation({
  operationId: "createCategory",
  tag: "Categories",
  summary: "Create a category",
  description:
    "Creates a category, by default at the end of the top level. Send an `Idempotency-Key` so that a repeated request doesn't create a second category. To create missing categories when you write an article, send `create_categories` with the article.",
  returns: "The new category.",
  example: {
    category: { ...aCategory, categories_count: 0, total_articles_count: 0, children: [], subcategories: [] },
  },
  invalid: { field: "name", code: "required", message: "A category needs a name." },
  scope: "categories",
  noStore: true,
  creates: "always",
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({ name: CategoryName, ...NewCategoryFields })
    .meta({ id: "NewCategory", description: "A new category." }),
  response: CategoryAnswer,
  async handle(input) {
    const { db, body, actor } = input;
    const { name, slug = "", description, visibility_setting: visibility, parent_id: parentId = null, position } = body;
    const fields = { name, slug, description: description ?? "", parentId, position };
    const { id } = await writing(() => createCategory(db, { ...fields, ...(visibility && { visibility }) }, actor));
    const now = await currentCategory(input, id);
    refuseOtherVisibility(body.visibility, now);
    return created(now, `/categories/${id}`);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: listCategories,
  POST: createOperation,
});
