import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { readerMetadata } from "@/lib/reader/metadata";
import { type PublishedCategory, publishedCategory, publishedNav } from "@/lib/reader/published-categories";
import { categoryThing } from "@/lib/reader/structured-data";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import type { Snapshot } from "@/lib/visibility";
import type { PublicWorkspace } from "@/lib/workspaces/public-workspace";

/**
 * Reads one page of a category, and the tree around it.
 * @returns `category` is null if the viewer can't see the category, or the page number is too high
 */
export async function readCategoryPage(snapshot: Snapshot, slug: string, page: number) {
  const category = await publishedCategory(snapshot, slug, page);
  return { category, nav: category ? await publishedNav(snapshot, { category: slug }) : [] };
}

/** The props of `CategoryPage` in components/reader/category.tsx. */
export function categoryPage(workspace: PublicWorkspace, category: PublishedCategory) {
  const { slug, name, ancestors } = category;
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  return {
    category,
    words: wordsFor(workspace.language),
    thing: categoryThing(workspace, home, [...ancestors, { slug, name }]),
    address: (page: number) => address(slug, page),
  };
}

export function categoryMetadata(workspace: PublicWorkspace, category: PublishedCategory) {
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
