export interface Link {
  name: string;
  url: string;
}

/** What the dialog offers before anything is typed. */
export interface Start {
  popular: Link[];
  categories: Link[];
}

/** The answer of app/sites/[workspace]/(reader)/search/suggestions. */
export interface Suggestions {
  results: {
    title: string;
    titleHtml: string;
    sectionHtml: string | null;
    url: string;
    excerptHtml: string;
    category: string;
  }[];
  total: number;
  correctedTerm: string | null;
  categories: Link[];
}

/** The latest results stay until there are new ones, or a problem. */
export interface Answers {
  found: (Suggestions & { text: string }) | null;
  /** "long" after a delay that readers should hear about. */
  waits: "no" | "yes" | "long";
  problem: string | null;
}

const DEBOUNCE_MS = 120;
const LONG_MS = 300;
const TIMEOUT_MS = 15_000;
const MOST_KEPT = 100;

/** Answers of this page, so that deleting letters shows the earlier results immediately. */
const kept = new Map<string, Suggestions>();

/** The search text for a reader's input. */
export const searched = (typed: string) => typed.trim().replace(/\s+/g, " ");

/**
 * Asks for what a reader types, once they pause.
 * @param failed what is said when no answer comes
 * @param changed is called with every change of the answers
 * @returns `ask`, to be called with each text, and `stop`
 */
export function askWhileTyping(failed: string, changed: (answers: Answers) => void) {
  let answers: Answers = { found: null, waits: "no", problem: null };
  let stop = () => {};
  const become = (next: Partial<Answers>) => {
    answers = { ...answers, ...next };
    changed(answers);
  };
  const ask = (typed: string) => {
    stop();
    const text = searched(typed);
    if (text === "") return become({ found: null, waits: "no", problem: null });
    const known = kept.get(text);
    if (known) return become({ found: { ...known, text }, waits: "no", problem: null });

    const request = new AbortController();
    const timers = [
      setTimeout(() => {
        void fetched(text, failed, request.signal).then((answer) => {
          if (stop !== end) return;
          end();
          if (typeof answer === "string") return become({ found: null, waits: "no", problem: answer });
          if (kept.size >= MOST_KEPT) kept.clear();
          kept.set(text, answer);
          become({ found: { ...answer, text }, waits: "no", problem: null });
        });
      }, DEBOUNCE_MS),
      setTimeout(() => become({ waits: "long" }), DEBOUNCE_MS + LONG_MS),
      setTimeout(() => request.abort(), TIMEOUT_MS),
    ];
    const end = () => {
      stop = () => {};
      for (const timer of timers) clearTimeout(timer);
      request.abort();
    };
    stop = end;
    become({ waits: "yes" });
  };
  return { ask, stop: () => stop() };
}

/** @returns the results or an error message */
async function fetched(text: string, failed: string, signal: AbortSignal): Promise<Suggestions | string> {
  try {
    const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text }).toString()}`, { signal });
    if (response.ok) return (await response.json()) as Suggestions;
    if (response.status === 429) return ((await response.json()) as { error: string }).error;
  } catch {
    // Network error.
  }
  return failed;
}

let start: Promise<Start> | undefined;

/** @returns empty lists if the request fails. The next call retries */
export async function startOfSearch(): Promise<Start> {
  start ??= fetch("/search/suggestions").then((response) => {
    if (!response.ok) throw new Error(`/search/suggestions answered ${response.status}.`);
    return response.json() as Promise<Start>;
  });
  try {
    return await start;
  } catch {
    start = undefined;
    return { popular: [], categories: [] };
  }
}
