/** Lower case without diacritics, the way people type. */
export const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * The options that hold every typed word in their name or note, best first: names that start with the text, then names
 * that hold all words. Equal options keep their order. An empty text matches everything.
 */
export function matching<One extends { name: string; note?: string }>(options: readonly One[], text: string): One[] {
  const typed = folded(text).trim();
  if (typed === "") return [...options];
  const words = typed.split(/\s+/);
  return options
    .map((option) => {
      const name = folded(option.name);
      const all = `${folded(option.note ?? "")} ${name}`;
      const rank = name.startsWith(typed)
        ? 0
        : words.every((word) => name.includes(word))
          ? 1
          : words.every((word) => all.includes(word))
            ? 2
            : null;
      return { option, rank };
    })
    .filter((one): one is { option: One; rank: number } => one.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}
