import type { Problem } from "@/lib/import/problem";

/** A folder or an archive, as an import reads it: one file at a time, never the whole of it. */
export interface Source {
  /** Relative paths with forward slashes, in Unicode's composed form, in one order everywhere. */
  articles: string[];
  /** Files that say something about their folder. */
  settings: string[];
  /** Everything else that an article may link to. */
  others: ReadonlySet<string>;
  /** What is in there and will not be read. */
  refused: Problem[];
  /**
   * A whole file, of `articles` or `settings`.
   * @throws FileError when it cannot be read, or is larger than it says
   */
  read(path: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** The most bytes of one article's file. */
export const FILE_LIMIT = 10 * 1024 * 1024;
/** The most files of one import. */
const COUNT_LIMIT = 100_000;
const TOTAL_LIMIT = 2 * 1024 * 1024 * 1024;

const SETTINGS = /(^|\/)_category\.ya?ml$/;

/** Collects what a folder or archive holds, and refuses what an import must not or cannot read. */
export class Listing {
  readonly articles: string[] = [];
  readonly settings: string[] = [];
  readonly others = new Set<string>();
  readonly refused: Problem[] = [];
  private readonly seen = new Set<string>();
  private bytes = 0;

  /**
   * Whether the file is one that will be read.
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
    if (this.seen.has(path)) {
      this.refuse(path, "This name is there twice: the first file was taken, this one was not.");
      return false;
    }
    this.seen.add(path);
    if (this.seen.size > COUNT_LIMIT) {
      throw new Error(
        `There are more than ${COUNT_LIMIT.toLocaleString("en")} files in it, which is too much for one import: split it, and import each part.`,
      );
    }
    const kind = SETTINGS.test(path) ? this.settings : isArticle(path) ? this.articles : null;
    if (!kind) {
      this.others.add(path);
      return false;
    }
    if (size > FILE_LIMIT) {
      this.refuse(path, "The file is larger than 10 MB: split it into several articles.");
      return false;
    }
    kind.push(path);
    return true;
  }

  refuse(path: string, message: string): void {
    this.refused.push({ path, message });
  }

  /** Sorts, so that an import of the same files always goes the same way. */
  done(): Pick<Source, "articles" | "settings" | "others" | "refused"> {
    this.articles.sort();
    this.settings.sort();
    return this;
  }
}

/** Whether a file becomes an article. */
function isArticle(path: string): boolean {
  return /\.(md|markdown|html?)$/i.test(path);
}

/** Folders and files that programs keep for themselves. */
export function isHidden(path: string): boolean {
  return path.split("/").some((name) => name.startsWith(".") || name === "__MACOSX");
}
