import { z } from "zod";
import type { TagInUse } from "@/lib/articles/tags";

export const TagDetails = z
  .object({
    id: z.guid().describe("The tag's ID, which never changes."),
    name: z.string().describe("The name, unique in the workspace regardless of case."),
    articles_count: z.int().min(0).describe("The number of articles with this tag, including drafts."),
  })
  .meta({ id: "TagDetails", description: "A tag with its number of articles." });

export const TagAnswer = z
  .object({ tag: TagDetails.describe("The tag.") })
  .meta({ id: "TagAnswer", description: "One tag." });

/** Without the number of articles. */
export const OwnTag = TagAnswer.extend({ tag: TagDetails.omit({ articles_count: true }) });

export function tagShape({ id, name, articles }: TagInUse): z.input<typeof TagDetails> {
  return { id, name, articles_count: articles };
}
