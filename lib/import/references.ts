import type { Addresses } from "@/lib/import/addresses";
import type { Existing } from "@/lib/import/existing";
import type { FrontMatter } from "@/lib/import/front-matter";
import type { Plan } from "@/lib/import/plan";
import type { Finding } from "@/lib/import/prepare";

export interface Reference {
  authorId: string;
  relatedIds: string[];
  /** As text, to compare with another run. */
  text: string;
  findings: Finding[];
}

export class References {
  private readonly idOfSlug: ReadonlyMap<string, string>;
  private readonly idOfFile: ReadonlyMap<string, string>;

  constructor(
    existing: Existing,
    private readonly plan: Plan,
    /** By folded email address. */
    private readonly authors: ReadonlyMap<string, string>,
    private readonly defaultAuthorId: string,
  ) {
    this.idOfSlug = new Map([...existing.articles, ...plan.files].map(({ slug, id }) => [slug, id]));
    this.idOfFile = new Map([
      ...existing.articles.map(({ sourcePath, id }) => [sourcePath ?? "", id] as const),
      ...plan.files.map(({ path, id }) => [path, id] as const),
    ]);
  }

  resolve(path: string, { author, related = [] }: FrontMatter, addresses: Addresses): Reference {
    const findings: Finding[] = [];
    const named = author === undefined ? undefined : this.authors.get(author.toLowerCase());
    if (author !== undefined && named === undefined) findings.push({ kind: "unknown_author", path, href: author });
    const slugs: string[] = [];
    const relatedIds = related.flatMap((name) => {
      const { article } = addresses.find(path, { href: name, kind: "link" });
      const slug = article === undefined ? name : (this.plan.book.articles.get(article) ?? name);
      const id = article === undefined ? this.idOfSlug.get(name) : this.idOfFile.get(article);
      if (id === undefined) findings.push({ kind: "broken_related", path, href: name });
      slugs.push(id === undefined ? "" : slug);
      return id ?? [];
    });
    const text = JSON.stringify([named ?? null, slugs]);
    return { authorId: named ?? this.defaultAuthorId, relatedIds, text, findings };
  }
}
