import type { Metadata } from "next";
import { cache } from "react";
import { CategoryPage } from "@/components/reader/category";
import { categoryMetadata, categoryPage, readCategoryPage } from "@/lib/reader/category-page";
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
  readAsVisitor(workspace, (snapshot) => readCategoryPage(snapshot, slug, page)),
);

async function load({ params, searchParams }: Props) {
  const { workspace: subdomain, slug } = await params;
  const number = pageNumber((await searchParams).page);
  const workspace = await publicWorkspace(subdomain);
  return { workspace, path: `/categories/${decodeURIComponent(slug)}`, ...(await read(workspace, slug, number)) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, path, category } = await load(props);
  return category ? categoryMetadata(workspace, category) : unknownMetadata(workspace, path);
}

/** Renders categories for members. For visitors, server/documents renders most categories with the same component. */
export default async function Page(props: Props) {
  const { workspace, path, nav, category } = await load(props);
  if (!category) return <UnknownPage workspace={workspace} path={path} />;
  return (
    <Frame
      workspace={workspace}
      nav={nav}
      current={{ category: category.slug }}
      edit={{ path: `/admin/categories/${category.id}`, permission: "categories.manage" }}
    >
      <CategoryPage {...categoryPage(workspace, category)} />
    </Frame>
  );
}
