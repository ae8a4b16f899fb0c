import type { Metadata } from "next";
import { cache } from "react";
import { ArticleList } from "@/components/reader/article-list";
import { Pages } from "@/components/reader/pages";
import { publishedNav } from "@/lib/reader/published-categories";
import { publishedTag } from "@/lib/reader/published-tags";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../../_frame";
import { pageNumber } from "../../_page-number";
import { UnknownPage, unknownMetadata } from "../../_unknown";

interface Props {
  params: Promise<{ workspace: string; name: string }>;
  searchParams: Promise<{ page?: string | string[] }>;
}

const read = cache((workspace: PublicWorkspace, name: string, page: number) =>
  readAsVisitor(workspace, async (snapshot) => ({
    tag: await publishedTag(snapshot, name, page),
    nav: await publishedNav(snapshot),
  })),
);

async function load({ params, searchParams }: Props) {
  const { workspace: subdomain, name: encoded } = await params;
  const workspace = await publicWorkspace(subdomain);
  const name = decodeURIComponent(encoded);
  return { workspace, path: `/tags/${name}`, ...(await read(workspace, name, pageNumber((await searchParams).page))) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, path, tag } = await load(props);
  if (!tag) return unknownMetadata(workspace, path);
  const { language, tag: words } = wordsFor(workspace.language);
  return { title: say(language, words.title, { tag: tag.name }), robots: { index: false } };
}

export default async function TagPage(props: Props) {
  const { workspace, path, tag, nav } = await load(props);
  if (!tag) return <UnknownPage workspace={workspace} path={path} />;
  const words = wordsFor(workspace.language);
  const address = (page: number) => `/tags/${encodeURIComponent(tag.name)}${page > 1 ? `?page=${page}` : ""}`;
  return (
    <Frame workspace={workspace} nav={nav}>
      <div className="max-w-[46rem]">
        <h1 className="text-2xl wrap-anywhere" {...words.region}>
          {say(words.language, words.tag.title, { tag: tag.name })}
        </h1>
        <ArticleList label={words.category.articles} articles={tag.articles} />
        <Pages address={address} page={tag.page} pages={tag.pages} words={words} />
      </div>
    </Frame>
  );
}
