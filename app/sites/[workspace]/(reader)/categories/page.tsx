import type { Metadata } from "next";
import { cache } from "react";
import { CategoryCards } from "@/components/reader/category-cards";
import { Pages } from "@/components/reader/pages";
import { publishedNav, publishedRoots } from "@/lib/published-categories";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../_frame";
import { readerMetadata } from "../_metadata";
import { leadMembersIn, UnknownPage, unknownMetadata } from "../_unknown";
import { pageNumber } from "./_page-number";

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<{ page?: string | string[] }>;
}

const path = "/categories";

/** Read once for the page and its title. */
const read = cache((workspace: PublicWorkspace, page: number) =>
  readAsVisitor(workspace, async (sight) => ({
    roots: await publishedRoots(sight, page),
    nav: await publishedNav(sight),
  })),
);

async function asked({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  return { workspace, ...(await read(workspace, pageNumber((await searchParams).page))) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, roots } = await asked(props);
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

/** The categories at the top, a page of them at a time: where they are many, other pages name only the first. */
export default async function CategoriesPage(props: Props) {
  const { workspace, roots, nav } = await asked(props);
  await leadMembersIn(workspace, nav);
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
