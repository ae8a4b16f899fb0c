import type { NavCategory } from "@/lib/reader/published-categories";
import type { Found } from "@/lib/reader/published-search";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { type Contact, ContactLine } from "./contact";
import { Pages } from "./pages";
import { Say } from "./say";
import { Section } from "./search-section";

/**
 * @param first the number of the first result on the page
 * @param search the id of the logged search, for logging opened results
 */
export function SearchResults({
  found: { text, articles, total, correctedTerm },
  page,
  pages,
  first,
  search,
  words,
}: {
  found: Found;
  page: number;
  pages: number;
  first: number;
  search: string | undefined;
  words: Words;
}) {
  const { language, region } = words;
  const last = first + articles.length - 1;
  const address = (number: number) => addressOf(text, number);
  return (
    <>
      {correctedTerm && (
        <p className="mt-4 text-sm" {...region}>
          <Say
            text={words.search.corrected}
            term={
              <a href={addressOf(correctedTerm)} className="font-semibold">
                {correctedTerm}
              </a>
            }
          />
        </p>
      )}
      {articles.length === 0 ? (
        <p className="mt-4" {...region}>
          {words.search.noPage} <a href={address(pages)}>{words.search.lastPage}</a>
        </p>
      ) : (
        <p className="mt-2 text-sm text-text-muted" {...region}>
          {pages > 1
            ? say(language, words.search.range, { first, last, count: total })
            : say(language, words.search.count, { count: total })}
        </p>
      )}
      <ol data-search={search} className="mt-6 divide-y divide-border">
        {articles.map(({ slug, url, titleHtml, sectionHtml, excerptHtml, path }) => (
          <li key={slug} className="marked py-5">
            <h2 className="marked-title text-lg wrap-anywhere">
              <a
                href={url}
                className="text-accent no-underline hover:underline"
                dangerouslySetInnerHTML={{ __html: titleHtml }}
              />
            </h2>
            <p className="mt-1 text-sm wrap-anywhere text-text-muted">{path.map(({ name }) => name).join(" › ")}</p>
            {sectionHtml && <Section html={sectionHtml} />}
            <p className="mt-2 line-clamp-3 text-sm wrap-anywhere" dangerouslySetInnerHTML={{ __html: excerptHtml }} />
          </li>
        ))}
      </ol>
      {articles.length > 0 && <Pages page={page} pages={pages} address={address} words={words} />}
    </>
  );
}

const MAX_CATEGORIES = 12;

export function NothingFound({
  text,
  categories,
  contact,
  words,
}: {
  text: string;
  categories: NavCategory[];
  contact: Contact | null;
  words: Words;
}) {
  return (
    <>
      <p className="mt-4 wrap-anywhere" {...words.region}>
        {say(words.language, words.search.nothing, { text })}
      </p>
      <p className="mt-1 text-text-muted" {...words.region}>
        {words.search.hint}
      </p>
      <div {...words.region}>
        <ContactLine contact={contact} prompt={words.contact} />
      </div>
      {categories.length > 0 && (
        <>
          <h2 className="mt-10 text-lg" {...words.region}>
            {words.search.browse}
          </h2>
          <ul className="mt-3 grid gap-x-8 sm:grid-cols-2">
            {categories.slice(0, MAX_CATEGORIES).map(({ slug, name, count }) => (
              <li key={slug} className="border-b border-border">
                <a
                  href={`/categories/${slug}`}
                  className="flex items-baseline justify-between gap-4 py-3 no-underline hover:underline"
                >
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="text-sm text-text-muted tabular-nums">{count.toLocaleString(words.language)}</span>
                </a>
              </li>
            ))}
          </ul>
          {categories.length > MAX_CATEGORIES && (
            <p className="mt-4">
              <a href="/categories" {...words.region}>
                {words.tree.all}
              </a>
            </p>
          )}
        </>
      )}
    </>
  );
}

function addressOf(text: string, page = 1): string {
  return `/search?${new URLSearchParams({ q: text, ...(page > 1 && { page: String(page) }) }).toString()}`;
}
