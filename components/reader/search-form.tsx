import { SearchKeyHint } from "./search-key";
import { SearchStarter } from "./search-starter";

/** The search field of every page. Works without scripts. */
export function SearchForm({ large = false, text }: { large?: boolean; text?: string }) {
  return (
    <>
      <form action="/search" role="search" className="relative w-full">
        <svg
          viewBox="0 0 20 20"
          aria-hidden="true"
          className={`pointer-events-none absolute top-1/2 -translate-y-1/2 fill-none stroke-current stroke-[1.75] text-text-muted ${large ? "left-4 size-5" : "left-2.5 size-4"}`}
        >
          <circle cx="8.75" cy="8.75" r="5.5" />
          <path d="m13 13 4.25 4.25" strokeLinecap="round" />
        </svg>
        <input
          name="q"
          type="search"
          aria-label="Search"
          placeholder={large ? "Search the articles" : "Search"}
          defaultValue={text}
          required
          maxLength={500}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className={`peer block w-full min-w-0 border border-border-field bg-surface-raised placeholder:text-text-muted [&::-webkit-search-cancel-button]:hidden ${large ? "h-13 rounded-md pr-12 pl-12 text-base" : "h-11 rounded-sm pr-9 pl-8.5 text-base md:h-9 md:text-sm"}`}
        />
        <SearchKeyHint large={large} />
      </form>
      <SearchStarter />
    </>
  );
}
