import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

// What an export is beside Markdown in folders: written by lib/export, read by lib/import.

/** At the archive's root: says that it is an export of this product, and holds what is no article, category or file. */
export const DATA_FILE = "lectern.json";

/** The folder of the files that articles use: no category is called so, since no slug has an underscore. */
export const FILES_FOLDER = "_files";

/** How the file of a draft ends, beside the published article that it would replace: no slug has a dot. */
const DRAFT = /\.draft\.(md|html)$/;

const Data = z.object({
  format: z.literal("lectern"),
  version: z.literal(1, { error: "was made by a newer version of Lectern: import it there, or update this one" }),
  /** Who wrote the articles. */
  authors: z.array(z.object({ email: z.string(), first_name: z.string(), last_name: z.string() })).default([]),
  /** By their paths. */
  files: z.array(z.object({ path: z.string(), seal: z.string().optional() })).default([]),
  redirects: z
    .array(
      z.object({
        from: z.string(),
        article: z.string().optional(),
        category: z.string().optional(),
        /** The category that what is gone was in: whoever may not see that is told nothing of it. */
        gone_from: z.string().optional(),
        url: z.string().optional(),
        by_hand: z.boolean().optional(),
      }),
    )
    .default([]),
  synonyms: z
    .array(z.object({ term: z.string(), replacements: z.array(z.string()), two_way: z.boolean() }))
    .default([]),
});

/** What the data file says. A redirect that names nothing leads nowhere: what was there is gone. */
export type ArchiveData = z.output<typeof Data>;

/** As text, an item a line, so that two archives compare well. */
export function archiveDataText({
  authors,
  files,
  redirects,
  synonyms,
}: Omit<ArchiveData, "format" | "version">): string {
  const list = (items: readonly object[]) =>
    items.length === 0 ? "[]" : `[\n${items.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
  return `{
  "format": "lectern",
  "version": 1,
  "authors": ${list(authors)},
  "files": ${list(files)},
  "redirects": ${list(redirects)},
  "synonyms": ${list(synonyms)}
}
`;
}

/**
 * What a file of that name says; null when it is no export's.
 * @throws Error with the end of a sentence that begins with the file's name
 */
export function readArchiveData(text: string): ArchiveData | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== "object" || given === null || (given as { format?: unknown }).format !== "lectern") return null;
  const read = Data.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const isVersion = issue?.path[0] === "version";
  throw new Error(isVersion ? issue.message : `cannot be read at ${issue?.path.join(".")}: ${issue?.message}`);
}

/** The article whose draft a file is; null when it is none. */
export function articleOfDraft(path: string): { markdown: string; html: string } | null {
  if (!DRAFT.test(path)) return null;
  const base = path.replace(DRAFT, "");
  return { markdown: `${base}.md`, html: `${base}.html` };
}

/**
 * What says of a file's bytes that this installation made them, so that they may be stored again as they are: an image
 * that is made anew each time loses a little each time.
 * @param sha256 lowercase hexadecimal
 */
export function sealOf(sha256: string, secret: string): string {
  return createHmac("sha256", secret).update(`upload ${sha256}`).digest("base64url");
}

/** Whether a seal is the one of these bytes. */
export function isSealed(sha256: string, seal: string | undefined, secret: string | undefined): boolean {
  if (seal === undefined || secret === undefined) return false;
  const [given, made] = [Buffer.from(seal), Buffer.from(sealOf(sha256, secret))];
  return given.length === made.length && timingSafeEqual(given, made);
}
