import { ArrowLeft, ArrowRight } from "lucide-react";
import { sizeOf } from "@/components/ui/size";
import type { PublishedArticle } from "@/lib/reader/published-articles";
import type { Words } from "@/lib/reader/words";

export function Attachments({ files, words }: { files: PublishedArticle["attachments"]; words: Words }) {
  return (
    <section aria-labelledby="_files" className="mt-12">
      <h2 id="_files" className="text-sm font-semibold tracking-normal" {...words.region}>
        {words.article.attachments}
      </h2>
      <ul className="mt-2 border-t border-border text-sm">
        {files.map(({ id, filename, byteSize, path }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 border-b border-border py-2.5">
            <a href={path} className="min-w-0 wrap-anywhere">
              {filename}
            </a>
            <span className="shrink-0 text-text-muted tabular-nums">{sizeOf(byteSize, words.language)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Tags({ tags, words }: { tags: PublishedArticle["tags"]; words: Words }) {
  return (
    <section aria-labelledby="_tags" className="mt-10 flex flex-wrap items-baseline gap-x-3 gap-y-2 text-sm">
      <h2 id="_tags" className="text-sm font-semibold tracking-normal" {...words.region}>
        {words.article.tags}
      </h2>
      <ul className="flex min-w-0 flex-wrap gap-2">
        {tags.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <a
              href={`/tags/${encodeURIComponent(name)}`}
              rel="tag"
              className="block rounded-sm border border-border px-2 py-0.5 wrap-anywhere text-text-muted no-underline hover:border-text-muted hover:text-text"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Around({
  previous,
  next,
  related,
  words,
}: Pick<PublishedArticle, "previous" | "next" | "related"> & { words: Words }) {
  return (
    <>
      {(previous ?? next) && (
        <nav aria-label={words.article.around} className="mt-12 grid gap-3 sm:grid-cols-2">
          {previous && <Neighbor article={previous} words={words} />}
          {next && <Neighbor article={next} words={words} isNext />}
        </nav>
      )}
      {related.length > 0 && (
        <section aria-labelledby="_related" className="mt-12">
          <h2 id="_related" className="text-base font-semibold" {...words.region}>
            {words.article.related}
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

function Neighbor({
  article,
  words,
  isNext = false,
}: {
  article: { slug: string; title: string };
  words: Words;
  isNext?: boolean;
}) {
  const Arrow = isNext ? ArrowRight : ArrowLeft;
  return (
    <a
      href={`/articles/${article.slug}`}
      rel={isNext ? "next" : "prev"}
      className={`group rounded-md border border-border px-4 py-3 no-underline hover:border-text-muted ${isNext ? "text-end sm:col-start-2" : ""}`}
    >
      <span
        className={`flex items-center gap-1.5 text-sm text-text-muted ${isNext ? "flex-row-reverse" : ""}`}
        {...words.region}
      >
        <Arrow aria-hidden="true" className="size-3.5 rtl:-scale-x-100" />
        {isNext ? words.article.next : words.article.previous}
      </span>
      <span className="mt-0.5 block font-medium wrap-anywhere group-hover:underline">{article.title}</span>
    </a>
  );
}
