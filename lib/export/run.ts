import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ZipFile } from "yazl";
import { archiveDataText, DATA_FILE, sealOf } from "@/lib/archive";
import {
  bodyFile,
  cleanLine,
  cleanLines,
  type FileOf,
  filePath,
  textFields,
  withFrontMatter,
  yamlOf,
} from "@/lib/export/article-text";
import {
  type ExportedArticle,
  type ExportedCategory,
  type ExportedUpload,
  type ExportIndex,
  readArticles,
  readIndex,
} from "@/lib/export/read";
import { uploadStorage } from "@/lib/uploads/chosen-storage";

export interface ExportOptions {
  workspace: { id: string };
  /** Seals the files, so that this installation takes them back as they are; without it none is sealed. */
  secret: string | undefined;
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Ends it with an error; the archive is then cut off. */
  signal?: AbortSignal;
}

export interface ExportResult {
  articles: number;
  drafts: number;
  categories: number;
  files: number;
  /** Files whose bytes are gone: paths that the archive names and does not have. */
  missing: string[];
  /** Articles that were put into another category meanwhile, by their paths without ending: they are left out. */
  moved: string[];
}

/** How many articles are read at once. */
const BATCH = 50;

/** The same on every machine: the archive's dates are in its texts. */
const WRITTEN = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/**
 * Writes a workspace as a zip of Markdown, a folder for each category. The same content gives the same bytes. What is
 * changed meanwhile is in it as it was or as it became: categories, their order and who reads them as they were when it
 * began, each article and its draft as they are when it is their turn. One that is in another category by then is left out
 * and told, since its folder may be for more people than it is. Memory does not grow with texts and files, only by a few
 * words for each.
 * @throws UnavailableError when database or store do not answer; what `out` throws
 */
export async function exportWorkspace(options: ExportOptions, out: NodeJS.WritableStream): Promise<ExportResult> {
  const { result } = await exportPiece({ ...options, from: null, until: new AbortController().signal }, out);
  return result;
}

/**
 * Writes the next piece of the same: all pieces, one after the other, are the archive.
 * @param options.from what the piece before gave; null for the first
 * @param options.until ends the piece with the file at hand
 * @returns `next` for the piece after it, plain data; null when this was the last
 */
export async function exportPiece(
  options: ExportOptions & { from: ExportState | null; until: AbortSignal },
  out: NodeJS.WritableStream,
): Promise<{ result: ExportResult; next: ExportState | null }> {
  const state = options.from ?? begunState(await readIndex(options.workspace.id));
  const zip = new ZipFile();
  goOn(zip, state.zip);
  const sent = pipeline(zip.outputStream, out, { signal: options.signal });
  const writing = new Export(options, state, zip).write(options.until).catch((error: unknown) => {
    (zip.outputStream as Readable).destroy(error as Error);
    throw error;
  });
  const [done] = await Promise.all([writing, sent]);
  return { result: state.result, next: done ? null : state };
}

/** How far an export is: what it is of, which was read once, and what is written of it. Plain data. */
export interface ExportState {
  index: ExportIndex;
  /** How many of each are written, in the archive's order. */
  categories: number;
  articles: number;
  files: number;
  /** The files that written articles use, by their paths. */
  used: [string, ExportedUpload][];
  sealed: { path: string; seal?: string }[];
  result: ExportResult;
  zip: ZipState;
}

function begunState(index: ExportIndex): ExportState {
  return {
    ...{ index, categories: 0, articles: 0, files: 0, used: [], sealed: [] },
    result: { articles: 0, drafts: 0, categories: 0, files: 0, missing: [], moved: [] },
    zip: { bytes: 0, entries: 0, records: "" },
  };
}

/** What the end of a zip says of the files before it. */
interface ZipState {
  bytes: number;
  entries: number;
  /** Of the central directory, in base64. */
  records: string;
}

