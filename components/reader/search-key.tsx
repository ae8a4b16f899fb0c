"use client";

import { useSyncExternalStore } from "react";
import { useHydrated } from "@/components/ui/hydrated";

// Single-key shortcuts must be optional (WCAG 2.2, 2.1.4), because speech input and tremor trigger them by accident.

const NAME = "search-by-slash";
/** Used when the browser refuses storage. */
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
    // The choice lasts until the page is left.
  }
  dispatchEvent(new Event(NAME));
}

function subscribe(changed: () => void): () => void {
  addEventListener(NAME, changed);
  return () => removeEventListener(NAME, changed);
}

const useSlash = () => useSyncExternalStore(subscribe, opensBySlash, () => true);

export function SearchKeyHint({ large }: { large: boolean }) {
  if (!useSlash()) return null;
  return (
    <kbd
      aria-hidden="true"
      className={`pointer-events-none absolute top-1/2 hidden -translate-y-1/2 rounded-sm border border-border px-1.5 font-sans text-[0.75rem]/5 text-text-muted peer-focus:hidden md:block noscript:hidden! ${large ? "end-4" : "end-2"}`}
    >
      /
    </kbd>
  );
}

export function SearchKeySwitch({ label }: { label: string }) {
  const isOn = useSlash();
  // Invisible without scripts, so that nothing moves when it appears.
  const look = useHydrated() ? "" : "invisible";
  return (
    <label className={`hidden min-h-8 cursor-pointer items-center gap-2 hover:text-text md:flex ${look}`}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => choose(target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}
