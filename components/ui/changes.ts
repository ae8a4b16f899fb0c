"use client";

import { useMemo, useState } from "react";

/** Why the server refused a change, and its current data. */
export interface Refused<T> {
  refused: string;
  now: T;
}

type Apply<T> = (before: T) => T;

/**
 * Shows a change before the server confirms it, and undoes it after a refusal.
 * @param initial the server's data. New data replaces the state.
 */
export function useChanges<T>(initial: T) {
  const [shown, setShown] = useState(initial);
  const [base, setBase] = useState(initial);
  const [changes, setChanges] = useState<Apply<T>[]>([]);
  if (shown !== initial) {
    setShown(initial);
    setBase(initial);
  }
  const now = useMemo(() => changes.reduce((before, apply) => apply(before), base), [base, changes]);

  /**
   * @param keep applies the server's answer
   * @param meanwhile the change to show until then
   * @returns the answer, or a sentence if the server refused
   */
  const attempt = async <A extends object>(
    request: Promise<A | Refused<T>>,
    keep: (answer: A) => Apply<T>,
    meanwhile?: Apply<T>,
  ): Promise<A | string> => {
    if (meanwhile) setChanges((before) => [...before, meanwhile]);
    const answer = await request.catch(() => null);
    setChanges((before) => before.filter((one) => one !== meanwhile));
    if (answer === null) return unreachable;
    if (isRefused(answer)) {
      setBase(answer.now);
      return answer.refused;
    }
    setBase(keep(answer));
    return answer;
  };
  return { now, attempt };
}

const unreachable = "Can't reach the server, and nothing was changed. Check your connection and try again.";

function isRefused<A extends object, T>(answer: A | Refused<T>): answer is Refused<T> {
  return "refused" in answer;
}
