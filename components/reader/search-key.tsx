/** The key that opens the search. Scripts hide the hint if the reader turns the key off (scripts/search-key.ts). */
export function SearchKeyHint({ large }: { large: boolean }) {
  return (
    <kbd
      aria-hidden="true"
      data-slash-hint=""
      className={`pointer-events-none absolute top-1/2 hidden -translate-y-1/2 rounded-sm border border-border px-1.5 font-sans text-[0.75rem]/5 text-text-muted peer-focus:hidden md:block noscript:hidden! ${large ? "end-4" : "end-2"}`}
    >
      /
    </kbd>
  );
}

/** Invisible without scripts. */
export function SearchKeySwitch({ label }: { label: string }) {
  return (
    <label
      data-slash-switch=""
      className="hidden min-h-8 cursor-pointer items-center gap-2 hover:text-text md:flex noscript:invisible"
    >
      <input type="checkbox" defaultChecked className="size-4 accent-accent" />
      {label}
    </label>
  );
}
