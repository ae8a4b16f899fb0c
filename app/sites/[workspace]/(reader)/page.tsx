import type { Metadata } from "next";
import { JsonLd } from "@/components/reader/json-ld";
import { SearchForm } from "@/components/reader/search-form";
import { countOf } from "@/components/ui/count";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { type ArticleTeaser, type Home, homeOf, publishedNav } from "@/lib/reader/published-categories";
import { siteThing } from "@/lib/reader/structured-data";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { Frame } from "./_frame";
import { readerMetadata } from "./_metadata";
import { requireMembersOnly } from "./_unknown";

interface Props {
  params: Promise<{ workspace: string }>;
}

export default async function StartPage({ params }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { nav, home } = await readAsVisitor(workspace, async (snapshot) => ({
    nav: await publishedNav(snapshot),
    home: await homeOf(snapshot),
  }));
  await requireMembersOnly(workspace, nav);
  const { categories, cut, total, popular, recent } = home;
  const date = new Intl.DateTimeFormat(workspace.language, { dateStyle: "medium", timeZone: workspace.timeZone });
  return (
    <Frame workspace={workspace} nav={nav} plain>
      <JsonLd thing={siteThing(workspace, workspaceUrl(workspace.subdomain, env().baseUrl))} />
      <div className="mx-auto max-w-[36rem] pt-6 pb-12 text-center md:pt-14 md:pb-20">
        <h1 className="text-2xl break-words md:text-[2.5rem]">{workspace.name}</h1>
        {total > 0 ? (
          <div className="mt-7 text-left">
            <SearchForm large />
            <p className="mt-3 text-center text-sm text-text-muted">
              {countOf(total, "article")} to search and to read
            </p>
          </div>
        ) : (
          <>
            <p className="mt-4 text-text-muted">Nothing is published here yet.</p>
            <p className="mt-2 text-sm text-text-muted">
              Articles are shown here as soon as somebody publishes them. Members <a href="/admin">sign in</a> to write
              the first one.
            </p>
          </>
        )}
      </div>
      {categories.length > 0 && (
        <section aria-label="Categories">
          <ul className="grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 lg:gap-x-12 lg:gap-y-12">
            {categories.map((category) => (
              <Category key={category.slug} {...category} />
            ))}
          </ul>
          {cut && (
            <p className="mt-10">
              <a href="/categories">All categories</a>
            </p>
          )}
        </section>
      )}
      {recent.length > 0 && (
        <div className={`mt-14 grid gap-x-12 gap-y-10 md:mt-20 ${popular.length > 0 ? "md:grid-cols-2" : ""}`}>
          {popular.length > 0 && (
            <Articles
              title="Popular"
              articles={popular.map((article) => ({ ...article, note: article.category.name }))}
            />
          )}
          <Articles
            title="New"
            articles={recent.map((article) => ({ ...article, note: date.format(article.publishedAt) }))}
          />
        </div>
      )}
    </Frame>
  );
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const workspace = await publicWorkspace((await params).workspace);
  return readerMetadata(workspace, { path: "/", description: `Search and read the articles of ${workspace.name}.` });
}

function Category({ slug, name, description, count, articles, children }: Home["categories"][number]) {
  const links = [
    ...articles.map((article) => ({ href: `/articles/${article.slug}`, text: article.title })),
    ...children.map((child) => ({ href: `/categories/${child.slug}`, text: child.name })),
  ];
  return (
    <li className="min-w-0 border-t border-border pt-4">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="min-w-0 text-base font-semibold break-words">
          <a href={`/categories/${slug}`} className="no-underline hover:underline">
            {name}
          </a>
        </h2>
        <span className="shrink-0 text-sm text-text-muted tabular-nums">{countOf(count, "article")}</span>
      </div>
      {description && <p className="mt-1 text-sm text-text-muted">{description}</p>}
      {links.length > 0 && (
        <ul className="mt-3">
          {links.map(({ href, text }) => (
            <li key={href}>
              <a href={href} className="block py-1.5 text-sm break-words text-accent no-underline hover:underline">
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Articles({ title, articles }: { title: string; articles: (ArticleTeaser & { note: string })[] }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="text-base font-semibold">{title}</h2>
      <ul className="mt-3 border-t border-border">
        {articles.map((article) => (
          <li key={article.slug} className="border-b border-border">
            <a
              href={`/articles/${article.slug}`}
              className="group flex min-h-11 items-baseline justify-between gap-6 py-2.5 text-sm no-underline"
            >
              <span className="min-w-0 wrap-anywhere group-hover:underline">{article.title}</span>
              <span className="max-w-[45%] min-w-0 shrink-0 text-right wrap-anywhere text-text-muted">
                {article.note}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
