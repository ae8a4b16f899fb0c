import type { ReactNode } from "react";
import { Breadcrumbs } from "@/components/reader/breadcrumbs";
import { Fold } from "@/components/ui/fold";
import type { PublishedArticle } from "@/lib/reader/published-articles";
import { Aids } from "./aids";
import { Contents } from "./contents";
import { Around, Attachments, Tags } from "./end";

/**
 * @param html from `htmlForReader`
 * @param children between the article and its neighbors
 */
export function ArticleView({
  article,
  html,
  workspace,
  hasContents,
  children,
}: {
  article: PublishedArticle;
  html: string;
  workspace: { language: string; timeZone: string };
  hasContents: boolean;
  children?: ReactNode;
}) {
  const { title, author, updatedAt, breadcrumbs, headings, tags, attachments } = article;
  return (
    <>
      <Breadcrumbs path={breadcrumbs} />
      <article className="mt-3">
        <header>
          <h1 dir="auto" className="text-2xl wrap-anywhere">
            {title}
          </h1>
          <p className="mt-4 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-text-muted">
            {/* eslint-disable-next-line @next/next/no-img-element -- a drawing of a few hundred bytes, or a picture made small */}
            <img src={author.picture} alt="" width={24} height={24} className="size-6 rounded-full print:hidden" />
            <span className="wrap-anywhere">{author.name}</span>
            <span aria-hidden="true">·</span>
            <span>
              Updated <Day date={updatedAt} {...workspace} />
            </span>
          </p>
        </header>
        {hasContents && (
          <div className="mt-5 max-w-(--measure) border-y border-border py-1 xl:hidden print:hidden">
            <Fold summary={<span className="text-sm font-medium">On this page</span>}>
              <div className="pb-3 pl-4.5">
                <Contents headings={headings} />
              </div>
            </Fold>
          </div>
        )}
        <div className="prose article-body mt-8" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
        <div className="max-w-(--measure)">
          {attachments.length > 0 && <Attachments files={attachments} language={workspace.language} />}
          {tags.length > 0 && <Tags tags={tags} />}
        </div>
        <Aids />
      </article>
      <div className="max-w-(--measure) print:hidden">
        {children}
        <Around {...article} />
      </div>
    </>
  );
}

/** In the workspace's time zone, because pages are cached for all readers. */
function Day({ date, language, timeZone }: { date: Date; language: string; timeZone: string }) {
  return (
    <time dateTime={date.toISOString()}>
      {new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(date)}
    </time>
  );
}
