import { useEffect, useState } from "react";

/** What the server finds for a text that is being typed: `app/sites/[workspace]/(reader)/search/suggestions`. */
export interface Suggestions {
  results: { title: string; titleHtml: string; url: string; excerptHtml: string; category: string }[];
  total: number;
  correctedTerm: string | null;
  categories: { name: string; url: string }[];
}

/** What was found last, and for which text: what is shown stays until something else is there to be shown. */
export interface Answers {
  found: (Suggestions & { text: string }) | null;
  /** Whether one is waited for, and already for so long that it should be said. */
  waits: "no" | "yes" | "long";
  problem: string | null;
}

/** How long nobody may have typed before it is asked; from when on waiting is told of; when it is given up, in milliseconds. */
const PAUSE_MS = 60;
const LONG_MS = 300;
const LAST_MS = 15_000;

const nothing: Answers = { found: null, waits: "no", problem: null };

/** The answers to a text as it changes; one that comes too late is dropped. */
export function useAnswers(typed: string): Answers {
  const text = typed.trim().replace(/\s+/g, " ");
  const [answers, setAnswers] = useState(nothing);

  useEffect(() => {
    if (text === "") return;
    const stop = new AbortController();
    let isOver = false;
    const late = setTimeout(() => stop.abort(), LAST_MS);
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
    }, PAUSE_MS);
    const long = setTimeout(() => setAnswers((before) => ({ ...before, waits: "long" })), PAUSE_MS + LONG_MS);
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

/** @returns what was found, or a sentence about why it was not */
async function fetched(text: string, signal: AbortSignal): Promise<Suggestions | string> {
  try {
    const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text }).toString()}`, {
      signal,
    });
    if (response.ok) return (await response.json()) as Suggestions;
    if (response.status === 429) return ((await response.json()) as { error: string }).error;
  } catch {
    // Said below.
  }
  return "The search does not answer. Check your connection, or press Enter to try the page of results.";
}
