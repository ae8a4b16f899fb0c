import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const Queries = z.array(
  z.object({
    query: z.string().min(1).max(200),
    /** Empty when nothing should match. */
    expected_slug: z.string(),
    /** Articles that answer the query equally well. */
    accept: z.array(z.string()).default([]),
    kind: z.string().min(1),
    /** Held-out queries are only for measuring. The others are for tuning. */
    set: z.enum(["tune", "apart"]).optional(),
  }),
);

/** Questions and keywords that the manual answers, and queries without an answer. */
export const OWN_QUERIES = ["manual", "nonsense"].map((name) =>
  fileURLToPath(new URL(`./${name}.json`, import.meta.url)),
);

export type QualityQuery = z.infer<typeof Queries>[number];

/** @throws Error with a sentence when the file is missing or malformed */
export async function queriesIn(file: string): Promise<QualityQuery[]> {
  try {
    return Queries.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`${file} is not a file of queries. See --help for the format. ${reason}`);
  }
}
