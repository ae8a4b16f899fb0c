import { articleOfDraft, DATA_FILE, type ExportData, FILES_FOLDER, readExportData } from "@/lib/export/format";
import type { Problem } from "@/lib/import/problem";
import { decodedText } from "@/lib/import/text";

/** A folder or zip, read one file at a time. */
export interface Source {
  /** Relative paths with forward slashes, in Unicode's composed form, sorted. */
  articles: string[];
  settings: string[];
  others: ReadonlySet<string>;
  /** Article → the file of its draft. Only in exports. */
  drafts: ReadonlyMap<string, string>;
  /** Null without an export. */
  data: ExportData | null;
  refused: Problem[];
  read: ReadFile;
  close(): Promise<void>;
}

/** Reads at most `most` bytes, by default the limit of an article. Throws FileError when it is unreadable or larger. */
type ReadFile = (path: string, most?: number) => Promise<Buffer>;

export const FILE_LIMIT = 10 * 1024 * 1024;
const COUNT_LIMIT = 100_000;
const TOTAL_LIMIT = 2 * 1024 * 1024 * 1024;

const SETTINGS = /(^|\/)_category\.ya?ml$/;

export class Listing {
  private readonly refused: Problem[] = [];
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  /** Throws an Error when the whole is too much to import. */
  add(path: string, size: number): boolean {
    this.bytes += size;
    if (this.bytes > TOTAL_LIMIT) {
      throw new Error("It contains more than 2 GB, which is too much for one import. Split it and import each part.");
    }
    if (isHidden(path)) return false;
    if (this.sizes.has(path)) {
      this.refuse(path, "This name appears twice. The first file was imported, and this file was not.");
      return false;
    }
    this.sizes.set(path, size);
    if (this.sizes.size > COUNT_LIMIT) {
      throw new Error(
        `It contains more than ${COUNT_LIMIT.toLocaleString("en")} files, which is too many for one import. Split it and import each part.`,
      );
    }
    return true;
  }

  refuse(path: string, message: string): void {
    if (this.refused.push({ path, message }) > COUNT_LIMIT) {
      throw new Error("Too many of its files can't be read. Pack it again without them.");
    }
  }

  /** Sorted, so that an import of the same files always has the same result. Throws an Error for an unreadable export. */
  async source(read: ReadFile): Promise<Omit<Source, "close">> {
    const data = this.sizes.has(DATA_FILE) ? await dataIn(read) : null;
    const articles: string[] = [];
    const settings: string[] = [];
    const others: string[] = [];
    const drafts = new Map<string, string>();
    const isFile = (path: string) => data !== null && path.startsWith(`${FILES_FOLDER}/`);
    for (const path of [...this.sizes.keys()].sort()) {
      const kind = isFile(path) ? others : SETTINGS.test(path) ? settings : isArticle(path) ? articles : others;
      const published = data && kind === articles ? articleOfDraft(path) : null;
      const article = published && [published.markdown, published.html].find((name) => this.sizes.has(name));
      if (kind !== others && (this.sizes.get(path) as number) > FILE_LIMIT) {
        this.refuse(path, "The file is larger than 10 MB. Split it into several articles.");
      } else if (article) drafts.set(article, path);
      else kind.push(path);
    }
    return { articles, settings, others: new Set(others), drafts, data, refused: this.refused, read };
  }
}

async function dataIn(read: ReadFile): Promise<ExportData | null> {
  try {
    return readExportData(decodedText(await read(DATA_FILE)));
  } catch (error) {
    throw new Error(`${DATA_FILE} ${(error as Error).message}.`);
  }
}

export function tooLarge(most: number): string {
  return `The file is larger than ${Math.round(most / 1_000_000)} MB, which is the limit. Make it smaller.`;
}

function isArticle(path: string): boolean {
  return /\.(md|markdown|html?)$/i.test(path);
}

/** Hidden folders and files of programs. */
export function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith(".") || name === "__MACOSX");
}
