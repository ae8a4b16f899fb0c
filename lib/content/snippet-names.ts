/** Each bounded, so that the search takes time in proportion to the length. `{{{name}}}` belongs to template languages. */
const TOKEN = /(?<!\{)\{\{([a-z0-9][a-z0-9-]{0,59})\}\}(?!\})/g;

/** Different names in a text that are replaced, because each is stored. The others stay text. A workspace has half as many snippets. */
export const MOST_NAMES = 1_000;

export const tokenOf = (name: string) => `{{${name}}}`;

export interface Token {
  name: string;
  from: number;
  to: number;
}

/** The snippets that a text names, with their positions. They may not exist. */
export function tokensIn(text: string): Token[] {
  if (!text.includes("{{")) return [];
  return Array.from(text.matchAll(TOKEN), ({ 0: token, 1: name = "", index }) => {
    return { name, from: index, to: index + token.length };
  });
}
