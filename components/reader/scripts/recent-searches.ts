const NAME = "recent-searches";
const MAX_KEPT = 6;

/** The newest first. They are stored only in this browser. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string").slice(0, MAX_KEPT) : [];
  } catch {
    return [];
  }
}

export function keepRecentSearch(text: string): void {
  const others = recentSearches().filter((other) => other.toLowerCase() !== text.toLowerCase());
  store([text, ...others].slice(0, MAX_KEPT));
}

export function forgetRecentSearches(): void {
  store([]);
}

function store(texts: string[]): void {
  try {
    if (texts.length > 0) localStorage.setItem(NAME, JSON.stringify(texts));
    else localStorage.removeItem(NAME);
  } catch {
    // The browser refuses storage.
  }
}
