import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { changeSynonym, findSynonym, removeSynonym, type Synonym } from "@/lib/synonyms/synonyms";
import { aSynonym } from "../../_shapes/examples";
import { SynonymAnswer, SynonymDetails, synonymShape } from "../../_shapes/synonym";
import { SynonymFields, TwoWay } from "../_writing";

const params = z.object({
  synonym_id: z.guid().meta({ description: "The synonym's ID.", examples: [aSynonym.id] }),
});

const getSynonym = readOperation({
  operationId: "getSynonym",
  tag: "Synonyms",
  summary: "Get a synonym",
  description: "Returns one synonym.",
  returns: "The synonym.",
  example: { synonym: aSynonym },
  scope: "synonyms",
  noStore: true,
  params,
  query: z.object({}),
  response: SynonymAnswer,
  async handle({ read, params }) {
    const synonym = await findSynonym(read, params.synonym_id);
    if (!synonym) throw notFound();
    return { synonym: synonymShape(synonym) };
  },
});

const updateOperation = writeOperation({
  operationId: "updateSynonym",
  tag: "Synonyms",
  summary: "Update a synonym",
  description:
    "Changes the fields you send and leaves the others unchanged. `replacements` replaces the whole list. The change applies to the next search.",
  returns: "The synonym as it is now.",
  example: { synonym: { ...aSynonym, replacements: ["two-factor sign-in", "second factor"] } },
  invalid: {
    field: "term",
    code: "taken",
    message: '"2fa" already has a synonym. Add a replacement to it instead.',
  },
  scope: "synonyms",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      ...SynonymFields,
      two_way: TwoWay.meta({
        description: "Whether a search for a replacement also finds the term and the other replacements.",
        examples: [false],
      }),
    })
    .partial()
    .meta({ id: "SynonymChanges", description: "The fields to change." }),
  ignored: SynonymDetails,
  response: SynonymAnswer,
  async handle({ db, params, body, actor, ifMatch }) {
    const { term, replacements, two_way: twoWay } = body;
    const changes = {
      ...(term !== undefined && { term }),
      ...(replacements !== undefined && { replacements }),
      ...(twoWay !== undefined && { twoWay }),
    };
    const agree = (before: Synonym) => ifMatch({ synonym: synonymShape(before) });
    return { synonym: synonymShape(await changeSynonym(db, params.synonym_id, changes, actor, agree)) };
  },
});

const deleteSynonym = writeOperation({
  operationId: "deleteSynonym",
  tag: "Synonyms",
  summary: "Delete a synonym",
  description:
    "Deletes a synonym. The next search no longer uses it. Members can restore the synonym from the trash for 30 days.",
  returns: "The deleted synonym.",
  example: { deleted: aSynonym },
  scope: "synonyms",
  noStore: true,
  params,
  query: z.object({}),
  response: z
    .object({ deleted: SynonymDetails.describe("The deleted synonym.") })
    .meta({ id: "DeletedSynonym", description: "A synonym that was deleted." }),
  async handle({ db, params, actor, ifMatch }) {
    const agree = (before: Synonym) => ifMatch({ synonym: synonymShape(before) }, SynonymAnswer);
    return { deleted: synonymShape(await removeSynonym(db, params.synonym_id, actor, agree)) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getSynonym,
  PATCH: updateOperation,
  DELETE: deleteSynonym,
});
