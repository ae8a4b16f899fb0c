import { useEffect, useState } from "react";

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

const nothing: Answers = { found: null, waits: "no", problem: null };

/** Answers of this page, so that deleting letters shows the earlier results immediately. */
const kept = new Map<string, Suggestions>();

/** @param failed what is said when no answer comes */
export function useAnswers(typed: string, failed: string): Answers {
  const text = typed.trim().replace(/\s+/g, " ");
  const [answers, setAnswers] = useState(nothing);
  const known = kept.get(text);

  useEffect(() => {
    if (text === "" || kept.has(text)) return;
    const stop = new AbortController();
    let isOver = false;
    const late = setTimeout(() => stop.abort(), TIMEOUT_MS);
    const ask = setTimeout(() => {
      void fetched(text, failed, stop.signal).then((answer) => {
        clearTimeout(long);
        clearTimeout(late);
        if (isOver) return;
        if (typeof answer === "string") return setAnswers({ found: null, waits: "no", problem: answer });
        if (kept.size >= MOST_KEPT) kept.clear();
        kept.set(text, answer);
        setAnswers({ found: { ...answer, text }, waits: "no", problem: null });
      });
    }, DEBOUNCE_MS);
    const long = setTimeout(() => setAnswers((before) => ({ ...before, waits: "long" })), DEBOUNCE_MS + LONG_MS);
    return () => {
      isOver = true;
      for (const timer of [ask, long, late]) clearTimeout(timer);
      stop.abort();
    };
  }, [text, failed]);

  if (text === "") return nothing;
  if (known) return { found: { ...known, text }, waits: "no", problem: null };
  if (answers.found?.text === text || answers.problem || answers.waits === "long") return answers;
  return { ...answers, waits: "yes" };
}

/** @returns the results or an error message */
async function fetched(text: string, failed: string, signal: AbortSignal): Promise<Suggestions | string> {
  try {
    const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text }).toString()}`, {
      signal,
    });
    if (response.ok) return (await response.json()) as Suggestions;
    if (response.status === 429) return ((await response.json()) as { error: string }).error;
  } catch {
    // Network error.
  }
  return failed;
}

let start: Promise<Start> | undefined;

export function useStart(): Start {
  const [known, setKnown] = useState<Start>({ popular: [], categories: [] });
  useEffect(() => {
    start ??= fetch("/search/suggestions").then((response) => {
      if (!response.ok) throw new Error(`/search/suggestions answered ${response.status}.`);
      return response.json() as Promise<Start>;
    });
    start.then(setKnown, () => {
      start = undefined;
    });
  }, []);
  return known;
}
