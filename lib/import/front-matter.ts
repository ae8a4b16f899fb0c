import { isCollection, isScalar, LineCounter, parseDocument } from "yaml";
import { type ArticleText, textFieldList } from "@/lib/articles/article-text";
import { FileError } from "@/lib/import/problem";

export interface FrontMatter extends Partial<Omit<ArticleText, "html">> {
  slug?: string;
  tags?: string[];
  state?: "draft" | "published";
  createdAt?: Date;
  updatedAt?: Date;
  sequence?: number;
  /** Paths relative to the file, or slugs. */
  related?: string[];
  author?: string;
  attachments?: string[];
  /** Only in exports: the permalink that the article keeps. */
  permalink?: string;
  publishedAt?: Date;
  publishAt?: Date;
}

export interface CategorySettings {
  name?: string;
  slug?: string;
  description?: string;
  sequence?: number;
  visibility?: "inherit" | "everyone" | "members";
  /** The unreadable file may have closed the category. */
  isUnreadable?: true;
}

/** Throws the end of a sentence that begins with the field. */
type Field = { name: string; take(value: unknown): unknown };

const LONGEST = 64 * 1024;

const shown = (number: number) => number.toLocaleString("en");

/** @param breaks the control characters to replace by a space: all, or all but line breaks */
const text =
  (most: number, breaks = /\p{Cc}+/gu, rule = `must be text of up to ${shown(most)} characters`) =>
  (value: unknown) => {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") throw new Error(rule);
    const clean = String(value).replace(/\r\n?/g, "\n").replace(breaks, " ").trim().normalize("NFC");
    if ([...clean].length > most) throw new Error(rule);
    return clean === "" ? undefined : clean;
  };

const lines = (most: number) => text(most, /[^\P{Cc}\n]+/gu);

const list = (most: number) => (value: unknown) => {
  const rule = `must be a list of items of up to ${shown(most)} characters each`;
  const items = Array.isArray(value) ? value : String(text(10_000, undefined, rule)(value) ?? "").split(",");
  const texts = items.map(text(most, undefined, rule)).filter((item) => item !== undefined);
  return [...new Set(texts)];
};

const either = new Intl.ListFormat("en", { type: "disjunction" });

const oneOf =
  (...words: string[]) =>
  (value: unknown) => {
    if (words.includes(String(value))) return String(value);
    throw new Error(`must be ${either.format(words)}`);
  };

const wholeNumber = (value: unknown) => {
  const number = Number(value);
  if (value !== "" && Number.isInteger(number) && Math.abs(number) <= 2_147_483_647) return number;
  throw new Error("must be a whole number");
};

const yesOrNo = (value: unknown) => {
  if (typeof value === "boolean") return value;
  throw new Error("must be true or false");
};

/** ISO 8601, with or without a time. A time without a zone is UTC on every machine. */
const date = (value: unknown) => {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
    String(value).trim(),
  );
  const zone = parts?.[3]?.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2") ?? "Z";
  const result = new Date(parts ? `${parts[1]}T${parts[2] ?? "00:00"}${zone.toUpperCase()}` : Number.NaN);
  const year = result.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new Error("must be a date such as 2026-01-31 or 2026-01-31T09:30:00Z");
  return result;
};

/** Permalinks of other systems are ignored. */
const permalink = (value: unknown) => (/^a-[0-9a-f]{8}$/.test(String(value)) ? String(value) : undefined);

/** Other systems write `draft: true` and `published: false`. */
const stateIf = (word: "draft" | "published") => (value: unknown) =>
  yesOrNo(value) === (word === "draft") ? "draft" : "published";

const textFields: Record<string, Field> = {};
for (const [name, { kind, inFile, limit = 0, hasLines }] of textFieldList) {
  const take = kind === "flag" ? yesOrNo : kind === "list" ? list(limit) : hasLines ? lines(limit) : text(limit);
  if (inFile) textFields[inFile] = { name, take };
}

