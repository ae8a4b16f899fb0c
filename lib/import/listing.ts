import { type ArchiveData, articleOfDraft, DATA_FILE, FILES_FOLDER, readArchiveData } from "@/lib/archive";
import type { Problem } from "@/lib/import/problem";
import { decodedText } from "@/lib/import/text";

/** A folder or an archive, as an import reads it: one file at a time, never the whole of it. */
export interface Source {
  /** Relative paths with forward slashes, in Unicode's composed form, in one order everywhere. */
  articles: string[];
  /** Files that say something about their folder. */
  settings: string[];
  /** Everything else that an article may link to. */
  others: ReadonlySet<string>;
  /** Article → the file of the draft that would replace it; only exports have them. */
  drafts: ReadonlyMap<string, string>;
  /** What an export says beside its articles; null for what is none. */
  data: ArchiveData | null;
  /** What is in there and will not be read. */
  refused: Problem[];
  read: ReadFile;
  close(): Promise<void>;
}

/**
 * A whole file.
 * @param most bytes; the limit of an article when left out
 * @throws FileError when it cannot be read, or is larger than that
 */
type ReadFile = (path: string, most?: number) => Promise<Buffer>;

/** The most bytes of one article's file. */
export const FILE_LIMIT = 10 * 1024 * 1024;
/** The most files of one import. */
const COUNT_LIMIT = 100_000;
const TOTAL_LIMIT = 2 * 1024 * 1024 * 1024;

const SETTINGS = /(^|\/)_category\.ya?ml$/;

/** Collects what a folder or archive holds, and refuses what an import must not or cannot read. */
export class Listing {
  private readonly refused: Problem[] = [];
  private readonly sizes = new Map<string, number>();
  private bytes = 0;

  /**
   * Whether the file is one that may be read.
   * @throws Error when the whole is too much to import
   */
  add(path: string, size: number): boolean {
    this.bytes += size;
    if (this.bytes > TOTAL_LIMIT) {
      throw new Error(
        "There is more than 2 GB in it, which is too much for one import: split it, and import each part.",
      );
    }
    if (isHidden(path)) return false;
    if (this.sizes.has(path)) {
      this.refuse(path, "This name is there twice: the first file was taken, this one was not.");
      return false;
    }
    this.sizes.set(path, size);
    if (this.sizes.size > COUNT_LIMIT) {
      throw new Error(
        `There are more than ${COUNT_LIMIT.toLocaleString("en")} files in it, which is too much for one import: split it, and import each part.`,
      );
    }
    return true;
  }

  refuse(path: string, message: string): void {
    if (this.refused.push({ path, message }) > COUNT_LIMIT) {
      throw new Error("There are too many files in it that cannot be read: pack it again, and leave them out.");
    }
  }

  /**
   * What the files are. They are sorted, so that an import of the same files always goes the same way.
   * @throws Error when it is an export that cannot be understood
   */
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
        this.refuse(path, "The file is larger than 10 MB: split it into several articles.");
      } else if (article) drafts.set(article, path);
      else kind.push(path);
    }
    return { articles, settings, others: new Set(others), drafts, data, refused: this.refused, read };
  }
}

async function dataIn(read: ReadFile): Promise<ArchiveData | null> {
  try {
    return readArchiveData(decodedText(await read(DATA_FILE)));
  } catch (error) {
    throw new Error(`${DATA_FILE} ${(error as Error).message}.`);
  }
}

/** What is said of a file that has more bytes than may be read. */
export function tooLarge(most: number): string {
  return `The file is larger than ${Math.round(most / 1_000_000)} MB, the most that is read: make it smaller.`;
}

/** Whether a file becomes an article. */
function isArticle(path: string): boolean {
  return /\.(md|markdown|html?)$/i.test(path);
}

/** Folders and files that programs keep for themselves. */
export function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith(".") || name === "__MACOSX");
}
