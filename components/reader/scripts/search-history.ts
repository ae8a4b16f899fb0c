import { searched } from "./search-answers";
import { logSearch } from "./search-log";

/** A text counts as searched when its results are shown this long. */
const SETTLED_MS = 1_500;

/** Logs a search when its results were shown for a while or a result was opened, but not every text on the way. */
export function searchLog() {
  let settled: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let before = "";
  const drop = () => {
    settled = null;
    clearTimeout(timer);
    before = "";
  };
  const leave = () => {
    if (settled !== null) logSearch({ text: settled, opened: false });
    drop();
  };
  addEventListener("pagehide", leave);
  return {
    /** @param answered the text that the shown results answer */
    show: (answered: string | null, typed: string) => {
      const text = searched(typed);
      const state = `${answered} ${text}`;
      if (state === before) return;
      // "pass" was only on the way to "password".
      if (settled !== null && text.startsWith(settled)) drop();
      else leave();
      before = state;
      if (answered !== text || text === "") return;
      timer = setTimeout(() => {
        settled = text;
      }, SETTLED_MS);
    },
    open: (text: string, url: string) => {
      drop();
      logSearch({ text, opened: url });
    },
    drop,
    /** Logs a search whose results weren't opened. */
    end: () => {
      leave();
      removeEventListener("pagehide", leave);
    },
  };
}
