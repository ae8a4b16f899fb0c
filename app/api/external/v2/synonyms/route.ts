import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { created, readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { addSynonym, listSynonyms } from "@/lib/synonyms/synonyms";
import { aPage, aSynonym } from "../_shapes/examples";
import { SearchTerm } from "../_shapes/search-term";
import { SynonymAnswer, SynonymDetails, synonymShape } from "../_shapes/synonym";
import { SynonymFields, TwoWay } from "./_writing";

const listOperation = readOperation({
  operationId: "listSynonyms",
  tag: "Synonyms",
  summary: "List synonyms",
  description: "Lists the synonyms of the workspace by term.",
  returns: "One page of synonyms.",
  example: { synonyms: [aSynonym], pagination: aPage },
  scope: "synonyms",
  noStore: true,
  params: z.object({}),
  query: Paging.extend({
    search_term: SearchTerm.optional().meta({
      description:
        "Only synonyms with this text in the term or a replacement, ignoring case, accents, and punctuation.",
      examples: ["2fa"],
    }),
  }),
  response: z
    .object({ synonyms: z.array(SynonymDetails).describe("The synonyms of this page."), pagination: Pagination })
    .meta({ id: "SynonymList", description: "One page of synonyms." }),
  async handle({ read, query }) {
    const { synonyms, total } = await listSynonyms(read, { search: query.search_term ?? "", ...windowOf(query) });
    return { synonyms: synonyms.map(synonymShape), pagination: paginationOf(query, total) };
  },
});

const createOperation = writeOperation({
  operationId: "createSynonym",
  tag: "Synonyms",
  summary: "Create a synonym",
  description: "Creates a synonym. The next search uses it.",
  returns: "The new synonym.",
  example: { synonym: aSynonym },
  invalid: {
    field: "term",
    code: "taken",
    message: '"2fa" already has a synonym. Add a replacement to it instead.',
  },
  scope: "synonyms",
  noStore: true,
  creates: "always",
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      ...SynonymFields,
      two_way: TwoWay.optional().meta({
        description:
          "Whether a search for a replacement also finds the term and the other replacements. Default: true.",
        examples: [false],
      }),
    })
    .meta({ id: "NewSynonym", description: "A new synonym." }),
  response: SynonymAnswer,
  async handle({ db, body, actor }) {
    const { term, replacements, two_way: twoWay } = body;
    const synonym = await addSynonym(db, { term, replacements, ...(twoWay !== undefined && { twoWay }) }, actor);
    return created({ synonym: synonymShape(synonym) }, `/synonyms/${synonym.id}`);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation, POST: createOperation });
