import { countOf } from "@/components/ui/count";
import type { Read } from "@/lib/db";
import { searchPublished } from "@/lib/published-search";

/** What a search finds now: how many articles, and the first of them. */
export interface Tried {
  text: string;
  total: number;
  first: { slug: string; title: string }[];
  /** In which spelling it was searched instead, or as well. */
  correctedTerm: string | null;
}

const FEW = 3;

/** Searches as a member who reads does, by the search that readers have. */
export async function tried(read: Read, workspaceId: string, text: string): Promise<Tried> {
  const sight = { read, hidden: [], closed: false };
  const found = await searchPublished(sight, workspaceId, text, { limit: FEW, offset: 0 });
  return { text: found.text, total: found.total, first: found.articles, correctedTerm: found.correctedTerm };
}

/** The same as a sentence, with the articles to look at. */
export function TriedLine({ text, total, first, correctedTerm }: Tried) {
  const count = total === 0 ? "no article" : countOf(total, "article");
  return (
    <p role="status" className="break-words text-text-muted">
      A search for “{text}” finds {count} now
      {correctedTerm && `, read as “${correctedTerm}”`}
      {first.length > 0 && ": "}
      {first.map(({ slug, title }, index) => (
        <span key={slug}>
          {index > 0 && ", "}
          <a href={`/articles/${slug}`}>{title}</a>
        </span>
      ))}
      {total > first.length && " …"}
      {total === 0 && "."}
    </p>
  );
}
