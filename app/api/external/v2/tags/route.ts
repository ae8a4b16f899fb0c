import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listTags } from "@/lib/articles/tags";
import { aPage, aTag } from "../_shapes/examples";
import { SearchTerm } from "../_shapes/search-term";
import { TagDetails, tagShape } from "../_shapes/tag";

const listOperation = readOperation({
  operationId: "listTags",
  tag: "Tags",
  summary: "List tags",
  description:
    "Lists the tags of the workspace by name, each with its number of articles. To create a tag, add it to an article.",
  returns: "One page of tags.",
  example: { tags: [aTag], pagination: aPage },
  scope: "content.read",
  params: z.object({}),
  query: Paging.extend({
    search_term: SearchTerm.optional().meta({
      description: "Only tags with this text in their name, ignoring case and accents.",
      examples: ["secur"],
    }),
  }),
  response: z
    .object({ tags: z.array(TagDetails).describe("The tags of this page."), pagination: Pagination })
    .meta({ id: "TagList", description: "One page of tags." }),
  async handle({ read, query }) {
    const { tags, total } = await listTags(read, { search: query.search_term ?? "", ...windowOf(query) });
    return { tags: tags.map(tagShape), pagination: paginationOf(query, total) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
