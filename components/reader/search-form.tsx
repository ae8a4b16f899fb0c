import { Search } from "lucide-react";
import type { Words } from "@/lib/reader/words";
import { SearchKeyHint } from "./search-key";

/** A search field, which opens the dialog (scripts/search.ts), or sends its text where no scripts run. */
export function SearchForm({
  large = false,
  text,
  placeholder,
  words,
}: {
  large?: boolean;
  text?: string;
  placeholder?: string;
  words: Words;
}) {
  return (
    <form action="/search" role="search" className="relative w-full">
      <Search
        aria-hidden="true"
        className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-text-muted ${large ? "start-4 size-5" : "start-2.5 size-4"}`}
      />
      <input
        name="q"
        type="search"
        aria-label={words.search.label}
        placeholder={placeholder ?? words.search.placeholder}
        defaultValue={text}
        required
        maxLength={500}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={`peer block w-full min-w-0 border border-border-field bg-surface-raised placeholder:text-text-muted [&::-webkit-search-cancel-button]:hidden ${large ? "h-13 rounded-md ps-12 pe-12 text-base" : "h-11 rounded-sm ps-8.5 pe-9 text-base md:h-9 md:text-sm"}`}
      />
      <SearchKeyHint large={large} />
    </form>
  );
}
