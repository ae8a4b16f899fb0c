import type { Metadata } from "next";
import { cache } from "react";
import { CategoryCards } from "@/components/reader/category-cards";
import { Pages } from "@/components/reader/pages";
import { readerMetadata } from "@/lib/reader/metadata";
import { publishedNav, publishedRoots } from "@/lib/reader/published-categories";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../_frame";
import { pageNumber } from "../_page-number";
import { requireMembersOnly, UnknownPage, unknownMetadata } from "../_unknown";

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<{ page?: string | string[] }>;
}

const path = "/categories";

const read = cache((workspace: PublicWorkspace, page: number) =>
  readAsVisitor(workspace, async (snapshot) => ({
    roots: await publishedRoots(snapshot, page),
    nav: await publishedNav(snapshot),
  })),
);

async function load({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  return { workspace, ...(await read(workspace, pageNumber((await searchParams).page))) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, roots } = await load(props);
  if (!roots) return unknownMetadata(workspace, path);
  const { page, pages } = roots;
  const { language, tree, category } = wordsFor(workspace.language);
  return readerMetadata(workspace, {
    path: address(page),
    title: page > 1 ? say(language, category.page, { name: tree.all, page }) : tree.all,
    description: say(language, category.about, { name: workspace.name }),
    ...(page > 1 && { previous: address(page - 1) }),
    ...(page < pages && { next: address(page + 1) }),
  });
}

const address = (number: number) => (number > 1 ? `${path}?page=${number}` : path);

/** All root categories. Other pages list only the first ones. */
export default async function CategoriesPage(props: Props) {
  const { workspace, roots, nav } = await load(props);
  await requireMembersOnly(workspace, nav);
  if (!roots) return <UnknownPage workspace={workspace} path={path} />;
  const words = wordsFor(workspace.language);
  return (
    <Frame workspace={workspace} nav={nav}>
      <div className="max-w-[46rem]">
        <h1 className="text-2xl" {...words.region}>
          {words.tree.all}
        </h1>
        {roots.categories.length > 0 ? (
          <CategoryCards label={words.tree.label} categories={roots.categories} words={words} />
        ) : (
          <p className="mt-4 text-text-muted" {...words.region}>
            {words.home.emptyHint}
          </p>
        )}
        <Pages address={address} page={roots.page} pages={roots.pages} words={words} />
      </div>
    </Frame>
  );
}
