import { asMarks, escape } from "@/lib/search/highlights";
import { searchArticles } from "@/lib/search/search";
import type { Sight } from "@/lib/visibility";

/** An article that a reader's search found. HTML holds nothing but `<mark>`. */
export interface FoundArticle {
  slug: string;
  title: string;
  titleHtml: string;
  /** The best place of the text; its beginning where the words are not in it. */
  excerptHtml: string;
  /** The categories it is in, root first. */
  path: { slug: string; name: string }[];
}

export interface Found {
  /** The text that was searched: single blanks, at most 200 characters. */
  text: string;
  articles: FoundArticle[];
  /** The number of all that were found. */
  total: number;
  correctedTerm: string | null;
}

/** The most characters of a text that are searched. */
const LONGEST_TEXT = 200;

/** What a reader typed, as it is searched, shown and remembered. */
export function searchedText(typed: string): string {
  const text = typed.replace(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim();
  return [...text].slice(0, LONGEST_TEXT).join("").trim();
}

/**
 * Searches what the viewer may see, as lib/search does.
 * @param typed whatever it is; nothing finds nothing
 */
export async function searchPublished(
  { read, hidden }: Sight,
  workspaceId: string,
  typed: string,
  page: { limit: number; offset: number },
): Promise<Found> {
  const text = searchedText(typed);
  const { matches, total, correctedTerm } = await searchArticles(read, workspaceId, text, { ...page, hidden });
  const rows = matches.length === 0 ? [] : await partsOf({ read, hidden }, matches.map(({ id }) => id)); // biome-ignore format: one line
  const parts = new Map(rows.map(({ id, ...part }) => [id, part]));
  const articles = matches.map(({ id, slug, title, matchedTitle, matchedContent }) => ({
    slug,
    title,
    titleHtml: matchedTitle ? asMarks(matchedTitle) : escape(title),
    excerptHtml: matchedContent ? asMarks(matchedContent) : escape(parts.get(id)?.excerpt ?? ""),
    path: parts.get(id)?.path ?? [],
  }));
  return { text, articles, total, correctedTerm };
}

/** The beginning of each article's text, and the way to it. */
function partsOf(
  { read }: Omit<Sight, "closed">,
  ids: readonly string[],
): Promise<{ id: string; excerpt: string; path: FoundArticle["path"] }[]> {
  return read(
    `WITH RECURSIVE up AS (
       SELECT DISTINCT a.category_id AS leaf, a.category_id AS id, 0 AS level FROM articles a WHERE a.id = ANY($1::uuid[])
       UNION ALL
       SELECT up.leaf, c.parent_id, level + 1 FROM up JOIN categories c ON c.id = up.id WHERE c.parent_id IS NOT NULL
     ), paths AS (
       SELECT up.leaf, json_agg(json_build_object('slug', c.slug, 'name', c.name) ORDER BY up.level DESC) AS path
       FROM up JOIN categories c ON c.id = up.id GROUP BY up.leaf
     )
     SELECT a.id, l.excerpt, paths.path FROM articles a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN paths ON paths.leaf = a.category_id
     WHERE a.id = ANY($1::uuid[])`,
    [ids],
  );
}
