import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { SOCIAL_IMAGE_SIZE, socialImageUrl } from "@/lib/reader/social-image";
import { iconVersion } from "@/lib/reader/workspace-icon";
import type { PublicWorkspace } from "@/lib/workspaces/public-workspace";

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

/** A reader page's metadata, in the shape of Next's `Metadata`. */
export type ReaderMetadata = ReturnType<typeof readerMetadata>;

export function readerMetadata(workspace: PublicWorkspace, page: Page) {
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
          type: "article" as const,
          publishedTime: page.article.publishedAt.toISOString(),
          modifiedTime: page.article.updatedAt.toISOString(),
          authors: [page.article.author],
          section: page.article.category,
          tags: page.article.tags,
        }
      : { ...common, type: "website" as const },
    twitter: { ...shown, card: "summary_large_image" as const },
    ...(!listed && { robots: { index: false } }),
  };
}

/** A workspace's icons, in the shape of `icons` in Next's `Metadata`. */
export function readerIcons(workspace: PublicWorkspace) {
  const version = iconVersion(workspace);
  return {
    icon: { url: `/icons/96.png?v=${version}`, sizes: "96x96", type: "image/png" },
    apple: { url: `/icons/180.png?v=${version}`, sizes: "180x180", type: "image/png" },
  };
}
