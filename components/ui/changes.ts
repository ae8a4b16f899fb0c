"use client";

import { useMemo, useState } from "react";

/** Why something was not done, and what there is instead. */
export interface Refused<T> {
  refused: string;
  now: T;
}

type Apply<T> = (before: T) => T;

/**
 * Something that is shown as changed while the server is asked, and as it was again when it is refused.
 * @param given as the server sent it; when it is sent anew, that counts
 */
export function useChanges<T>(given: T) {
  const [shown, setShown] = useState(given);
  const [base, setBase] = useState(given);
  const [changes, setChanges] = useState<Apply<T>[]>([]);
  if (shown !== given) {
    setShown(given);
    setBase(given);
  }
  const now = useMemo(() => changes.reduce((before, apply) => apply(before), base), [base, changes]);

  /**
   * @param keep the change that an answer stands for
   * @param meanwhile the change that is shown until then
   * @returns the answer; a sentence when it was refused
   */
  const attempt = async <A extends object>(
    asked: Promise<A | Refused<T>>,
    keep: (answer: A) => Apply<T>,
    meanwhile?: Apply<T>,
  ): Promise<A | string> => {
    if (meanwhile) setChanges((before) => [...before, meanwhile]);
    const answer = await asked.catch(() => null);
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

const unreachable = "The server does not answer, and nothing is changed. Check your connection, then try again.";

function isRefused<A extends object, T>(answer: A | Refused<T>): answer is Refused<T> {
  return "refused" in answer;
}
