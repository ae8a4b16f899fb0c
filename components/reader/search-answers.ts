import { useEffect, useState } from "react";

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
  categories: { name: string; url: string }[];
}

/** The latest results stay until there are new ones. */
export interface Answers {
  found: (Suggestions & { text: string }) | null;
  /** "long" after a delay that readers should hear about. */
  waits: "no" | "yes" | "long";
  problem: string | null;
}

const DEBOUNCE_MS = 60;
const LONG_MS = 300;
const TIMEOUT_MS = 15_000;

const nothing: Answers = { found: null, waits: "no", problem: null };

export function useAnswers(typed: string): Answers {
  const text = typed.trim().replace(/\s+/g, " ");
  const [answers, setAnswers] = useState(nothing);

  useEffect(() => {
    if (text === "") return;
    const stop = new AbortController();
    let isOver = false;
    const late = setTimeout(() => stop.abort(), TIMEOUT_MS);
    const ask = setTimeout(() => {
      void fetched(text, stop.signal).then((answer) => {
        clearTimeout(long);
        clearTimeout(late);
        if (isOver) return;
        setAnswers(({ found }) =>
          typeof answer === "string"
            ? { found, waits: "no", problem: answer }
            : { found: { ...answer, text }, waits: "no", problem: null },
        );
      });
    }, DEBOUNCE_MS);
    const long = setTimeout(() => setAnswers((before) => ({ ...before, waits: "long" })), DEBOUNCE_MS + LONG_MS);
    return () => {
      isOver = true;
      for (const timer of [ask, long, late]) clearTimeout(timer);
      stop.abort();
    };
  }, [text]);

  if (text === "") return nothing;
  if (answers.found?.text === text || answers.problem || answers.waits === "long") return answers;
  return { ...answers, waits: "yes" };
}

/** @returns the results or an error message */
async function fetched(text: string, signal: AbortSignal): Promise<Suggestions | string> {
  try {
    const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text }).toString()}`, {
      signal,
    });
    if (response.ok) return (await response.json()) as Suggestions;
    if (response.status === 429) return ((await response.json()) as { error: string }).error;
  } catch {
    // Network error.
  }
  return "The search does not answer. Check your connection, or press Enter to try the page of results.";
}
