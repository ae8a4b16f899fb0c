import { createHash, randomUUID } from "node:crypto";
import { MOST_CATEGORIES } from "@/lib/categories/tree";
import { DATA_FILE } from "@/lib/export/format";
import { type AddressBook, Addresses, possibleAddresses } from "@/lib/import/addresses";
import { type ArticleFile, type ReadFile, readArticleFile } from "@/lib/import/article-file";
import { CategoryPlan, type FolderSettings, type PlannedCategory } from "@/lib/import/categories";
import { isEdited } from "@/lib/import/edited";
import type { Existing, ExistingArticle } from "@/lib/import/existing";
import { readCategorySettings } from "@/lib/import/front-matter";
import type { Source } from "@/lib/import/listing";
import { FileError, type Problem } from "@/lib/import/problem";
import { isFormOf, SlugBook, wantedSlug } from "@/lib/import/slugs";
import { decodedText, folderOf } from "@/lib/import/text";

export interface PlannedFile {
  path: string;
  draft: string | undefined;
  id: string;
  slug: string;
  category: PlannedCategory;
  sequence: number;
  state: "draft" | "published";
  permalink: string | undefined;
  /** The article was edited here, so its file changes nothing. */
  isLeft: boolean;
  /** The article was moved here, so its file does not move it. */
  keepsPlace: boolean;
  contentHash: Buffer;
  before: ExistingArticle | null;
}

export interface Plan {
  files: PlannedFile[];
  categories: CategoryPlan;
  book: AddressBook;
  problems: Problem[];
  flattened: string[];
  gone: string[];
  /** Files that let more people read their article or category than before. */
  opened: string[];
  /** Files whose changes were ignored because of edits here. */
  kept: Problem[];
  emails: Set<string>;
  /** Files that articles show or link to. */
  others: string[];
}

/** `articles.source_hash` is two hashes of this length: of the file, and of the targets of its links. */
const HASH_LENGTH = 16;

export const hashOf = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, HASH_LENGTH);
};

/** Stored texts depend on this code: change this to make the next import store every file again. */
const FORM = "1";

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

const contentHashOf = (article: ExistingArticle) => article.sourceHash?.subarray(0, HASH_LENGTH).toString("hex");

/**
 * Reads every file once and decides on articles, categories and slugs. The same files and workspace always give the same plan,
 * so an interrupted run is simply repeated.
 * @returns null when it was stopped
 */
