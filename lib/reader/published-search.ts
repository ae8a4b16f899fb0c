import type { Read } from "@/lib/db";
import { type Summarized, summaryColumns, summaryOf } from "@/lib/reader/summary";
import { asMarks, escape } from "@/lib/search/highlights";
import { searchArticles, type Window } from "@/lib/search/search";
import type { Snapshot } from "@/lib/visibility";

/** A search result for readers. The HTML holds no tag but `<mark>`. */
export interface FoundArticle {
  slug: string;
  title: string;
  titleHtml: string;
  /** The heading of the section to read, when it says more about the search than the title. */
  sectionHtml: string | null;
  /** With the anchor of that section. */
  url: string;
  /** The best matching passage. The summary when only the title or category matches. */
  excerptHtml: string;
  path: { slug: string; name: string }[];
}

export interface Found {
  text: string;
  articles: FoundArticle[];
  total: number;
  correctedTerm: string | null;
}

export const PAGE_SIZE = 20;

const MAX_TEXT = 200;

export function resultPath(slug: string, section: string | undefined): string {
  return `/articles/${slug}${section ? `#${section}` : ""}`;
}

/** Normalizes a reader's input: single spaces, no control characters, at most 200 characters. */
export function searchedText(typed: string): string {
  const text = typed.replace(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim();
  return [...text].slice(0, MAX_TEXT).join("").trim();
}

/** Searches the articles that the viewer may see. An empty text finds nothing. */
export async function searchPublished(
  { read, hidden }: Snapshot,
  workspaceId: string,
  typed: string,
  page: Omit<Window, "hidden">,
): Promise<Found> {
  const text = searchedText(typed);
  const { matches, total, correctedTerm } = await searchArticles(read, workspaceId, text, { ...page, hidden });
  const ids = matches.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await summariesAndPaths(read, ids);
  const details = new Map(rows.map((row) => [row.id, row]));
  const summaries = new Map(rows.map((row) => [row.id, summaryOf(row)]));
  const articles = matches.map(({ id, slug, title, matchedTitle, matchedContent, heading }) => ({
    slug,
    title,
    titleHtml: matchedTitle ? asMarks(matchedTitle) : escape(title),
    sectionHtml: heading && asMarks(heading.html),
    url: resultPath(slug, heading?.id),
    excerptHtml: matchedContent ? asMarks(matchedContent) : escape(summaries.get(id) ?? ""),
    path: details.get(id)?.path ?? [],
  }));
  return { text, articles, total, correctedTerm };
}

function summariesAndPaths(
  read: Read,
  ids: readonly string[],
): Promise<(Summarized & { id: string; path: FoundArticle["path"] })[]> {
  return read(
    `WITH RECURSIVE up AS (
       SELECT DISTINCT a.category_id AS leaf, a.category_id AS id, 0 AS level FROM articles a WHERE a.id = ANY($1::uuid[])
       UNION ALL
       SELECT up.leaf, c.parent_id, level + 1 FROM up JOIN categories c ON c.id = up.id WHERE c.parent_id IS NOT NULL
     ), paths AS (
       SELECT up.leaf, json_agg(json_build_object('slug', c.slug, 'name', c.name) ORDER BY up.level DESC) AS path
       FROM up JOIN categories c ON c.id = up.id GROUP BY up.leaf
     )
     SELECT a.id, ${summaryColumns}, paths.path FROM articles a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN paths ON paths.leaf = a.category_id
     WHERE a.id = ANY($1::uuid[])`,
    [ids],
  );
}
