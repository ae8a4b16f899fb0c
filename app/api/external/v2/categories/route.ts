import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listAllCategories, listRootCategories } from "@/lib/categories";
import { addressesOf } from "../_shapes/addresses";
import { CategoryDetails, categoryShape } from "../_shapes/category";

const listCategories = readOperation({
  summary: "List categories",
  permission: "read",
  params: z.object({}),
  query: Paging.extend({
    scope: z
      .enum(["roots", "all"], { error: "scope must be roots or all." })
      .default("roots")
      .describe("roots: the top categories, each with its whole subtree. all: every category, without nesting."),
  }),
  response: z.object({ categories: z.array(CategoryDetails), pagination: Pagination }),
  async handle({ read, query, workspace }) {
    const addresses = addressesOf(workspace);
    const flat = query.scope === "all";
    const { categories, total } = await (flat ? listAllCategories : listRootCategories)(read, windowOf(query));
    return {
      categories: categories.map((category) => categoryShape(category, addresses, flat ? { levels: 0 } : {})),
      pagination: paginationOf(query, total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listCategories });