export async function planImport(
  source: Source,
  existing: Existing,
  {
    skip,
    asDrafts = false,
    onProgress,
    onFile,
    signal,
  }: {
    skip: readonly Problem[];
    asDrafts: boolean | undefined;
    onProgress: (done: number) => void;
    onFile: ((path?: string) => void) | undefined;
    signal: AbortSignal | undefined;
  },
): Promise<Plan | null> {
  const problems: Problem[] = [...source.refused, ...skip];
  const skipped = new Set(skip.map(({ path }) => path));
  const settings = await readSettings(source, { problems, skipped, onFile });
  const files: ReadFile[] = [];
  const others = new Set<string>();
  const ofOthers = new Addresses({ ...empty, others: source.others });
  const note = (path: string, body: string, attachments: readonly string[] = []) => {
    for (const href of [...possibleAddresses(body), ...attachments]) {
      const other = ofOthers.otherAt(path, href);
      if (other !== undefined) others.add(other);
    }
  };
  const noteFile = (path: string, { body, fields }: ArticleFile) => note(path, body, fields.attachments);
  for (const { html } of source.data?.snippets ?? []) note(DATA_FILE, html);
  for (const [index, path] of source.articles.entries()) {
    if (skipped.has(path)) continue;
    let at = path;
    if (signal?.aborted) return null;
    onFile?.(path);
    try {
      const bytes = await source.read(path);
      const file = readArticleFile(path, bytes, source.data !== null);
      const hashed = [bytes];
      const draft = source.drafts.get(path);
      if (draft !== undefined) {
        at = draft;
        hashed.push(await source.read(draft));
        noteFile(draft, readArticleFile(draft, hashed[1] as Buffer, true));
      }
      noteFile(path, file);
      files.push({ path, draft, title: file.title, fields: file.fields, contentHash: hashOf(...hashed) });
    } catch (error) {
      problems.push(problemOf(at, error));
    }
    onFile?.();
    onProgress(index + 1);
  }
  const plan = planOf(source, existing, files, { settings, asDrafts: asDrafts && source.data === null });
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

async function readSettings(
  source: Source,
  input: { problems: Problem[]; skipped: ReadonlySet<string>; onFile: ((path?: string) => void) | undefined },
): Promise<Map<string, FolderSettings>> {
  const { problems, skipped, onFile } = input;
  const settings = new Map<string, FolderSettings>();
  for (const path of source.settings) {
    settings.set(folderOf(path), { isUnreadable: true });
    if (skipped.has(path)) continue;
    onFile?.(path);
    try {
      const bytes = await source.read(path);
      const hash = hashOf(bytes).toString("hex");
      settings.set(folderOf(path), { ...readCategorySettings(decodedText(bytes)), hash });
    } catch (error) {
      problems.push(problemOf(path, error));
    }
    onFile?.();
  }
  return settings;
}

function planOf(
  source: Source,
  existing: Existing,
  read: readonly ReadFile[],
  { settings, asDrafts }: { settings: Map<string, FolderSettings>; asDrafts: boolean },
): Omit<Plan, "others"> {
  const former = (kind: string) =>
    existing.redirects
      .filter(({ path }) => path.startsWith(`/${kind}/`))
      .map(({ path, id }) => ({ slug: path.slice(kind.length + 2), id }));
  const slugsOf = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug);
  const slugs = new SlugBook(slugsOf(existing.articles), former("articles"));
  const isExport = source.data !== null;
  const categories = new CategoryPlan(existing, {
    folders: [...settings.keys(), ...read.map(({ path }) => folderOf(path))],
    settings,
    slugs: new SlugBook(slugsOf(existing.categories), former("categories")),
    isExport,
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
  const opened: string[] = [];
  const kept: Problem[] = [];
  const endOf = endsOf(existing, read, { claimed, categories });
  const files = read.map((file): PlannedFile => {
    const { path, draft, title, fields, contentHash } = file;
    const before = claimed.get(path) ?? null;
    const id = before?.id ?? randomUUID();
    const state = asDrafts && !before ? "draft" : (fields.state ?? "published");
    const wanted = wantedSlug(fields.slug, title, isExport);
    const target = categories.forFolder(folderOf(path));
    if (fields.author) emails.add(fields.author);
    const isNew = !before && fields.permalink !== undefined && !permalinks.has(fields.permalink);
    if (isNew) permalinks.add(fields.permalink as string);
    const common = { path, draft, id, contentHash, before, state, permalink: isNew ? fields.permalink : undefined };
    if (!before) {
      if (categories.isFlattened(folderOf(path))) flattened.push(path);
      const slug = slugs.take(wanted, id);
      articles.set(path, slug);
      const sequence = fields.sequence ?? endOf(target);
      return { ...common, slug, category: target, sequence, isLeft: false, keepsPlace: false };
    }
    const isSame = before.sourcePath === path && contentHashOf(before) === contentHash.toString("hex");
    const here = categories.withId(before.categoryId);
    const isMoved = isEdited(before.sourceState, before.current, "place");
    const opens = categories.isClosed(here.id, "after") && !categories.isClosed(target.id, "after");
    const keepsPlace = isMoved || opens;
    const category = keepsPlace ? here : target;
    if (!keepsPlace && categories.isFlattened(folderOf(path))) flattened.push(path);
    const sequence = isMoved ? before.sequence : (fields.sequence ?? before.sequence);
    // A new title does not change the slug.
    const keepsSlug = isMoved || isSame || fields.slug === undefined || isFormOf(before.slug, wanted);
    const reason = reasonToLeave(before, state);
    const slug = keepsSlug || reason ? before.slug : slugs.take(wanted, id);
    articles.set(path, slug);
    if (!isSame && reason) kept.push({ path, message: reason });
    else if (!isSame && opens && target.id !== here.id) kept.push({ path, message: KEPT_IN });
    else if (!isSame && isMoved && (target.id !== here.id || (fields.sequence ?? sequence) !== sequence)) {
      kept.push({ path, message: MOVED });
    }
    const isPublished = !isSame && before.state === "draft" && state === "published" && !reason;
    if (isPublished && !categories.isClosed(category.id, "after")) opened.push(path);
    return { ...common, slug, category, sequence, isLeft: reason !== undefined, keepsPlace: isMoved };
  });
  categories.settle(
    files.map(({ category }) => category),
    read.map(({ path }) => folderOf(path)),
  );
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
    opened: [...categories.opened().map(settingsOf), ...opened],
    kept: [
      ...categories.keptClosed.map((folder) => ({ path: settingsOf(folder), message: KEPT_CLOSED })),
      ...categories.edited.map((folder) => ({ path: settingsOf(folder), message: EDITED_CATEGORY })),
      ...kept,
    ],
  };
}

/** Why an existing article stays as it is, or undefined if its file wins. */
function reasonToLeave(article: ExistingArticle, state: "draft" | "published"): string | undefined {
  if (article.sourcePath === null || article.sourceState === null) {
    if (article.hasDraft) return "The article was not changed because it has a draft in Lectern.";
    return article.state === state
      ? undefined
      : `The article was not changed because it is ${words[article.state]} here.`;
  }
  return isEdited(article.sourceState, article.current, "content") ? EDITED : undefined;
}

const words = { draft: "a draft", published: "published" };

/** New articles without a position follow the ordered ones. If none is ordered, all sort by title. */
function endsOf(
  existing: Existing,
  read: readonly ReadFile[],
  { claimed, categories }: { claimed: ReadonlyMap<string, ExistingArticle>; categories: CategoryPlan },
): (category: PlannedCategory) => number {
  const greatest = new Map<string, number>();
  const note = (id: string, sequence: number) => greatest.set(id, Math.max(greatest.get(id) ?? 0, sequence));
  // An interrupted import put these at the end. The rest joins them, as if all had come together.
  const atEnd = new Set<string>();
  for (const { path, fields } of read) {
    const before = claimed.get(path);
    if (fields.sequence !== undefined) note(categories.forFolder(folderOf(path)).id, fields.sequence);
    else if (before?.sourceState && !isEdited(before.sourceState, before.current, "place")) atEnd.add(before.id);
  }
  for (const { id, categoryId, sequence } of existing.articles) if (!atEnd.has(id)) note(categoryId, sequence);
  return ({ id }) => {
    const last = greatest.get(id) ?? 0;
    return last > 0 ? Math.min(last + 1, 2_147_483_647) : 0;
  };
}

export const EDITED = "The article was not changed because it was edited in Lectern since the last import.";
const EDITED_CATEGORY = "The category was not changed because it was edited in Lectern since the last import.";
const MOVED = "The article was not moved because it was moved in Lectern since the last import.";
const KEPT_IN = "The article was not moved because it is members-only in Lectern. Move it there to make it public.";

const KEPT_CLOSED = "The category is still members-only. Change its visibility in Lectern to make it public.";

const NO_ROOM = `Not imported. There would be more than ${MOST_CATEGORIES.toLocaleString("en")} categories, which is the maximum. Delete or merge some here or in the folders, then import again.`;

/**
 * The article of a file is the one with its permalink, else the one imported from its path, else an equal one whose file is
 * gone. An article belongs to one file at most.
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
  // If a file has two copies, the one at the old path wins.
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
