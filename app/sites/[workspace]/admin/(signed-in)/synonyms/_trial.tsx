import { countOf } from "@/components/ui/count";
import type { Read } from "@/lib/db";
import { searchPublished } from "@/lib/reader/published-search";
import { everything } from "@/lib/visibility";

/** The result of a search: the number of articles, and the first ones. */
export interface Trial {
  text: string;
  total: number;
  first: { slug: string; title: string }[];
  /** The corrected spelling that was searched instead, or as well. */
  correctedTerm: string | null;
}

const FEW = 3;

/** Searches as readers do, with a member's permissions. */
export async function trySearch(read: Read, workspaceId: string, text: string): Promise<Trial> {
  const snapshot = { read, ...everything, closed: false };
  const found = await searchPublished(snapshot, workspaceId, text, { limit: FEW, offset: 0 });
  return { text: found.text, total: found.total, first: found.articles, correctedTerm: found.correctedTerm };
}

/** The result as a sentence, with links to the articles. */
export function TrialResult({ text, total, first, correctedTerm }: Trial) {
  const count = total === 0 ? "no articles" : countOf(total, "article");
  return (
    <p role="status" className="break-words text-text-muted">
      A search for “{text}” finds {count}
      {correctedTerm && `, including matches for “${correctedTerm}”`}
      {first.length > 0 && ": "}
      {first.map(({ slug, title }, index) => (
        <span key={slug}>
          {index > 0 && ", "}
          <a href={`/articles/${slug}`}>{title}</a>
        </span>
      ))}
      {total > first.length && "…"}
      {total === 0 && "."}
    </p>
  );
}
