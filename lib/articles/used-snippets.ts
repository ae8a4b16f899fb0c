import { elementsIn, MOST } from "@/lib/articles/prepare-draft";
import type { DerivedText } from "@/lib/content/derive";
import { MOST_NAMES, tokensIn } from "@/lib/content/snippet-names";
import type { Snippets } from "@/lib/content/snippets";
import { type Db, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { holdSnippets, snippetsCalled, updateArticles } from "@/lib/snippets/snippets";

/**
 * The snippets that clean HTML names, to derive it with. Null if none of them exists. Reads the database only if it names any.
 * @throws InvalidError about `html` when the text is too long with them
 */
export async function usedSnippets(workspaceId: string, html: string): Promise<Snippets | null> {
  const tokens = tokensIn(html);
  if (tokens.length === 0) return null;
  const names = [...new Set(tokens.map(({ name }) => name))].slice(0, MOST_NAMES);
  const snippets = await readWorkspace(workspaceId, (read) => snippetsCalled(read, names));
  if (snippets.size === 0) return null;
  // Tokens in code count too, because this bounds the work before it begins.
  for (const { measure, most, unit } of limits) {
    const sizes = new Map(Array.from(snippets, ([name, text]) => [name, measure(text)]));
    const size = tokens.reduce((sum, { name }) => sum + (sizes.get(name) ?? 0), measure(html));
    if (size <= most) continue;
    const message = `With its snippets, the text can have up to ${most.toLocaleString("en")} ${unit} but has ${size.toLocaleString("en")}.`;
    throw new InvalidError([{ field: "html", code: "too_long", message }]);
  }
  return snippets;
}

const limits = [
  { measure: (html: string) => html.length, most: MOST.html, unit: "characters of HTML" },
  { measure: elementsIn, most: MOST.elements, unit: "elements of HTML" },
];

/** Has articles updated whose snippets changed while their text was derived. */
export async function updateIfChanged(
  db: Db,
  articles: readonly { id: string; body: Pick<DerivedText, "links" | "snippets"> }[],
): Promise<void> {
  const naming = articles.flatMap(({ id, body: { links, snippets } }) => {
    const names = links.flatMap(({ kind, href }) => (kind === "snippet" ? href : []));
    return names.length > 0 ? { id, names, snippets } : [];
  });
  if (naming.length === 0) return;
  await holdSnippets(db);
  const now = await snippetsCalled(readingOf(db), [...new Set(naming.flatMap(({ names }) => names))]);
  const changed = naming.filter(({ names, snippets }) => names.some((name) => now.get(name) !== snippets?.get(name)));
  await updateArticles(
    db,
    changed.map(({ id }) => id),
  );
}
