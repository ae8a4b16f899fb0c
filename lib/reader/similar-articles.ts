import type { ArticleLink } from "@/lib/articles/article-parts";
import { searchedText } from "@/lib/reader/published-search";
import { parseQuery } from "@/lib/search/query";
import { isSmallWord } from "@/lib/search/small-words";
import { someWords } from "@/lib/search/some-words";
import { wordsOf } from "@/lib/search/words";
import type { Snapshot } from "@/lib/visibility";

const MOST = 5;
const CANDIDATES = 20;
/** The share of the URL's words that the article's title or slug must contain. */
const LEAST_SHARE = 0.5;
/** In characters. A longer word also means its beginning: "passwords" is near "password". */
const BEGINNING = 4;

/** The words of an article's or a category's slug in a path without a page. Null for permalinks and other paths. */
export function wantedBy(path: string): string | null {
  const name = /^\/(?:articles|categories)\/(?!a-[0-9a-f]{8}\/*$)([^/]+)\/*$/.exec(path)?.[1];
  return name === undefined ? null : searchedText(name.replaceAll(/[-_.]/g, " ")) || null;
}

/**
 * Articles that a mistyped or outdated URL may have meant, the nearest first: they have half of its words or more in title
 * or slug.
 * @param wanted from `wantedBy`
 */
export async function similarArticles(
  { read, hidden }: Snapshot,
  workspace: { id: string; language: string },
  wanted: string,
): Promise<ArticleLink[]> {
  const query = parseQuery(wanted);
  const words = wordsOf(wanted).filter((word) => !isSmallWord(word));
  if (query.groups.length === 0 || words.length === 0) return [];
  const found = await someWords(read, workspace.id, query, {
    language: workspace.language,
    hidden,
    limit: CANDIDATES,
  });
  const articles = await read<ArticleLink>(
    `SELECT a.id, a.title, a.slug FROM unnest($1::uuid[]) WITH ORDINALITY AS found (id, place)
     JOIN articles a ON a.workspace_id = $2 AND a.id = found.id AND a.state = 'published' AND a.category_id <> ALL($3::uuid[])
     ORDER BY found.place`,
    [found.map(({ id }) => id), workspace.id, hidden],
  );
  return articles
    .map((article) => ({ article, share: shareOf(words, wordsOf(`${article.title} ${article.slug}`)) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST)
    .map(({ article }) => article);
}

function shareOf(words: string[], others: string[]): number {
  const isNear = (word: string, other: string) =>
    other.startsWith(word) || (other.length >= BEGINNING && word.startsWith(other));
  return words.filter((word) => others.some((other) => isNear(word, other))).length / words.length;
}
