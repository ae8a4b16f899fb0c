import type { Metadata } from "next";
import { cache } from "react";
import { ArticleList } from "@/components/reader/article-list";
import { Breadcrumbs } from "@/components/reader/breadcrumbs";
import { CategoryCards } from "@/components/reader/category-cards";
import { JsonLd } from "@/components/reader/json-ld";
import { Pages } from "@/components/reader/pages";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { readerMetadata } from "@/lib/reader/metadata";
import { publishedCategory, publishedNav } from "@/lib/reader/published-categories";
import { categoryThing } from "@/lib/reader/structured-data";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../../_frame";
import { pageNumber } from "../../_page-number";
import { UnknownPage, unknownMetadata } from "../../_unknown";

interface Props {
  params: Promise<{ workspace: string; slug: string }>;
  searchParams: Promise<{ page?: string | string[] }>;
}

const read = cache((workspace: PublicWorkspace, slug: string, page: number) =>
  readAsVisitor(workspace, async (snapshot) => ({
    category: await publishedCategory(snapshot, slug, page),
    nav: await publishedNav(snapshot, { category: slug }),
  })),
);

async function load({ params, searchParams }: Props) {
  const { workspace: subdomain, slug } = await params;
  const number = pageNumber((await searchParams).page);
  const workspace = await publicWorkspace(subdomain);
  return { workspace, path: `/categories/${decodeURIComponent(slug)}`, ...(await read(workspace, slug, number)) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, path, category } = await load(props);
  if (!category) return unknownMetadata(workspace, path);
  const { slug, name, description, page, pages, articles } = category;
  const { language, category: words } = wordsFor(workspace.language);
  return readerMetadata(workspace, {
    path: address(slug, page),
    title: page > 1 ? say(language, words.page, { name, page }) : name,
    description: description ?? `${name}: ${articles.map(({ title }) => title).join(", ")}`.slice(0, 200),
    markdown: address(slug, page, ".md"),
    ...(page > 1 && { previous: address(slug, page - 1) }),
    ...(page < pages && { next: address(slug, page + 1) }),
  });
}

/** The first page has no number, so that it has only one URL. */
function address(slug: string, page: number, extension = ""): string {
  return `/categories/${slug}${extension}${page > 1 ? `?page=${page}` : ""}`;
}

export default async function CategoryPage(props: Props) {
  const { workspace, path, nav, category } = await load(props);
  if (!category) return <UnknownPage workspace={workspace} path={path} />;
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const { id, slug, name, description, ancestors, count, subcategories, articles } = category;
  const words = wordsFor(workspace.language);
  return (
    <Frame
      workspace={workspace}
      nav={nav}
      current={{ category: slug }}
      edit={{ path: `/admin/categories/${id}`, permission: "categories.manage" }}
    >
      <JsonLd thing={categoryThing(workspace, home, [...ancestors, { slug, name }])} />
      <div className="max-w-[46rem]">
        <Breadcrumbs path={ancestors} words={words} />
        <h1 className="mt-3 text-2xl break-words">{name}</h1>
        {description && <p className="mt-3 text-text-muted">{description}</p>}
        <p className="mt-2 text-sm text-text-muted" {...words.region}>
          {say(words.language, words.articles, { count })}
        </p>
        {subcategories.length > 0 && (
          <CategoryCards label={words.category.subcategories} categories={subcategories} words={words} />
        )}
        {articles.length > 0 && <ArticleList label={words.category.articles} articles={articles} />}
        <Pages address={(number) => address(slug, number)} page={category.page} pages={category.pages} words={words} />
      </div>
    </Frame>
  );
}
