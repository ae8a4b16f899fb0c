import { PAGE_SIZE } from "@/lib/reader/published-search";
import type { Vector } from "@/lib/search/embeddings";
import { searchArticles } from "@/lib/search/search";
import type { Snapshot } from "@/lib/visibility";

/**
 * Searches again what a client says that it searched for, so that it can invent neither numbers nor results.
 * @param url of the result that was opened, as the page links to it. False when none was
 * @param vector of a search for a page of results. The dialog searches without
 * @returns the number of results, and the opened article when it is on the first page of them
 */
export async function openedResult(
  { read, hidden }: Snapshot,
  workspaceId: string,
  text: string,
  url: string | false,
  vector?: Vector | null,
): Promise<{ total: number; articleId: string | null }> {
  const page = { limit: PAGE_SIZE, offset: 0, hidden, vector };
  const { matches, total } = await searchArticles(read, workspaceId, text, page);
  const slug = url !== false && /^\/articles\/([a-z0-9-]+)(?:#|$)/.exec(url)?.[1];
  return { total, articleId: matches.find((match) => match.slug === slug)?.id ?? null };
}
