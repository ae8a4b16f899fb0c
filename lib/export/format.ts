import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

// The format of exports beside Markdown in folders: written by lib/export, read by lib/import.

/** In the root of an export: everything that is no article, category or file. */
export const DATA_FILE = "lectern.json";

/** No category has this name, since no slug has an underscore. */
export const FILES_FOLDER = "_files";

/** No slug has a dot. */
const DRAFT = /\.draft\.(md|html)$/;

const Data = z.object({
  format: z.literal("lectern"),
  version: z.literal(1, { error: "was created by a newer version of Lectern. Update Lectern, then import it" }),
  authors: z.array(z.object({ email: z.string(), first_name: z.string(), last_name: z.string() })).default([]),
  files: z.array(z.object({ path: z.string(), seal: z.string().optional() })).default([]),
  redirects: z
    .array(
      z.object({
        from: z.string(),
        article: z.string().optional(),
        category: z.string().optional(),
        /** The category of the removed page: people who may not see it learn nothing. */
        gone_from: z.string().optional(),
        url: z.string().optional(),
        by_hand: z.boolean().optional(),
      }),
    )
    .default([]),
  synonyms: z
    .array(z.object({ term: z.string(), replacements: z.array(z.string()), two_way: z.boolean() }))
    .default([]),
  /** Paths of files are relative to the root. */
  snippets: z.array(z.object({ name: z.string(), html: z.string().max(1_000_000) })).default([]),
});

/** A redirect without a target marks a removed page. */
export type ExportData = z.output<typeof Data>;

/** One item a line, so that two exports compare well. */
export function exportDataText({
  authors,
  files,
  redirects,
  synonyms,
  snippets,
}: Omit<ExportData, "format" | "version">): string {
  const list = (items: readonly object[]) =>
    items.length === 0 ? "[]" : `[\n${items.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
  return `{
  "format": "lectern",
  "version": 1,
  "authors": ${list(authors)},
  "files": ${list(files)},
  "redirects": ${list(redirects)},
  "synonyms": ${list(synonyms)},
  "snippets": ${list(snippets)}
}
`;
}

/**
 * Null when the file is of another program.
 * @throws Error with the end of a sentence that begins with the file's name
 */
export function readExportData(text: string): ExportData | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || (parsed as { format?: unknown }).format !== "lectern")
    return null;
  const read = Data.safeParse(parsed);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const isVersion = issue?.path[0] === "version";
  throw new Error(isVersion ? issue.message : `cannot be read at ${issue?.path.join(".")}: ${issue?.message}`);
}

export function articleOfDraft(path: string): { markdown: string; html: string } | null {
  if (!DRAFT.test(path)) return null;
  const base = path.replace(DRAFT, "");
  return { markdown: `${base}.md`, html: `${base}.html` };
}

/** Proves that this installation made the bytes: an image that is re-encoded each time loses a little each time. */
export function sealOf(sha256: string, secret: string): string {
  return createHmac("sha256", secret).update(`upload ${sha256}`).digest("base64url");
}

export function isSealed(sha256: string, seal: string | undefined, secret: string | undefined): boolean {
  if (seal === undefined || secret === undefined) return false;
  const [actual, expected] = [Buffer.from(seal), Buffer.from(sealOf(sha256, secret))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
