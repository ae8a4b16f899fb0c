import type { Metadata } from "next";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import type { PublicWorkspace } from "@/lib/site";
import { SOCIAL_IMAGE_SIZE, socialImageAddress } from "@/lib/social-image";

interface Page {
  /** At the workspace's host, with the query that makes it another page. */
  path: string;
  /** The workspace's name where it is left out. */
  title?: string;
  description?: string | null;
  /** The path of the same as Markdown. */
  markdown?: string;
  /** Only an article has a picture of its own; `title` is its own too, whatever the page is called. */
  article?: {
    slug: string;
    title: string;
    category: string;
    publishedAt: Date;
    updatedAt: Date;
    author: string;
    tags: string[];
  };
  /** The paths of the pages before and after this part of a list. */
  previous?: string;
  next?: string;
}

/** What a page tells machines about itself: its address, its other forms, and how it looks as a link elsewhere. */
export function readerMetadata(workspace: PublicWorkspace, page: Page): Metadata {
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const title = page.title ?? workspace.name;
  const description = page.description?.replace(/\s+/g, " ").trim() || undefined;
  // Of a workspace for its members there is no feed, and pictures of articles alone (./_public-file.ts, ./og.png).
  const listed = workspace.visibility === "everyone";
  const image = { url: socialImageAddress(workspace, home, page.article), ...SOCIAL_IMAGE_SIZE, alt: title };
  const shown = { title, ...(description && { description }), ...((listed || page.article) && { images: [image] }) };
  const common = { ...shown, url: home + page.path, siteName: workspace.name };
  return {
    ...(page.title !== undefined && { title: page.title }),
    ...(description && { description }),
    alternates: {
      canonical: home + page.path,
      types: {
        ...(listed && { "application/atom+xml": [{ url: `${home}/feed.xml`, title: workspace.name }] }),
        ...(page.markdown && { "text/markdown": home + page.markdown }),
      },
    },
    pagination: {
      ...(page.previous && { previous: home + page.previous }),
      ...(page.next && { next: home + page.next }),
    },
    openGraph: page.article
      ? {
          ...common,
          type: "article",
          publishedTime: page.article.publishedAt.toISOString(),
          modifiedTime: page.article.updatedAt.toISOString(),
          authors: [page.article.author],
          section: page.article.category,
          tags: page.article.tags,
        }
      : { ...common, type: "website" },
    twitter: { ...shown, card: "summary_large_image" },
    ...(!listed && { robots: { index: false } }),
  };
}
