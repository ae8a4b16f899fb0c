import type { ComponentProps, ReactNode } from "react";
import { ArticlePage, articleAside } from "@/components/reader/article/page";
import { CategoryPage } from "@/components/reader/category";
import type { ReaderFrame } from "@/components/reader/frame";
import { HomePage } from "@/components/reader/home";
import { articleMetadata, articlePage, readArticlePage } from "@/lib/reader/article-page";
import { categoryMetadata, categoryPage, readCategoryPage } from "@/lib/reader/category-page";
import { homeMetadata, homePage, readHomePage } from "@/lib/reader/home-page";
import type { ReaderMetadata } from "@/lib/reader/metadata";
import { publishedNav } from "@/lib/reader/published-categories";
import type { Snapshot } from "@/lib/visibility";
import type { PublicWorkspace } from "@/lib/workspaces/public-workspace";

interface Shown {
  metadata: ReaderMetadata;
  frame: Pick<ComponentProps<typeof ReaderFrame>, "nav" | "current" | "aside" | "plain">;
  children: ReactNode;
}

interface DocumentPage {
  /** Matches the path and query. `read` receives its groups. */
  pattern: RegExp;
  /** @returns a function that needs no database, or null if Next must respond */
  read: (
    workspace: PublicWorkspace,
    snapshot: Snapshot,
    ...groups: (string | undefined)[]
  ) => Promise<(() => Shown) | null>;
}

export interface DocumentAt {
  page: DocumentPage;
  groups: (string | undefined)[];
}

/** Pages rendered for visitors without Next. server/front-door/kept.ts knows their URLs too. */
const pages: readonly DocumentPage[] = [
  {
    pattern: /^\/articles\/([a-z0-9-]{1,100})$/,
    async read(workspace, snapshot, slug = "") {
      const { article, nav } = await readArticlePage(snapshot, slug);
      if (!article) return null;
      return () => {
        const props = articlePage(workspace, article);
        return {
          metadata: articleMetadata(workspace, article),
          frame: {
            nav,
            current: { category: article.breadcrumbs.at(-1)?.slug, article: article.slug },
            aside: articleAside(article, props.words),
          },
          children: <ArticlePage {...props} />,
        };
      };
    },
  },
  {
    pattern: /^\/categories\/([a-z0-9-]{1,100})(?:\?page=([1-9]\d{0,3}))?$/,
    async read(workspace, snapshot, slug = "", page = "1") {
      const { category, nav } = await readCategoryPage(snapshot, slug, Number(page));
      if (!category) return null;
      return () => ({
        metadata: categoryMetadata(workspace, category),
        frame: { nav, current: { category: slug } },
        children: <CategoryPage {...categoryPage(workspace, category)} />,
      });
    },
  },
  {
    pattern: /^\/$/,
    async read(workspace, snapshot) {
      // Visitors who can't see anything are sent to sign in, which Next does.
      if (snapshot.closed && (await publishedNav(snapshot)).length === 0) return null;
      const { home, nav } = await readHomePage(snapshot);
      return () => ({
        metadata: homeMetadata(workspace),
        frame: { nav, plain: true },
        children: <HomePage {...homePage(workspace, home)} />,
      });
    },
  },
];

/** The page at a URL, or null if Next renders it. */
export function documentAt(url: string): DocumentAt | null {
  for (const page of pages) {
    const match = page.pattern.exec(url);
    if (match) return { page, groups: match.slice(1) };
  }
  return null;
}
