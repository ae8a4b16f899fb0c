"use client";

import { useEffect, useState } from "react";
import { useHydrated } from "./hydrated";

/** Copies the code of its CodeFrame. Hidden without scripts. */
export function CopyButton({ label }: { label: string }) {
  const hydrated = useHydrated();
  const [said, setSaid] = useState<"" | "Copied" | "Press Ctrl+C">("");
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
        aria-label={`Copy ${label}`}
        onClick={({ currentTarget }) => {
          const code = currentTarget.closest("[data-code-frame]")?.querySelector("pre");
          if (code) void copied(code).then((done) => setSaid(done ? "Copied" : "Press Ctrl+C"));
        }}
        className="h-8 shrink-0 cursor-pointer rounded-sm px-2.5 text-sm text-text-muted hover:bg-surface hover:text-text"
      >
        {said || "Copy"}
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
