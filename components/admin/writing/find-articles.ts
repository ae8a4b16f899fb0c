interface Found {
  id: string;
  name: string;
  note?: string;
  href: string;
}

/**
 * Searches published articles.
 * @throws if the server does not answer
 */
export const findArticles = (query: string) => find("published", query);

/** Searches articles, drafts included. */
export const findTargets = (query: string) => find("targets", query);

/** Searches articles and categories to link to, drafts included. */
export const findPlaces = (query: string) => find("places", query);

async function find(
  of: "published" | "targets" | "places",
  query: string,
): Promise<{ id: string; title: string; href: string; category: string }[]> {
  const answer = await fetch(`/admin/find?of=${of}&q=${encodeURIComponent(query.slice(0, 200))}`, {
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
  const { found } = (await answer.json()) as { found: Found[] };
  return found.map(({ id, name, href, note }) => ({ id, title: name, href, category: note ?? "" }));
}