/** What yazl keeps of a zip on its way: only its own end can be written by it, so it is told of the files before. */
interface Inside {
  outputStreamCursor: number;
  entries: { state: number; getCentralDirectoryRecord: () => Buffer }[];
}
/** A file that is written to its end. */
const WRITTEN_WHOLE = 3;

function goOn(zip: ZipFile, { bytes, entries, records }: ZipState): void {
  const inside = zip as unknown as Inside;
  inside.outputStreamCursor = bytes;
  const [all, none] = [Buffer.from(records, "base64"), Buffer.alloc(0)];
  for (let entry = 0; entry < entries; entry++) {
    inside.entries.push({ state: WRITTEN_WHOLE, getCentralDirectoryRecord: () => (entry === 0 ? all : none) });
  }
}

function stateOf(zip: ZipFile): ZipState {
  const { outputStreamCursor: bytes, entries } = zip as unknown as Inside;
  const records = Buffer.concat(entries.map((entry) => entry.getCentralDirectoryRecord())).toString("base64");
  return { bytes, entries: entries.length, records };
}

class Export {
  private readonly folders: Map<string, string>;
  private readonly files: Map<string, ExportedUpload & { path: string }>;
  private readonly used: Map<string, ExportedUpload>;
  private readonly index: ExportIndex;
  private readonly result: ExportResult;
  /** Hears of it when the file at hand cannot be written to its end. */
  private fail: (error: unknown) => void = () => {};

  constructor(
    private readonly options: ExportOptions,
    private readonly state: ExportState,
    private readonly zip: ZipFile,
  ) {
    const { index } = state;
    this.index = index;
    this.result = state.result;
    this.used = new Map(state.used);
    this.folders = foldersOf(index.categories);
    this.files = new Map(index.uploads.map((upload) => [upload.id, { ...upload, path: filePath(upload) }]));
    zip.on("error", (error) => this.fail(error));
    zip.outputStream.once("close", () => this.fail(new Error("The archive was cut off.")));
    options.signal?.addEventListener("abort", () => this.fail(options.signal?.reason), { once: true });
  }

  /** @returns whether all of it is written now */
  async write(until: AbortSignal): Promise<boolean> {
    if ((await this.addCategories(until)) && (await this.addArticles(until)) && (await this.addFiles(until))) {
      const { authors, redirects, synonyms } = this.index;
      await this.add(DATA_FILE, archiveDataText({ authors, files: this.state.sealed, redirects, synonyms }));
      this.zip.end();
      return true;
    }
    const { entries } = this.zip as unknown as Inside;
    // The last file has been read, and is on its way through the zip.
    while (entries.some(({ state }) => state !== WRITTEN_WHOLE)) {
      this.options.signal?.throwIfAborted();
      if ((this.zip.outputStream as Readable).destroyed) throw new Error("The archive was cut off.");
      await sleep(10);
    }
    this.state.used = [...this.used];
    this.state.zip = stateOf(this.zip);
    (this.zip.outputStream as unknown as NodeJS.WritableStream).end();
    return false;
  }

  private async addCategories(until: AbortSignal): Promise<boolean> {
    const categories = byPath(this.index.categories, ({ id }) => this.folders.get(id) as string);
    for (const category of categories.slice(this.state.categories)) {
      if (until.aborted) return false;
      await this.add(`${this.folders.get(category.id)}/_category.yml`, categoryText(category, this.index.isClosed));
      this.result.categories++;
      this.state.categories++;
    }
    return true;
  }

  private async addArticles(until: AbortSignal): Promise<boolean> {
    const articles = byPath(this.index.articles, ({ slug, categoryId }) => `${this.folders.get(categoryId)}/${slug}`);
    while (this.state.articles < articles.length) {
      const batch = articles.slice(this.state.articles, this.state.articles + BATCH);
      const texts = await readArticles(
        this.options.workspace.id,
        batch.map(({ id }) => id),
      );
      for (const { id, categoryId } of batch) {
        if (until.aborted) return false;
        const article = texts.get(id);
        const folder = this.folders.get(categoryId) as string;
        if (article?.categoryId === categoryId) await this.addArticle(article, folder);
        else if (article) this.result.moved.push(`${folder}/${article.slug}`);
        this.state.articles++;
        this.options.onProgress?.({ done: this.state.articles, total: articles.length });
      }
    }
    return true;
  }

