import { useEffect, useRef, useState } from "react";
import { tellSearch } from "./search-log";

/** From when on somebody who types no further is taken to have searched that, in milliseconds. */
const SETTLED_MS = 1_500;

/**
 * Tells what was searched: a text whose results were looked at for a while, once it is left, or one of which a result
 * was opened. Not every text on the way to it.
 */
export function useSearchLog(answered: string | null, typed: string) {
  const settled = useRef<string | null>(null);
  const text = typed.trim().replace(/\s+/g, " ");
  const [log] = useState(() => ({
    /** What was looked at is left, and nothing of it was opened. */
    leave: () => {
      if (settled.current) tellSearch({ text: settled.current, opened: false });
      settled.current = null;
    },
    open: (searched: string) => {
      settled.current = null;
      tellSearch({ text: searched, opened: true });
    },
    drop: () => {
      settled.current = null;
    },
  }));
  useEffect(() => {
    // Of "pass" and "password" the first was on the way.
    if (settled.current && text.startsWith(settled.current)) log.drop();
    else log.leave();
    if (answered !== text || text === "") return;
    const timer = setTimeout(() => {
      settled.current = text;
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [answered, text, log]);
  useEffect(() => {
    addEventListener("pagehide", log.leave);
    return () => removeEventListener("pagehide", log.leave);
  }, [log]);
  return log;
}
