import { createHash, randomUUID } from "node:crypto";
import { type AddressBook, type Addresses, possibleAddresses } from "@/lib/import/addresses";
import { readArticleFile } from "@/lib/import/article-file";
import { CategoryPlan, type PlannedCategory } from "@/lib/import/categories";
import type { Existing, ExistingArticle } from "@/lib/import/existing";
import { type CategorySettings, type FrontMatter, readCategorySettings } from "@/lib/import/front-matter";
import type { Source } from "@/lib/import/listing";
import { FileError, type Problem } from "@/lib/import/problem";
import { isFormOf, SlugBook, wantedSlug } from "@/lib/import/slugs";
import { decodedText } from "@/lib/import/text";

/** A file that becomes, or is, an article. */
export interface PlannedFile {
  path: string;
  id: string;
  slug: string;
  category: PlannedCategory;
  /** Of the file's bytes. */
  contentHash: Buffer;
  before: ExistingArticle | null;
}

/** What an import is going to do: which file is which article, and at which address. */
export interface Plan {
  files: PlannedFile[];
  categories: CategoryPlan;
  book: AddressBook;
  /** Files that cannot be imported. */
  problems: Problem[];
  /** Files deeper than the deepest category. */
  flattened: string[];
  /** Files of an earlier import that are no longer there. */
  gone: string[];
  /** The authors that files name. */
  emails: Set<string>;
}

interface ReadFile {
  path: string;
  title: string;
  fields: FrontMatter;
  contentHash: Buffer;
}

/** `articles.source_hash` is two hashes of this length: of the file, and of what its addresses lead to. */
const HASH_LENGTH = 16;

export const hashOf = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, HASH_LENGTH);
};

/** What is stored depends on this code too: another text here makes the next import store every file again. */
const FORM = "1";

/** The second half: what everything that a file names leads to. */
export function contextHash(path: string, body: string, reference: { text: string }, addresses: Addresses): Buffer {
  const leadsTo = possibleAddresses(body).map((href) => addresses.find(path, { href, kind: "link" }).href);
  return hashOf(JSON.stringify([FORM, reference.text, leadsTo]));
}

/** The half of a stored hash that says what the file was. */
const contentHashOf = (article: ExistingArticle) => article.sourceHash?.subarray(0, HASH_LENGTH).toString("hex");

/**
 * Reads every file once, for its title, its front matter and a hash, and decides on articles, categories and addresses.
 * The same files and the same workspace always give the same plan, so that a run which was cut off is simply run again.
 * @param onFile hears after each file how many are read
 */
export async function planImport(source: Source, existing: Existing, onFile: (done: number) => void): Promise<Plan> {
  const problems: Problem[] = [...source.refused];
  const settings = await readSettings(source, problems);
  const files: ReadFile[] = [];
  for (const [index, path] of source.articles.entries()) {
    try {
      const bytes = await source.read(path);
      const { title, fields } = readArticleFile(path, bytes);
      files.push({ path, title, fields, contentHash: hashOf(bytes) });
    } catch (error) {
      problems.push(problemOf(path, error));
    }
    onFile(index + 1);
  }
  return { ...planOf(source, existing, files, settings), problems };
}

export function problemOf(path: string, error: unknown): Problem {
  if (!(error instanceof FileError)) throw error;
  return { path, message: error.message, ...(error.line !== undefined && { line: error.line }) };
}

async function readSettings(source: Source, problems: Problem[]): Promise<Map<string, CategorySettings>> {
  const settings = new Map<string, CategorySettings>();
  for (const path of source.settings) {
    try {
      settings.set(folderOf(path), readCategorySettings(decodedText(await source.read(path))));
    } catch (error) {
      problems.push(problemOf(path, error));
    }
  }
  return settings;
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function planOf(
  source: Source,
  existing: Existing,
  read: readonly ReadFile[],
  settings: Map<string, CategorySettings>,
): Omit<Plan, "problems"> {
  const former = (kind: string) =>
    existing.redirects
      .filter(({ path }) => path.startsWith(`/${kind}/`))
      .map(({ path, id }) => ({ slug: path.slice(kind.length + 2), id }));
  const slugsOf = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug);
  const slugs = new SlugBook(slugsOf(existing.articles), former("articles"));
  const categorySlugs = new SlugBook(slugsOf(existing.categories), former("categories"));
  const categories = new CategoryPlan(existing.categories, settings, categorySlugs);

  const there = new Set(source.articles);
  const imported = existing.articles.filter(({ sourcePath }) => sourcePath !== null);
  const byPath = new Map(imported.map((article) => [article.sourcePath as string, article]));
  const gone = imported.filter(({ sourcePath }) => !there.has(sourcePath as string));
  // A file that is gone here and there again elsewhere, letter by letter, was moved: it stays the same article.
  const moved = new Map(gone.map((article) => [contentHashOf(article), article]));

  const articles = new Map<string, string>();
  for (const { sourcePath, slug } of imported) articles.set(sourcePath as string, slug);
  const flattened: string[] = [];
  const emails = new Set<string>();
  const files = read.map(({ path, title, fields, contentHash }): PlannedFile => {
    const hash = contentHash.toString("hex");
    let before = byPath.get(path) ?? null;
    if (!before && moved.has(hash)) {
      before = moved.get(hash) as ExistingArticle;
      moved.delete(hash);
      articles.delete(before.sourcePath as string);
    }
    const id = before?.id ?? randomUUID();
    const wanted = wantedSlug(fields.slug, title);
    // An address changes only when the file asks for another one: not because a title changed, nor because somebody
    // chose a better one here while the file stayed as it is.
    const keeps =
      before && (fields.slug === undefined || isFormOf(before.slug, wanted) || contentHashOf(before) === hash);
    const slug = before && keeps ? before.slug : slugs.take(wanted, id);
    const category = categories.of(folderOf(path));
    if (category.folder !== folderOf(path)) flattened.push(path);
    if (fields.author) emails.add(fields.author);
    articles.set(path, slug);
    return { path, id, slug, category, contentHash, before };
  });
  const adopted = new Set(files.map(({ id }) => id));
  return {
    files,
    categories,
    book: { articles, folders: categories.addresses(), others: source.others },
    flattened,
    gone: gone.filter(({ id }) => !adopted.has(id)).map(({ sourcePath }) => sourcePath as string),
    emails,
  };
}
