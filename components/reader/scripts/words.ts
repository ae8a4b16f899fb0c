/** Escapes text for HTML content and attributes. */
export const safe = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Puts the words that a script needs into the page, as an attribute of its element. */
export const asWords = (words: unknown) => ({ "data-words": JSON.stringify(words) });

/** Reads what `asWords` wrote. */
export const wordsOf = <Words>(element: HTMLElement) => JSON.parse(element.dataset.words ?? "{}") as Words;
