import { Folder } from "lucide-react";
import { JsonLd } from "@/components/reader/json-ld";
import { SearchForm } from "@/components/reader/search-form";
import type { ArticleTeaser, CategoryCard, Home } from "@/lib/reader/published-categories";
import type { Thing } from "@/lib/reader/structured-data";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";
import type { PublicWorkspace } from "@/lib/site";

/** The home page, without its frame. */
export function HomePage({
  workspace,
  home: { categories, cut, total, popular, recent },
  words,
  thing,
}: {
  workspace: PublicWorkspace;
  home: Home;
  words: Words;
  thing: Thing;
}) {
  const { language, region } = words;
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: workspace.timeZone });
  return (
    <>
      <JsonLd thing={thing} />
      <div className="mx-auto max-w-[38rem] pt-4 pb-12 text-center md:pt-12 md:pb-16">
        <h1 dir="auto" className="text-2xl break-words md:text-[2.5rem]">
          {workspace.homeHeadline ?? workspace.name}
        </h1>
        {workspace.homeText && (
          <p dir="auto" className="mt-4 text-pretty text-text-muted">
            {workspace.homeText}
          </p>
        )}
        {total > 0 ? (
          <div className="mt-7 text-start">
            <SearchForm large placeholder={say(language, words.home.search, { count: total })} words={words} />
          </div>
        ) : (
          <div {...region}>
            <p className="mt-4">{words.home.empty}</p>
            <p className="mt-2 text-sm text-text-muted">{words.home.emptyHint}</p>
            <p className="mt-4 text-sm">
              <a href="/admin">{words.frame.signIn}</a>
            </p>
          </div>
        )}
      </div>
      {categories.length > 0 && (
        <section aria-label={words.tree.label}>
          {/* Centers a last row that isn't full. */}
          <ul className="flex flex-wrap justify-center gap-4">
            {categories.map((category) => (
              <Category
                key={category.slug}
                {...category}
                look={categories.length === 2 || categories.length === 4 ? "" : "lg:w-[calc((100%-2rem)/3)]"}
                words={words}
              />
            ))}
          </ul>
          {cut && (
            <p className="mt-8 text-center">
              <a href="/categories" {...region}>
                {words.tree.all}
              </a>
            </p>
          )}
        </section>
      )}
      {recent.length > 0 && (
        <div
          className={`mt-14 grid gap-x-12 gap-y-10 md:mt-20 ${popular.length > 0 ? "md:grid-cols-2" : "mx-auto max-w-[44rem]"}`}
        >
          {popular.length > 0 && (
            <Articles
              title={words.home.popular}
              articles={popular.map((article) => ({ ...article, note: article.category.name }))}
              region={region}
            />
          )}
          <Articles
            title={words.home.recent}
            articles={recent.map((article) => ({ ...article, note: date.format(article.publishedAt) }))}
            region={region}
          />
        </div>
      )}
    </>
  );
}

function Category({ slug, name, description, count, look, words }: CategoryCard & { look: string; words: Words }) {
  return (
    <li
      className={`group relative flex w-full min-w-0 gap-3.5 rounded-md border border-border p-5 hover:border-border-field sm:w-[calc((100%-1rem)/2)] ${look}`}
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-sm bg-highlight text-accent">
        <Folder aria-hidden="true" className="size-4.5" />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="text-base leading-snug font-semibold break-words">
          {/* The whole card is clickable. Screen readers read only the name. */}
          <a
            href={`/categories/${slug}`}
            className="no-underline after:absolute after:inset-0 after:rounded-md group-hover:underline"
          >
            {name}
          </a>
        </h2>
        {description && <p className="mt-1 line-clamp-2 text-sm text-text-muted">{description}</p>}
        <p className="mt-1 text-sm text-text-muted tabular-nums" {...words.region}>
          {say(words.language, words.articles, { count })}
        </p>
      </div>
    </li>
  );
}

function Articles({
  title,
  articles,
  region,
}: {
  title: string;
  articles: (ArticleTeaser & { note: string })[];
  region: Words["region"];
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="text-base font-semibold" {...region}>
        {title}
      </h2>
      <ul className="mt-3 border-t border-border">
        {articles.map((article) => (
          <li key={article.slug} className="border-b border-border">
            <a
              href={`/articles/${article.slug}`}
              className="group flex min-h-11 items-baseline justify-between gap-6 py-2.5 text-sm no-underline"
            >
              <span className="min-w-0 wrap-anywhere group-hover:underline">{article.title}</span>
              <span className="max-w-[45%] min-w-0 shrink-0 text-end wrap-anywhere text-text-muted">
                {article.note}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
