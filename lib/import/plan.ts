import { createHash, randomUUID } from "node:crypto";
import { MOST_CATEGORIES } from "@/lib/categories/tree";
import { type AddressBook, Addresses, possibleAddresses } from "@/lib/import/addresses";
import { type ArticleFile, type ReadFile, readArticleFile } from "@/lib/import/article-file";
import { CategoryPlan, type PlannedCategory } from "@/lib/import/categories";
import { Decisions } from "@/lib/import/decisions";
import type { ArticleSource, Existing, ExistingArticle } from "@/lib/import/existing";
import { type CategorySettings, readCategorySettings } from "@/lib/import/front-matter";
import type { Source } from "@/lib/import/listing";
import { FileError, type Problem } from "@/lib/import/problem";
import { isFormOf, SlugBook, wantedSlug } from "@/lib/import/slugs";
import { decodedText, folderOf } from "@/lib/import/text";
import type { Kept } from "@/lib/publishing/article";

/** A file that becomes, or is, an article. */
export interface PlannedFile {
  path: string;
  /** The file of the draft that would replace it. */
  draft: string | undefined;
  id: string;
  slug: string;
  category: PlannedCategory;
  sequence: number;
  state: "draft" | "published";
  /** Of a new article. */
  permalink: string | undefined;
  /** What stays as people made it here. */
  keeps: readonly Kept[];
  /** Whether nothing of it is to be changed. */
  isLeft: boolean;
  /** What is remembered of what the file says. */
  says: ArticleSource;
  /** Of the bytes of the file, and of its draft's. */
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
  /** Files whose article, or of whose folder all, more people read after this than before. */
  opened: string[];
  /** Files that would change something here that people decided otherwise, and what was done instead. */
  kept: Problem[];
  /** The authors that files name. */
  emails: Set<string>;
  /** The files that articles show or lead to, in the order of their paths. */
  others: string[];
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
export function contextHash(
  path: string,
  texts: readonly { body: string; reference: { text: string } }[],
  addresses: Addresses,
): Buffer {
  const parts = texts.flatMap(({ body, reference }) => [
    reference.text,
    possibleAddresses(body).map((href) => addresses.find(path, { href, kind: "link" }).href),
  ]);
  return hashOf(JSON.stringify([FORM, ...parts]));
}

/** The half of a stored hash that says what the file was. */
const contentHashOf = (article: ExistingArticle) => article.sourceHash?.subarray(0, HASH_LENGTH).toString("hex");

/**
 * Reads every file once, for its title, its front matter and a hash, and decides on articles, categories and addresses.
 * The same files and the same workspace always give the same plan, so that a run which was cut off is simply run again.
 * @param onFile hears after each file how many are read
 * @returns null when it was stopped
 */
export async function planImport(
  source: Source,
  existing: Existing,
  onFile: (done: number) => void,
  signal?: AbortSignal,
): Promise<Plan | null> {
  const problems: Problem[] = [...source.refused];
  const settings = await readSettings(source, problems);
  const files: ReadFile[] = [];
  const others = new Set<string>();
  const ofOthers = new Addresses({ ...empty, others: source.others });
  const note = (path: string, { body, fields }: ArticleFile) => {
    for (const href of [...possibleAddresses(body), ...(fields.attachments ?? [])]) {
      const other = ofOthers.otherAt(path, href);
      if (other !== undefined) others.add(other);
    }
  };
  for (const [index, path] of source.articles.entries()) {
    let at = path;
    if (signal?.aborted) return null;
    try {
      const bytes = await source.read(path);
      const file = readArticleFile(path, bytes, source.data !== null);
      const hashed = [bytes];
      const draft = source.drafts.get(path);
      if (draft !== undefined) {
        at = draft;
        hashed.push(await source.read(draft));
        note(draft, readArticleFile(draft, hashed[1] as Buffer, true));
      }
      note(path, file);
      files.push({ path, draft, title: file.title, fields: file.fields, contentHash: hashOf(...hashed) });
    } catch (error) {
      problems.push(problemOf(at, error));
    }
    onFile(index + 1);
  }
  const plan = planOf(source, existing, files, settings);
  return { ...plan, problems: [...problems, ...plan.problems], others: [...others].sort() };
}

const empty: AddressBook = {
  articles: new Map(),
  folders: new Map(),
  others: new Set(),
  files: new Map(),
  isExport: false,
};

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
      settings.set(folderOf(path), { isUnreadable: true });
    }
  }
  return settings;
}

