import { Copy, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { Breadcrumbs } from "@/components/reader/breadcrumbs";
import { Say } from "@/components/reader/say";
import type { ArticleWords } from "@/components/reader/scripts/article";
import { asWords } from "@/components/reader/scripts/words";
import { Fold } from "@/components/ui/fold";
import type { PublishedArticle } from "@/lib/reader/published-articles";
import type { Words } from "@/lib/reader/words";
import { Contents } from "./contents";
import { Around, Attachments, Tags } from "./end";

/**
 * @param html from `htmlForReader`
 * @param timeZone the workspace's, because pages are kept for all readers
 * @param markdown the path of the article as Markdown
 * @param children between the article and its neighbors
 */
export function ArticleView({
  article,
  html,
  timeZone,
  words,
  hasContents,
  markdown,
  children,
}: {
  article: PublishedArticle;
  html: string;
  timeZone: string;
  words: Words;
  hasContents: boolean;
  markdown?: string;
  children?: ReactNode;
}) {
  const { title, author, updatedAt, breadcrumbs, headings, tags, attachments } = article;
  const { region, language } = words;
  const said: ArticleWords = { ...words.copy, language };
  const day = longDay(language, timeZone).format(updatedAt);
  return (
    <>
      <Breadcrumbs path={breadcrumbs} words={words} />
      <article className="mt-3">
        <header>
          <h1 dir="auto" className="text-2xl wrap-anywhere">
            {title}
          </h1>
          <div className="mt-4 flex max-w-(--measure) flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-text-muted">
            {/* eslint-disable-next-line @next/next/no-img-element -- a drawing of a few hundred bytes, or a picture made small */}
            <img src={author.picture} alt="" width={24} height={24} className="size-6 rounded-full print:hidden" />
            <span className="hidden wrap-anywhere sm:inline">{author.name}</span>
            <span aria-hidden="true" className="hidden sm:inline">
              ·
            </span>
            <span {...region}>
              <Say text={words.article.updated} date={<time dateTime={updatedAt.toISOString()}>{day}</time>} />
            </span>
            {markdown && (
              <span className="ms-auto hidden items-center gap-1 sm:flex print:hidden">
                <button
                  type="button"
                  data-copy-page={markdown}
                  aria-label={words.article.copyPage}
                  title={words.article.copyPage}
                  className="flex size-8 cursor-pointer items-center justify-center rounded-sm hover:bg-highlight hover:text-text noscript:hidden"
                >
                  <Copy aria-hidden="true" className="size-4" />
                </button>
                <a
                  href={markdown}
                  aria-label={words.article.viewPage}
                  title={words.article.viewPage}
                  className="flex size-8 items-center justify-center rounded-sm hover:bg-highlight hover:text-text"
                >
                  <FileText aria-hidden="true" className="size-4" />
                </a>
              </span>
            )}
          </div>
        </header>
        {hasContents && (
          <div className="mt-4 max-w-(--measure) border-y border-border py-1 xl:hidden print:hidden">
            <Fold
              summary={
                <span className="text-sm font-medium" {...region}>
                  {words.article.onThisPage}
                </span>
              }
            >
              <div className="ps-4.5 pb-3">
                <Contents headings={headings} words={words} />
              </div>
            </Fold>
          </div>
        )}
        <div className="prose article-body mt-8" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
        <div className="max-w-(--measure)">
          {attachments.length > 0 && <Attachments files={attachments} words={words} />}
          {tags.length > 0 && <Tags tags={tags} words={words} />}
        </div>
        <span role="status" data-article-status="" {...asWords(said)} className="sr-only" />
      </article>
      <div className="max-w-(--measure) print:hidden">
        {children}
        <Around {...article} words={words} />
      </div>
    </>
  );
}

const MOST_FORMATS = 200;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached because creating a formatter takes long. */
function longDay(language: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(key, known);
  return known;
}
