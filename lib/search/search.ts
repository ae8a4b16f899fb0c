import type { Read } from "@/lib/db";
import { fragment, highlight } from "./highlights";
import { allWords, queryWords } from "./query";
import { wordsOf } from "./words";

export interface SearchMatch {
  id: string;
  slug: string;
  title: string;
  category: { name: string; slug: string };
  /** HTML, or null where the words are not in that field (contract 3). */
  matchedTitle: string | null;
  matchedContent: string | null;
  matchedCategory: string | null;
}

/**
 * Published articles that have every word of the text, each as the beginning of one of theirs, in any mix of title,
 * content, slug, category name and keywords, the most relevant first (contract 2, 3, 7).
 * @param text up to ten different words of it count; without a letter or digit nothing is found
 * @returns one page and the number of all matches
 */
export async function searchArticles(
  read: Read,
  text: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ matches: SearchMatch[]; total: number }> {
  const words = queryWords(text);
  if (words.length === 0) return { matches: [], total: 0 };
  const [found] = await read<{ total: number; ids: string[] }>(
    `SELECT total::int, ids FROM search_rank($1::tsquery, $2::tsquery, $3::tsquery, $4::tsquery, $5, $6, $7)`,
    [
      allWords(words),
      allWords(words, "A"),
      allWords(words, "AB"),
      allWords(words, "ABC"),
      wordsOf(text).join(" "),
      limit,
      offset,
    ],
  );
  if (!found || found.ids.length === 0) return { matches: [], total: found?.total ?? 0 };
  const rows = await read<{ id: string; slug: string; title: string; text: string; category: SearchMatch["category"] }>(
    `SELECT a.id, a.slug, l.title, l.text, json_build_object('name', c.name, 'slug', c.slug) AS category
     FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, place)
     JOIN articles a ON a.id = wanted.id
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     ORDER BY wanted.place`,
    [found.ids],
  );
  return {
    matches: rows.map(({ text: content, ...row }) => ({
      ...row,
      matchedTitle: highlight(row.title, words),
      matchedContent: fragment(content, words),
      matchedCategory: highlight(row.category.name, words),
    })),
    total: found.total,
  };
}
