export interface Destination {
  /** Null when there is no target: only the text of the link stays. */
  href: string | null;
  article?: string;
  /** A heading of that article or, without one, of this file. */
  anchor?: string;
  finding?: "broken_link" | "broken_image" | "left_out_image" | "left_out_file" | "outside_link";
}

export interface AddressBook {
  articles: ReadonlyMap<string, string>;
  /** The root folder is "". */
  folders: ReadonlyMap<string, string>;
  others: ReadonlySet<string>;
  files: ReadonlyMap<string, StoredFile>;
  /** In an export, URLs are kept except those of its own files. */
  isExport: boolean;
}

export interface StoredFile {
  id: string;
  isImage: boolean;
}

const EXTENSIONS = [".md", ".markdown", ".html", ".htm"];
const INDEXES = ["index", "README", "readme", "_index"];

export class Addresses {
  private readonly files = new Map<string, string | null>();
  private readonly slugs: ReadonlySet<string>;
  private readonly categorySlugs: ReadonlySet<string>;

  constructor(private readonly book: AddressBook) {
    // Many archives come from file systems where "Setup.md" and "setup.md" are one file.
    for (const path of [...book.articles.keys(), ...book.others]) {
      const key = path.toLowerCase();
      this.files.set(key, this.files.has(key) ? null : path);
    }
    this.slugs = new Set(book.articles.values());
    this.categorySlugs = new Set(book.folders.values());
  }

  /**
   * @param address relative to the file or, after a slash, to the archive. percent-encoded or not, with either kind of slash
   */
  find(from: string, { href, kind }: { href: string; kind: "link" | "image" }): Destination {
    const address = href.trim();
    if (address === "" || /^[a-z][a-z0-9+.-]+:|^\/\//i.test(address)) return { href: address };
    const [, encoded = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
    const anchor = decoded(fragment.slice(1));
    if (encoded === "") return { href: address, anchor };

    const path = decoded(encoded).replaceAll("\\", "/").normalize("NFC");
    const absolute = path.startsWith("/");
    const file = absolute ? normal(path) : normal(from.slice(0, from.lastIndexOf("/") + 1) + path);
    const found = file === null ? undefined : this.lookUp(file);
    const stored = found?.other === undefined ? undefined : this.book.files.get(found.other);
    if (stored && (kind === "link" || stored.isImage)) return { href: `/uploads/${stored.id}${fragment}` };
    if (this.book.isExport && !found?.other) {
      const isLost = kind === "link" && /^\/(articles|categories)\//.test(path) && !this.isPage(path);
      return isLost ? { href: address, finding: "outside_link" } : { href: address };
    }
    if (kind === "image") return { href: null, finding: found ? "left_out_image" : "broken_image" };
    if (found?.article) return { href: `/articles/${found.slug}${fragment}`, article: found.article, anchor };
    if (found?.other) return { href: null, finding: "left_out_file" };
    if (found) return { href: `/categories/${found.slug}` };
    if (!absolute) return { href: null, finding: "broken_link" };
    return this.isPage(path) ? { href: address } : { href: address, finding: "outside_link" };
  }

  otherAt(from: string, href: string): string | undefined {
    const address = href.trim().replace(/[?#].*$/s, "");
    if (address === "" || /^[a-z][a-z0-9+.-]+:|^\/\//i.test(address)) return undefined;
    const path = decoded(address).replaceAll("\\", "/").normalize("NFC");
    const file = normal(path.startsWith("/") ? path : from.slice(0, from.lastIndexOf("/") + 1) + path);
    const exact = file === null ? undefined : this.named(file);
    return exact !== undefined && this.book.others.has(exact) ? exact : undefined;
  }

  private lookUp(file: string): { article?: string; other?: string; slug?: string } | undefined {
    const exact = this.named(file);
    if (exact !== undefined) return this.book.others.has(exact) ? { other: exact } : this.asArticle(exact);
    for (const extension of EXTENSIONS) {
      const path = this.named(file + extension);
      if (path !== undefined && this.book.articles.has(path)) return this.asArticle(path);
    }
    const folder = file.replace(/\/$/, "");
    for (const index of INDEXES) {
      for (const extension of EXTENSIONS) {
        const path = this.named(`${folder === "" ? "" : `${folder}/`}${index}${extension}`);
        if (path !== undefined && this.book.articles.has(path)) return this.asArticle(path);
      }
    }
    const slug = this.book.folders.get(folder);
    return slug === undefined ? undefined : { slug };
  }

  private named(path: string): string | undefined {
    if (this.book.articles.has(path) || this.book.others.has(path)) return path;
    return this.files.get(path.toLowerCase()) ?? undefined;
  }

  private asArticle(path: string) {
    return { article: path, slug: this.book.articles.get(path) };
  }

  private isPage(path: string): boolean {
    const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
    return path === "/" || (kind === "articles" ? this.slugs : this.categorySlugs).has(slug);
  }
}

/** Resolves `.` and `..`, or null when the path leaves the source. */
function normal(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Everything in a source text that could be the target of a link or image, and more. A hundred times faster than parsing. Two
 * sources with equal results have the same targets.
 */
export function possibleAddresses(source: string): string[] {
  const found = new Set<string>();
  const opening = /\]\(|\]:|(?:href|src)\s*=/gi;
  // In brackets, in quotes, or up to the first space. Parentheses count when they are balanced, as in Markdown.
  const address = /^\s*(?:<([^<>\n]*)>|"([^"]*)"|'([^']*)'|((?:[^\s()<>]|\((?:[^\s()]|\([^\s()]*\))*\))*))/;
  while (opening.exec(source)) {
    const [, angled, double, single, bare = ""] =
      address.exec(source.slice(opening.lastIndex, opening.lastIndex + 2_000)) ?? [];
    const text = angled ?? double ?? single ?? bare;
    if (text !== "") found.add(text.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("&amp;", "&"));
  }
  return [...found];
}
