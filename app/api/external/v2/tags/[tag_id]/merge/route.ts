import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { mergeTag, type TagInUse } from "@/lib/articles/tags";
import { readingOf } from "@/lib/db";
import { aTag } from "../../../_shapes/examples";
import { OwnTag, TagAnswer, tagShape } from "../../../_shapes/tag";
import { currentTag, TagId } from "../../_writing";

const mergeOperation = writeOperation({
  operationId: "mergeTag",
  tag: "Tags",
  summary: "Merge a tag",
  description:
    "Immediately replaces a tag with another tag in all articles, then deletes the replaced tag. You can't undo this.",
  returns: "The target tag.",
  example: { tag: aTag },
  invalid: { field: "into", code: "not_found", message: "The target tag was deleted. Choose another one." },
  scope: "content.publish",
  noStore: true,
  params: z.object({ tag_id: TagId.meta({ examples: ["3c5d7e9f-1b2a-4c3d-8e4f-5a6b7c8d9e0f"] }) }),
  query: z.object({}),
  body: z
    .object({
      into: z
        .guid({ error: "into must be the ID of a tag." })
        .meta({ description: "The ID of the tag that replaces this one.", examples: [aTag.id] }),
    })
    .meta({ id: "TagMerge", description: "The tag to merge into." }),
  response: TagAnswer,
  async handle({ db, params, body, actor, ifMatch }) {
    const agree = (before: TagInUse) => ifMatch({ tag: tagShape(before) }, OwnTag);
    const { into } = await mergeTag(db, params.tag_id, body.into, actor, agree);
    return currentTag(readingOf(db), into.id);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: mergeOperation });
