import type { Words } from "@/lib/reader/words";

/** What the search dialog says: it gets no more, because each page carries it. */
export type SearchWords = ReturnType<typeof searchWords>;

export function searchWords({ language, frame, search, dialog, home, tree, contact }: Words) {
  const { label, placeholder, count, corrected, nothing, hint, browse } = search;
  const named = { leave: frame.close, popular: home.popular, categories: tree.label, contact };
  return { language, label, placeholder, count, corrected, nothing, hint, browse, ...dialog, ...named };
}
