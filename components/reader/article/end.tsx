import { sizeOf } from "@/components/ui/size";
import type { PublishedArticle } from "@/lib/reader/published-articles";

export function Attachments({ files, language }: { files: PublishedArticle["attachments"]; language: string }) {
  return (
    <section aria-labelledby="_files" className="mt-12">
      <h2 id="_files" className="text-sm font-semibold tracking-normal">
        Attachments
      </h2>
      <ul className="mt-2 border-t border-border text-sm">
        {files.map(({ id, filename, byteSize, path }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 border-b border-border py-2.5">
            <a href={path} className="min-w-0 wrap-anywhere">
              {filename}
            </a>
            <span className="shrink-0 text-text-muted tabular-nums">{sizeOf(byteSize, language)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Without links, because search does not know tags. */
export function Tags({ tags }: { tags: PublishedArticle["tags"] }) {
  return (
    <section aria-labelledby="_tags" className="mt-10 flex flex-wrap items-baseline gap-x-3 gap-y-2 text-sm">
      <h2 id="_tags" className="text-sm font-semibold tracking-normal">
        Tags
      </h2>
      <ul className="flex min-w-0 flex-wrap gap-2">
        {tags.map(({ id, name }) => (
          <li key={id} className="rounded-sm border border-border px-2 py-0.5 wrap-anywhere text-text-muted">
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Around({ previous, next, related }: Pick<PublishedArticle, "previous" | "next" | "related">) {
  return (
    <>
      {(previous ?? next) && (
        <nav aria-label="Previous and next article" className="mt-12 grid gap-3 sm:grid-cols-2">
          {previous && <Neighbor article={previous} name="Previous" />}
          {next && <Neighbor article={next} name="Next" />}
        </nav>
      )}
      {related.length > 0 && (
        <section aria-labelledby="_related" className="mt-12">
          <h2 id="_related" className="text-base font-semibold">
            Related articles
          </h2>
          <ul className="mt-2 border-t border-border">
            {related.map(({ id, slug, title }) => (
              <li key={id} className="border-b border-border">
                <a href={`/articles/${slug}`} className="block py-2.5 wrap-anywhere no-underline hover:underline">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Neighbor({ article, name }: { article: { slug: string; title: string }; name: "Previous" | "Next" }) {
  const isNext = name === "Next";
  return (
    <a
      href={`/articles/${article.slug}`}
      rel={isNext ? "next" : "prev"}
      className={`group rounded-md border border-border px-4 py-3 no-underline hover:border-text-muted ${isNext ? "text-right sm:col-start-2" : ""}`}
    >
      <span className="block text-sm text-text-muted">
        {!isNext && <span aria-hidden="true">← </span>}
        {name}
        {isNext && <span aria-hidden="true"> →</span>}
      </span>
      <span className="mt-0.5 block font-medium wrap-anywhere group-hover:underline">{article.title}</span>
    </a>
  );
}
