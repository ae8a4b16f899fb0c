import type { Metadata } from "next";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { SOCIAL_IMAGE_SIZE, socialImageUrl } from "@/lib/reader/social-image";
import type { PublicWorkspace } from "@/lib/site";

interface Page {
  /** With the query that selects another page of a list. */
  path: string;
  /** Defaults to the workspace's name. */
  title?: string;
  description?: string | null;
  /** The path of the Markdown version. */
  markdown?: string;
  article?: {
    slug: string;
    title: string;
    category: string;
    publishedAt: Date;
    updatedAt: Date;
    author: string;
    tags: string[];
  };
  /** Paths of the neighboring pages of a list. */
  previous?: string;
  next?: string;
}

export function readerMetadata(workspace: PublicWorkspace, page: Page): Metadata {
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const title = page.title ?? workspace.name;
  const description = page.description?.replace(/\s+/g, " ").trim() || undefined;
  // A workspace for members has no feed and no image of its start page.
  const listed = workspace.visibility === "everyone";
  const image = { url: socialImageUrl(workspace, home, page.article), ...SOCIAL_IMAGE_SIZE, alt: title };
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
