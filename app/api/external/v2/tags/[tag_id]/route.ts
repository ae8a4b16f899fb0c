import { z } from "zod";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { deleteTag, renameTag, type TagInUse } from "@/lib/articles/tags";
import { readingOf } from "@/lib/db";
import { aTag } from "../../_shapes/examples";
import { OwnTag, TagAnswer, TagDetails, tagShape } from "../../_shapes/tag";
import { currentTag, TagId } from "../_writing";

const params = z.object({ tag_id: TagId });

const getTag = readOperation({
  operationId: "getTag",
  tag: "Tags",
  summary: "Get a tag",
  description: "Returns one tag with its number of articles.",
  returns: "The tag.",
  example: { tag: aTag },
  scope: "content.read",
  params,
  query: z.object({}),
  response: TagAnswer,
  own: OwnTag,
  handle: ({ read, params }) => currentTag(read, params.tag_id),
});

const updateOperation = writeOperation({
  operationId: "updateTag",
  tag: "Tags",
  summary: "Rename a tag",
  description:
    "Renames a tag immediately, in drafts and in published articles. If another tag already has that name, merge this tag into it instead.",
  returns: "The tag as it is now.",
  example: { tag: aTag },
  invalid: {
    field: "name",
    code: "taken",
    message: "The tag “security” already exists. Merge this tag into it.",
  },
  scope: "content.publish",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      name: z
        .string({ error: "name must be text." })
        .meta({ description: "The name, at most 100 characters.", examples: ["security"] }),
    })
    .partial()
    .meta({ id: "TagChanges", description: "The fields to change." }),
  ignored: TagDetails,
  response: TagAnswer,
  async handle({ db, params, body, actor, ifMatch }) {
    const agree = (before: TagInUse) => ifMatch({ tag: tagShape(before) }, OwnTag);
    if (body.name !== undefined) await renameTag(db, params.tag_id, body.name, actor, agree);
    const now = await currentTag(readingOf(db), params.tag_id);
    if (body.name === undefined) ifMatch(now, OwnTag);
    return now;
  },
});

const deleteOperation = writeOperation({
  operationId: "deleteTag",
  tag: "Tags",
  summary: "Delete a tag",
  description: "Deletes a tag and removes it from all articles immediately. It can't be restored.",
  returns: "The deleted tag.",
  example: { deleted: aTag },
  scope: "content.publish",
  noStore: true,
  params,
  query: z.object({}),
  response: z
    .object({ deleted: TagDetails.describe("The deleted tag, with the number of articles that had it.") })
    .meta({ id: "DeletedTag", description: "A tag that was deleted." }),
  async handle({ db, params, actor, ifMatch }) {
    const agree = (before: TagInUse) => ifMatch({ tag: tagShape(before) }, OwnTag);
    return { deleted: tagShape(await deleteTag(db, params.tag_id, actor, agree)) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getTag,
  PATCH: updateOperation,
  DELETE: deleteOperation,
});
