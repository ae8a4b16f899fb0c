import { countOf } from "@/components/ui/count";
import type { NavCategory } from "@/lib/reader/published-categories";
import type { Found } from "@/lib/reader/published-search";
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
}: {
  found: Found;
  page: number;
  pages: number;
  first: number;
  search: string | undefined;
}) {
  const count = countOf(total, "article");
  const last = first + articles.length - 1;
  return (
    <>
      {correctedTerm && (
        <p className="mt-4">
          Showing results for “<a href={addressOf(correctedTerm)}>{correctedTerm}</a>”. Articles with exactly what you
          typed come first, where there are any.
        </p>
      )}
      {articles.length === 0 ? (
        <p className="mt-4">
          There is no page {page.toLocaleString("en")} of these results: {count} {total === 1 ? "fills" : "fill"}{" "}
          {pages === 1 ? "one page" : countOf(pages, "page")}. <a href={addressOf(text, pages)}>Go to the last page</a>.
        </p>
      ) : (
        <p className="mt-2 text-sm text-text-muted">{pages > 1 ? `${first} to ${last} of ${count}` : count}</p>
      )}
      <ol data-search={search} className="mt-6 divide-y divide-border">
        {articles.map(({ slug, url, titleHtml, sectionHtml, excerptHtml, path }) => (
          <li key={slug} className="marked py-5">
            <h2 className="text-lg wrap-anywhere">
              <a
                href={url}
                className="text-accent no-underline hover:underline"
                dangerouslySetInnerHTML={{ __html: titleHtml }}
              />
            </h2>
            <p className="mt-1 text-sm wrap-anywhere text-text-muted">{path.map(({ name }) => name).join(" › ")}</p>
            {sectionHtml && <Section html={sectionHtml} className="mt-0.5 block" />}
            <p className="mt-2 line-clamp-3 text-sm wrap-anywhere" dangerouslySetInnerHTML={{ __html: excerptHtml }} />
          </li>
        ))}
      </ol>
      {pages > 1 && articles.length > 0 && (
        <nav
          aria-label="Pages of results"
          className="mt-4 flex items-center justify-between gap-4 border-t border-border pt-5 text-sm"
        >
          <span className="min-w-24">{page > 1 && <a href={addressOf(text, page - 1)}>Previous</a>}</span>
          <span className="text-text-muted">
            Page {page.toLocaleString("en")} of {pages.toLocaleString("en")}
          </span>
          <span className="min-w-24 text-right">{page < pages && <a href={addressOf(text, page + 1)}>Next</a>}</span>
        </nav>
      )}
    </>
  );
}

const MAX_CATEGORIES = 12;

export function NothingFound({ text, categories }: { text: string; categories: NavCategory[] }) {
  return (
    <>
      <p className="mt-4 wrap-anywhere">
        No article matches “{text}” or a similar spelling. We searched titles, text, keywords and category names.
      </p>
      <ul className="mt-4 list-disc pl-5">
        <li>Try another word for the same thing, such as “invoice” for “bill”.</li>
        <li>Try the beginning of a long word. Search finds its endings too.</li>
      </ul>
      {categories.length > 0 && (
        <>
          <h2 className="mt-10 text-lg">Look in a category</h2>
          <ul className="mt-3 grid gap-x-8 sm:grid-cols-2">
            {categories.slice(0, MAX_CATEGORIES).map(({ slug, name, count }) => (
              <li key={slug} className="border-b border-border">
                <a
                  href={`/categories/${slug}`}
                  className="flex items-baseline justify-between gap-4 py-3 no-underline hover:underline"
                >
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="text-sm text-text-muted tabular-nums">{count.toLocaleString("en")}</span>
                </a>
              </li>
            ))}
          </ul>
          {categories.length > MAX_CATEGORIES && (
            <p className="mt-4">
              <a href="/categories">All categories</a>
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
