import type { Metadata } from "next";
import { cache } from "react";
import { CategoryCards } from "@/components/reader/category-cards";
import { Pages } from "@/components/reader/pages";
import { publishedNav, publishedRoots } from "@/lib/reader/published-categories";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../_frame";
import { readerMetadata } from "../_metadata";
import { requireMembersOnly, UnknownPage, unknownMetadata } from "../_unknown";
import { pageNumber } from "./_page-number";

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
  const address = (number: number) => (number > 1 ? `${path}?page=${number}` : path);
  return readerMetadata(workspace, {
    path: address(page),
    title: page > 1 ? `All categories, page ${page}` : "All categories",
    description: `The categories of ${workspace.name}.`,
    ...(page > 1 && { previous: address(page - 1) }),
    ...(page < pages && { next: address(page + 1) }),
  });
}

/** All root categories. Other pages list only the first ones. */
export default async function CategoriesPage(props: Props) {
  const { workspace, roots, nav } = await load(props);
  await requireMembersOnly(workspace, nav);
  if (!roots) return <UnknownPage workspace={workspace} path={path} />;
  return (
    <Frame workspace={workspace} nav={nav}>
      <div className="max-w-[46rem]">
        <h1 className="text-2xl">All categories</h1>
        {roots.categories.length > 0 ? (
          <CategoryCards label="Categories" categories={roots.categories} />
        ) : (
          <p className="mt-4 text-text-muted">Nothing is published here yet.</p>
        )}
        <Pages path={path} {...roots} />
      </div>
    </Frame>
  );
}
