import { z } from "zod";

// The fields of the operations that write synonyms.

const LIST = "replacements must be a list of strings.";

export const SynonymFields = {
  term: z.string({ error: "term must be text." }).meta({
    description: "The word or phrase that people search for, at most 5 words and 100 characters.",
    examples: ["2fa"],
  }),
  replacements: z.array(z.string({ error: LIST }), { error: LIST }).meta({
    description:
      "1 to 20 words or phrases that a search for the term also finds, each with at most 5 words and 100 characters.",
    examples: [["two-factor sign-in"]],
  }),
};

export const TwoWay = z.boolean({ error: "two_way must be true or false." });
