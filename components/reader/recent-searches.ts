// What was searched in this browser, kept there alone.

const NAME = "recent-searches";
const MOST = 6;

/** The newest first; none where the browser keeps nothing. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keepRecentSearch(text: string): void {
  const others = recentSearches().filter((other) => other.toLowerCase() !== text.toLowerCase());
  store([text, ...others].slice(0, MOST));
}

export function forgetRecentSearches(): void {
  store([]);
}

function store(texts: string[]): void {
  try {
    if (texts.length > 0) localStorage.setItem(NAME, JSON.stringify(texts));
    else localStorage.removeItem(NAME);
  } catch {
    // A browser that keeps nothing has no recent searches.
  }
}
