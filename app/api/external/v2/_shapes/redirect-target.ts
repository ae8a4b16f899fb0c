import { z } from "zod";
import type { RequestedTarget } from "@/lib/redirects/redirects";

const ONE = "The destination must be an object with exactly one of article_id, category_id, or path.";

export const RedirectTarget = z
  .object(
    {
      article_id: z
        .guid({ error: "article_id must be the ID of an article." })
        .optional()
        .describe("The ID of an article, which must be published when you send it."),
      category_id: z
        .guid({ error: "category_id must be the ID of a category." })
        .optional()
        .describe("The ID of a category."),
      path: z
        .string({ error: "path must be text." })
        .optional()
        .describe("A path of the knowledge base, or an https URL."),
    },
    { error: ONE },
  )
  .refine((to) => Object.keys(to).length === 1, { error: ONE })
  .meta({ id: "RedirectTarget", description: "Exactly one of `article_id`, `category_id`, and `path`." });

export function requestedTarget(to: z.output<typeof RedirectTarget> | null | undefined): RequestedTarget {
  if (to?.article_id !== undefined) return { kind: "article", id: to.article_id };
  if (to?.category_id !== undefined) return { kind: "category", id: to.category_id };
  return to?.path !== undefined ? { kind: "address", address: to.path } : { kind: "gone" };
}
