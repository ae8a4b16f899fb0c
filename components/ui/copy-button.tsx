"use client";

import { useEffect, useState } from "react";
import { useHydrated } from "./hydrated";

const inEnglish = { copy: "Copy", copied: "Copied", keys: "Press Ctrl+C" };

/**
 * Copies the code of its CodeFrame. Hidden without scripts.
 * @param label for screen readers, such as "Copy code 1"
 */
export function CopyButton({ label, words = inEnglish }: { label: string; words?: typeof inEnglish }) {
  const hydrated = useHydrated();
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  if (!hydrated) return null;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={({ currentTarget }) => {
          const code = currentTarget.closest("[data-code-frame]")?.querySelector("pre");
          if (code) void copied(code).then((done) => setSaid(done ? words.copied : words.keys));
        }}
        className="h-8 shrink-0 cursor-pointer rounded-sm px-2.5 text-sm text-text-muted hover:bg-surface hover:text-text"
      >
        {said || words.copy}
      </button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}

/** Pages without https have no clipboard, so this selects the code for copying by keyboard. */
async function copied(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
