import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listAllCategories, listRootCategories } from "@/lib/categories/categories";
import { CategoryDetails, categoryShape } from "../_shapes/category";
import { aCategory, aPage } from "../_shapes/examples";
import { urlsOf } from "../_shapes/urls";
import { visibilities } from "../_shapes/visibility";

const listCategories = readOperation({
  operationId: "listCategories",
  tag: "Categories",
  summary: "List categories",
  description:
    "Lists the top-level categories in the order readers see, each with its whole subtree in `subcategories`. `pagination` counts top-level categories with `scope=roots` and all categories with `scope=all`.",
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

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listCategories });
