import type { Words } from "@/lib/reader/words";

export function AlsoSearched({ terms, words }: { terms: readonly string[]; words: Words }) {
  if (terms.length === 0) return null;
  return (
    <section aria-labelledby="_also" className="mt-10">
      <h2 id="_also" className="text-base font-semibold" {...words.region}>
        {words.search.also}
      </h2>
      <ul className="mt-3 flex flex-wrap gap-2 text-sm">
        {terms.map((term) => (
          <li key={term} className="min-w-0">
            <a
              href={`/search?${new URLSearchParams({ q: term }).toString()}`}
              rel="nofollow"
              className="flex min-h-8 items-center rounded-sm border border-border px-3 wrap-anywhere no-underline hover:underline"
            >
              {term}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
