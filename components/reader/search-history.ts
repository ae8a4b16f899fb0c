import { useEffect, useRef, useState } from "react";
import { logSearch } from "./search-log";

/** A text counts as searched when its results are shown this long. */
const SETTLED_MS = 1_500;

/** Logs a search when its results were shown for a while or a result was opened, but not every text on the way. */
export function useSearchLog(answered: string | null, typed: string) {
  const settled = useRef<string | null>(null);
  const text = typed.trim().replace(/\s+/g, " ");
  const [log] = useState(() => ({
    leave: () => {
      if (settled.current) logSearch({ text: settled.current, opened: false });
      settled.current = null;
    },
    open: (searched: string, url: string) => {
      settled.current = null;
      logSearch({ text: searched, opened: url });
    },
    drop: () => {
      settled.current = null;
    },
  }));
  useEffect(() => {
    // "pass" was only on the way to "password".
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