function planOf(
  source: Source,
  existing: Existing,
  read: readonly ReadFile[],
  settings: Map<string, CategorySettings>,
): Omit<Plan, "others"> {
  const former = (kind: string) =>
    existing.redirects
      .filter(({ path }) => path.startsWith(`/${kind}/`))
      .map(({ path, id }) => ({ slug: path.slice(kind.length + 2), id }));
  const slugsOf = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug);
  const slugs = new SlugBook(slugsOf(existing.articles), former("articles"));
  const isExport = source.data !== null;
  const categories = new CategoryPlan(existing, {
    // A folder may say what it is and have no articles.
    folders: [...settings.keys(), ...read.map(({ path }) => folderOf(path))],
    settings,
    slugs: new SlugBook(slugsOf(existing.categories), former("categories")),
    isExport,
    formerSlugs: formerSlugs(source),
  });

  const there = new Set(source.articles);
  const claimed = claimArticles(source, existing, read);
  const adopted = new Set([...claimed.values()].map(({ id }) => id));
  const imported = existing.articles.filter(({ sourcePath }) => sourcePath !== null);
  const articles = new Map<string, string>();
  for (const { sourcePath, slug } of imported) articles.set(sourcePath as string, slug);
  for (const { sourcePath } of claimed.values()) if (sourcePath !== null) articles.delete(sourcePath);

  const permalinks = new Set(existing.articles.map(({ permalink }) => permalink));
  const emails = new Set<string>();
  const flattened: string[] = [];
  const decided = new Decisions(existing, categories, read, claimed);
  const files = read.map((file): PlannedFile => {
    const { path, draft, title, fields, contentHash } = file;
    const before = claimed.get(path) ?? null;
    const id = before?.id ?? randomUUID();
    const wanted = wantedSlug(fields.slug, title, isExport);
    // An address changes only when the file asks for another one: not because a title changed, nor because somebody
    // chose a better one here since the file asked.
    const asksAgain = fields.slug !== undefined && before?.sourceSettings?.slug === fields.slug;
    const isSame = before && contentHashOf(before) === contentHash.toString("hex");
    const keeps = fields.slug === undefined || asksAgain || isSame || (before && isFormOf(before.slug, wanted));
    const slug = before && keeps ? before.slug : slugs.take(wanted, id);
    const decision = decided.of(file);
    if (!decision.keeps.includes("category") && categories.isFlattened(folderOf(path))) flattened.push(path);
    if (fields.author) emails.add(fields.author);
    articles.set(path, slug);
    const isNew = !before && fields.permalink !== undefined && !permalinks.has(fields.permalink);
    if (isNew) permalinks.add(fields.permalink as string);
    return { path, draft, id, slug, contentHash, before, permalink: isNew ? fields.permalink : undefined, ...decision };
  });
  categories.settle(files.map(({ category }) => category));
  const settingsOf = (folder: string) => source.settings.find((path) => folderOf(path) === folder) ?? folder;
  const leftOut = categories.leaveOut();
  const isLeftOut = ({ category }: PlannedFile) => leftOut.has(category);
  for (const { path, before } of files.filter(isLeftOut)) {
    if (before) articles.set(path, before.slug);
    else articles.delete(path);
  }
  const withSettings = [...leftOut].filter(({ folder }) => settings.has(folder));
  return {
    files: files.filter((file) => !isLeftOut(file)),
    problems: [
      ...withSettings.map(({ folder }) => settingsOf(folder)),
      ...files.filter(isLeftOut).map(({ path }) => path),
    ].map((path) => ({ path, message: NO_ROOM })),
    categories,
    book: { articles, folders: categories.addresses(), others: source.others, files: new Map(), isExport },
    flattened,
    gone: imported
      .filter(({ id, sourcePath }) => !adopted.has(id) && !there.has(sourcePath as string))
      .map(({ sourcePath }) => sourcePath as string),
    emails,
    opened: [...categories.opened().map(settingsOf), ...decided.opened],
    kept: [
      ...categories.keptClosed.map((folder) => ({ path: settingsOf(folder), message: KEPT_CLOSED })),
      ...decided.kept,
    ],
  };
}

const KEPT_CLOSED = "The category is for members here, and stays so: let everyone read it here if you want that.";

const NO_ROOM = `Nothing of it is imported: there would be more than ${MOST_CATEGORIES.toLocaleString("en")} categories, as many as there can be. Delete or merge some, here or among the folders, then import again.`;

/** Former address → address of the categories of an export. */
function formerSlugs({ data }: Source): Map<string, string> {
  const slugs = new Map<string, string>();
  for (const { from, category } of data?.redirects ?? []) {
    if (category !== undefined && from.startsWith("/categories/"))
      slugs.set(from.slice("/categories/".length), category);
  }
  return slugs;
}

/**
 * Which file is which article: the one whose permalink it has, since that goes with it wherever it goes; then the one
 * that came from its path; then one that is gone from where it was, and here again letter by letter. No two are the same.
 */
function claimArticles(source: Source, existing: Existing, read: readonly ReadFile[]): Map<string, ExistingArticle> {
  const there = new Set(source.articles);
  const claims = new Map<string, ExistingArticle>();
  const claimed = new Set<string>();
  const take = (path: string, article: ExistingArticle | undefined) => {
    if (!article || claims.has(path) || claimed.has(article.id)) return;
    claims.set(path, article);
    claimed.add(article.id);
  };
  const byPermalink = new Map(existing.articles.map((article) => [article.permalink, article]));
  const named = ({ fields }: ReadFile) => byPermalink.get(fields.permalink ?? "");
  // Of two copies of a file, the one that is where it was.
  for (const file of read) if (named(file)?.sourcePath === file.path) take(file.path, named(file));
  for (const file of read) take(file.path, named(file));
  const imported = existing.articles.filter(({ sourcePath }) => sourcePath !== null);
  const byPath = new Map(imported.map((article) => [article.sourcePath, article]));
  for (const { path } of read) take(path, byPath.get(path));
  const gone = imported.filter(({ id, sourcePath }) => !there.has(sourcePath as string) && !claimed.has(id));
  const moved = new Map(gone.map((article) => [contentHashOf(article), article]));
  for (const { path, contentHash } of read) take(path, moved.get(contentHash.toString("hex")));
  return claims;
}