const articleFields: Record<string, Field> = {
  ...textFields,
  slug: { name: "slug", take: text(300) },
  tags: { name: "tags", take: list(100) },
  state: { name: "state", take: oneOf("draft", "published") },
  status: { name: "state", take: oneOf("draft", "published") },
  draft: { name: "state", take: stateIf("draft") },
  published: { name: "state", take: stateIf("published") },
  created_at: { name: "createdAt", take: date },
  date: { name: "createdAt", take: date },
  updated_at: { name: "updatedAt", take: date },
  sequence: { name: "sequence", take: wholeNumber },
  related: { name: "related", take: list(1_000) },
  author: { name: "author", take: text(254) },
  attachments: { name: "attachments", take: list(1_000) },
  permalink: { name: "permalink", take: permalink },
  published_at: { name: "publishedAt", take: date },
  publish_at: { name: "publishAt", take: date },
};

const categoryFields: Record<string, Field> = {
  name: { name: "name", take: text(200) },
  slug: { name: "slug", take: text(300) },
  description: { name: "description", take: lines(5_000) },
  sequence: { name: "sequence", take: wholeNumber },
  visibility: { name: "visibility", take: oneOf("inherit", "everyone", "members") },
};

/** Ignores unknown fields. Throws FileError with the line, for invalid YAML or an unusable field. */
export function readFrontMatter(file: string): { fields: FrontMatter; body: string; linesBefore: number } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(file);
  if (!found || found.index > 0) return { fields: {}, body: file, linesBefore: 0 };
  const [whole, yaml = ""] = found;
  if (yaml.length > LONGEST) throw new FileError("The front matter is longer than 64 KB.", 1);
  return {
    fields: readFields(yaml, articleFields, 1),
    body: file.slice(whole.length),
    linesBefore: whole.split("\n").length - 1,
  };
}

/** Throws FileError with the line, for invalid YAML or an unusable field. */
export function readCategorySettings(file: string): CategorySettings {
  if (file.length > LONGEST) throw new FileError("The file is longer than 64 KB.");
  return readFields(file, categoryFields, 0);
}

/** Openings inside one another. */
const MAX_DEPTH = 100;
const manyIndicators = new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${MAX_DEPTH}}`, "m");

/** The parser calls itself for each level, and running out of stack can end the whole process. */
function isTooDeep(yaml: string): boolean {
  let depth = 0;
  for (const [bracket] of yaml.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return manyIndicators.test(yaml);
}

function readFields(yaml: string, known: Record<string, Field>, linesBefore: number): object {
  if (isTooDeep(yaml)) throw new FileError("The fields are nested too deeply.", linesBefore + 1);
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number) => lines.linePos(offset).line + linesBefore;
  const [error] = document.errors;
  if (error) throw new FileError(`This is not valid YAML: ${error.message.replace(/\.$/, "")}.`, lineOf(error.pos[0]));
  const { contents } = document;
  if (contents === null) return {};
  if (!isCollection(contents) || !("get" in contents) || Array.isArray(contents.toJSON())) {
    throw new FileError("This is not a list of fields, such as title: My article.", lineOf(0));
  }
  let values: Record<string, unknown>;
  try {
    values = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
  } catch (failure) {
    throw new FileError(`This is not valid YAML: ${(failure as Error).message}.`, lineOf(0));
  }
  const fields: Record<string, unknown> = {};
  for (const { key } of contents.items as { key: unknown }[]) {
    const name = isScalar(key) ? String(key.value) : "";
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!field || values[name] === null) continue;
    try {
      const value = field.take(values[name]);
      // Another field must not publish a draft.
      if (field.name !== "state" || fields.state !== "draft") fields[field.name] = value;
    } catch (failure) {
      const line = isScalar(key) && key.range ? lineOf(key.range[0]) : undefined;
      throw new FileError(`The “${name}” field ${(failure as Error).message}.`, line);
    }
  }
  return fields;
}
