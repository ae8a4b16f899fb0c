import { htmlForReader } from "@/lib/content/for-reader";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { readerMetadata } from "@/lib/reader/metadata";
import { type PublishedArticle, publishedArticle } from "@/lib/reader/published-articles";
import { publishedNav } from "@/lib/reader/published-categories";
import { socialImageUrl } from "@/lib/reader/social-image";
import { articleThing } from "@/lib/reader/structured-data";
import { wordsFor } from "@/lib/reader/words";
import { contactLink } from "@/lib/settings/site-fields";
import type { Snapshot } from "@/lib/visibility";
import type { PublicWorkspace } from "@/lib/workspaces/public-workspace";

/** Reads an article and the categories around it. `article` is null if the viewer can't see an article with this slug. */
export async function readArticlePage(snapshot: Snapshot, slug: string) {
  const article = await publishedArticle(snapshot, slug);
  if (!article) return { article, nav: [] };
  const category = article.breadcrumbs.at(-1)?.slug;
  return { article, nav: await publishedNav(snapshot, { category, article: article.slug }) };
}

/** The props of `ArticlePage` in components/reader/article/page.tsx. */
export function articlePage(workspace: PublicWorkspace, article: PublishedArticle) {
  const words = wordsFor(workspace.language);
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const category = article.breadcrumbs.at(-1)?.name ?? "";
  return {
    workspace,
    article,
    words,
    html: htmlForReader(article.renderedHtml, words),
    contact: contactLink(workspace.contact),
    thing: articleThing(workspace, home, {
      ...article,
      description: article.summary,
      author: article.author.name,
      image: socialImageUrl(workspace, home, { ...article, category }),
      path: article.breadcrumbs,
    }),
  };
}

export function articleMetadata(workspace: PublicWorkspace, article: PublishedArticle) {
  return readerMetadata(workspace, {
    path: `/articles/${article.slug}`,
    title: article.pageTitle ?? article.title,
    description: article.summary,
    markdown: `/articles/${article.slug}.md`,
    article: {
      ...article,
      category: article.breadcrumbs.at(-1)?.name ?? "",
      author: article.author.name,
      tags: article.tags.map(({ name }) => name),
    },
  });
}
