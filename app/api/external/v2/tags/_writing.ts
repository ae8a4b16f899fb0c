import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { findTag } from "@/lib/articles/tags";
import type { Read } from "@/lib/db";
import { aTag } from "../_shapes/examples";
import { type TagAnswer, tagShape } from "../_shapes/tag";

// The parameter and the answer of the operations on one tag.

export const TagId = z.guid().meta({ description: "The tag's ID.", examples: [aTag.id] });

/** The answer of `GET`. Throws 404. */
export async function currentTag(read: Read, id: string): Promise<z.input<typeof TagAnswer>> {
  const tag = await findTag(read, id);
  if (!tag) throw notFound();
  return { tag: tagShape(tag) };
}