  private readonly fileOf: FileOf = (id) => {
    const upload = this.files.get(id);
    if (upload) this.used.set(upload.path, upload);
    return upload?.path;
  };

  private async addArticle(article: ExportedArticle, folder: string): Promise<void> {
    const { text, draft, slug } = article;
    const { extension, body } = bodyFile(text.html, folder, this.fileOf);
    const fields = {
      title: cleanLine(text.title),
      slug,
      permalink: article.permalink,
      state: article.state,
      sequence: article.sequence,
      author: article.author,
      created_at: article.createdAt.toISOString(),
      updated_at: article.updatedAt.toISOString(),
      published_at: article.publishedAt?.toISOString(),
      publish_at: article.publishAt?.toISOString(),
      ...textFields(text, folder, this.fileOf),
    };
    await this.add(`${folder}/${slug}.${extension}`, withFrontMatter(fields, body));
    this.result.articles++;
    if (article.state === "draft" || draft) this.result.drafts++;
    if (!draft) return;
    const beside = bodyFile(draft.html, folder, this.fileOf);
    const draftFields = {
      title: cleanLine(draft.title),
      updated_at: draft.updatedAt.toISOString(),
      ...textFields(draft, folder, this.fileOf),
    };
    await this.add(`${folder}/${slug}.draft.${beside.extension}`, withFrontMatter(draftFields, beside.body));
  }

  private async addFiles(until: AbortSignal): Promise<boolean> {
    const { secret } = this.options;
    const files = byPath([...this.used], ([path]) => path);
    for (const [path, upload] of files.slice(this.state.files)) {
      if (until.aborted) return false;
      this.state.files++;
      const stream =
        upload.byteSize === 0
          ? null
          : await uploadStorage().open(upload.storageKey, { start: 0, end: upload.byteSize - 1 });
      if (!stream) {
        this.result.missing.push(path);
        continue;
      }
      // Images are packed as it is, and what packs very well would look like a trap to whoever unpacks it.
      await this.addStream(path, Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), false);
      this.state.sealed.push({ path, ...(secret !== undefined && { seal: sealOf(upload.sha256, secret) }) });
      this.result.files++;
    }
    return true;
  }

  private add(path: string, text: string): Promise<void> {
    return this.addStream(path, Readable.from([Buffer.from(text)]), true);
  }

  /** When it returns, the file has been read: no more than one waits in memory. */
  private async addStream(path: string, content: Readable, compress: boolean): Promise<void> {
    this.options.signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      this.fail = reject;
      content.once("end", resolve).once("error", reject);
      this.zip.addReadStream(content, path, { ...WRITTEN, compress });
    });
  }
}

function byPath<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, path: pathOf(item) }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ item }) => item);
}

/** Category → its folder, by slugs: names may be the same, or no name for a folder. */
function foldersOf(categories: readonly ExportedCategory[]): Map<string, string> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const pathOf = ({ slug, parentId }: ExportedCategory): string => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent ? `${pathOf(parent)}/${slug}` : slug;
  };
  return new Map(categories.map((category) => [category.id, pathOf(category)]));
}

/** Settings are not exported: what only the workspace closes is closed here, so that an import opens nothing. */
function categoryText(
  { name, slug, description, sequence, visibility, parentId }: ExportedCategory,
  isClosed: boolean,
): string {
  const inherited = isClosed && parentId === null ? "members" : undefined;
  return yamlOf({
    name: cleanLine(name),
    slug,
    description: description === null ? undefined : cleanLines(description),
    sequence,
    visibility: visibility === "inherit" ? inherited : visibility,
  });
}
