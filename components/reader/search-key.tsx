"use client";

import { useSyncExternalStore } from "react";

// Whether "/" opens the search. A key that acts by itself can be turned off (WCAG 2.2, 2.1.4): who speaks to the computer,
// or hits keys without meaning to, would open the search again and again. Ctrl+K stays. Kept in this browser alone.

const NAME = "search-by-slash";
/** What was chosen on this page, whose browser may keep nothing. */
let chosen: boolean | undefined;

export function opensBySlash(): boolean {
  if (chosen !== undefined) return chosen;
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true;
  }
}

function choose(isOn: boolean): void {
  chosen = isOn;
  try {
    if (isOn) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, "off");
  } catch {
    // A browser that keeps nothing has the choice on this page alone.
  }
  dispatchEvent(new Event(NAME));
}

function subscribe(changed: () => void): () => void {
  addEventListener(NAME, changed);
  return () => removeEventListener(NAME, changed);
}

const useSlash = () => useSyncExternalStore(subscribe, opensBySlash, () => true);

const look = "rounded-sm border border-border px-1.5 font-sans text-[0.75rem]/5";

/** In the search field of a page: the key that opens the search, unless it does not. */
export function SearchKeyHint({ large }: { large: boolean }) {
  if (!useSlash()) return null;
  return (
    <kbd
      aria-hidden="true"
      className={`pointer-events-none absolute top-1/2 hidden -translate-y-1/2 text-text-muted peer-focus:hidden md:block noscript:hidden! ${look} ${large ? "right-4" : "right-2"}`}
    >
      /
    </kbd>
  );
}

/** Turns the key off, and on again. */
export function SearchKeySwitch() {
  const isOn = useSlash();
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2 hover:text-text">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => choose(target.checked)}
        className="size-4 accent-accent"
      />
      <span>
        Open with <kbd className={look}>/</kbd>
      </span>
    </label>
  );
}
