"use client";

import { copyCode, copyLook } from "./copy";

const inEnglish = { copy: "Copy", copied: "Copied", keys: "Press Ctrl+C" };

/**
 * Copies the code of its CodeFrame. Hidden without scripts.
 * @param label for screen readers, such as "Copy code 1"
 */
export function CopyButton({ label, words = inEnglish }: { label: string; words?: typeof inEnglish }) {
  return (
    <>
      <button
        type="button"
        aria-label={label}
        data-copy={words.copy}
        data-copied={words.copied}
        data-keys={words.keys}
        onClick={({ currentTarget }) => void copyCode(currentTarget)}
        className={copyLook}
      >
        {words.copy}
      </button>
      <span role="status" className="sr-only" />
    </>
  );
}
