import { z } from "zod";
import type { Synonym } from "@/lib/synonyms/synonyms";

export const SynonymDetails = z
  .object({
    id: z.guid().describe("The synonym's ID, which never changes."),
    term: z.string().describe("The word or phrase that people search for."),
    replacements: z.array(z.string()).describe("The words and phrases that a search for the term also finds."),
    two_way: z.boolean().describe("Whether a search for a replacement also finds the term and the other replacements."),
    created_at: z.iso.datetime().describe("When it was created."),
  })
  .meta({ id: "Synonym", description: "Words that search treats as the same." });

export const SynonymAnswer = z
  .object({ synonym: SynonymDetails.describe("The synonym.") })
  .meta({ id: "SynonymAnswer", description: "One synonym." });

export function synonymShape({ id, term, replacements, twoWay, createdAt }: Synonym): z.input<typeof SynonymDetails> {
  return { id, term, replacements, two_way: twoWay, created_at: createdAt.toISOString() };
}
