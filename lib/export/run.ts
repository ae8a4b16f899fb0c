import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import {
  bodyFile,
  cleanLine,
  cleanLines,
  type FileOf,
  filePath,
  portableHtml,
  textFields,
  withFrontMatter,
  yamlOf,
} from "@/lib/export/article-text";
import { DATA_FILE, type ExportData, exportDataText, sealOf } from "@/lib/export/format";
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
  /** Seals the files, so that this installation takes them back as they are. Without it none is sealed. */
  secret: string | undefined;
  /** Slugs of articles that an earlier try could not convert, and why: they are left out. */
  skip?: readonly { path: string; message: string }[];
  onProgress?: (progress: Progress) => void;
  /** Called with an article's slug before the work on it, and without one after. */
  onFile?: (slug?: string) => void;
  signal?: AbortSignal;
}

interface Progress {
  phase: "exporting";
  done: number;
  total: number;
}

export interface ExportResult {
  articles: number;
  drafts: number;
  categories: number;
  files: number;
  /** Paths of uploads whose bytes are gone. */
  missing: string[];
  /** Paths of articles that were moved meanwhile: they are left out. */
  moved: string[];
  skipped: { path: string; message: string }[];
}

const BATCH = 50;

/** The same on every machine: the dates of the content are in its texts. */
const WRITTEN = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/**
 * Writes a workspace as a zip of Markdown, with a folder for each category. The same content gives the same bytes. Categories
 * are read at the start, and each article when its turn comes. An article that has moved by then is left out, because more
 * people may see its old folder. Memory does not grow with texts and files.
 * @throws UnavailableError when the database or the store does not answer, or errors of `out`
 */
export async function exportWorkspace(options: ExportOptions, out: NodeJS.WritableStream): Promise<ExportResult> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: unknown) => void output.destroy(error as Error);
  zip.on("error", fail);
  const sent = pipeline(output, out, { signal: options.signal });
  const written = readIndex(options.workspace.id)
    .then((index) => new Export(options, index, zip).write())
    .catch((error: unknown) => {
      fail(error);
      throw error;
    });
  const [result] = await Promise.all([written, sent]);
  return result;
}

class Export {
  private readonly folders: Map<string, string>;
  private readonly files: Map<string, ExportedUpload & { path: string }>;
  /** Files that exported articles use, by their paths. */
  private readonly used = new Map<string, ExportedUpload>();
  private readonly sealed: ExportData["files"] = [];
  private readonly result: ExportResult;

  constructor(
    private readonly options: ExportOptions,
    private readonly index: ExportIndex,
    private readonly zip: ZipFile,
  ) {
    this.folders = foldersOf(index.categories);
    this.files = new Map(index.uploads.map((upload) => [upload.id, { ...upload, path: filePath(upload) }]));
    const empty = { articles: 0, drafts: 0, categories: 0, files: 0, missing: [], moved: [] };
    this.result = { ...empty, skipped: [...(options.skip ?? [])] };
  }

  async write(): Promise<ExportResult> {
    await this.addCategories();
    await this.addArticles();
    // Before the files, which these use too.
    const snippets = this.index.snippets.map(({ name, html }) => ({ name, html: portableHtml(html, "", this.fileOf) }));
    await this.addFiles();
    const { authors, redirects, synonyms } = this.index;
    await this.add(DATA_FILE, exportDataText({ authors, files: this.sealed, redirects, synonyms, snippets }));
    this.zip.end();
    return this.result;
  }

  private async addCategories(): Promise<void> {
    const categories = byPath(this.index.categories, ({ id }) => this.folders.get(id) as string);
    for (const category of categories) {
      await this.add(`${this.folders.get(category.id)}/_category.yml`, categoryText(category, this.index.isClosed));
      this.result.categories++;
    }
  }

  private async addArticles(): Promise<void> {
    const { workspace, skip, onProgress, onFile } = this.options;
    const skipped = new Set(skip?.map(({ path }) => path));
    const all = byPath(this.index.articles, ({ slug, categoryId }) => `${this.folders.get(categoryId)}/${slug}`);
    const articles = all.filter(({ slug }) => !skipped.has(slug));
    for (let at = 0; at < articles.length; at += BATCH) {
      const batch = articles.slice(at, at + BATCH);
      const texts = await readArticles(
        workspace.id,
        batch.map(({ id }) => id),
      );
      for (const [index, { id, slug, categoryId }] of batch.entries()) {
        const article = texts.get(id);
        const folder = this.folders.get(categoryId) as string;
        onFile?.(slug);
        if (article?.categoryId === categoryId) await this.addArticle(article, folder);
        else if (article) this.result.moved.push(`${folder}/${article.slug}`);
        onFile?.();
        onProgress?.({ phase: "exporting", done: at + index + 1, total: articles.length });
      }
    }
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

  private async addFiles(): Promise<void> {
    const { secret } = this.options;
    for (const [path, upload] of byPath([...this.used], ([path]) => path)) {
      const stream =
        upload.byteSize === 0
          ? null
          : await uploadStorage().open(upload.storageKey, { start: 0, end: upload.byteSize - 1 });
      if (!stream) {
        this.result.missing.push(path);
        continue;
      }
      // Images are packed already, and a very high ratio would look like a zip bomb to an import.
      await this.addStream(path, Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), false);
      this.sealed.push({ path, ...(secret !== undefined && { seal: sealOf(upload.sha256, secret) }) });
      this.result.files++;
    }
  }

  private add(path: string, text: string): Promise<void> {
    return this.addStream(path, Readable.from([Buffer.from(text)]), true);
  }

  /** Resolves when the content has been read, so that no more than one file waits in memory. */
  private async addStream(path: string, content: Readable, compress: boolean): Promise<void> {
    this.options.signal?.throwIfAborted();
    const read = new Promise((resolve, reject) => content.once("end", resolve).once("error", reject));
    this.zip.addReadStream(content, path, { ...WRITTEN, compress });
    await read;
  }
}

function byPath<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, path: pathOf(item) }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ item }) => item);
}

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
