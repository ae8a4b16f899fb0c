import type { Metadata } from "next";
import { cache } from "react";
import { ArticleView } from "@/components/reader/article/article";
import { Contents } from "@/components/reader/article/contents";
import { Feedback } from "@/components/reader/feedback";
import { JsonLd } from "@/components/reader/json-ld";
import { htmlForReader } from "@/lib/content/for-reader";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { publishedArticle } from "@/lib/reader/published-articles";
import { publishedNav } from "@/lib/reader/published-categories";
import { socialImageUrl } from "@/lib/reader/social-image";
import { articleThing } from "@/lib/reader/structured-data";
import { wordsFor } from "@/lib/reader/words";
import { readAsVisitor } from "@/lib/session";
import { contactLink } from "@/lib/settings/site-fields";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../../_frame";
import { readerMetadata } from "../../_metadata";
import { UnknownPage, unknownMetadata } from "../../_unknown";

interface Props {
  params: Promise<{ workspace: string; slug: string }>;
}

const read = cache((workspace: PublicWorkspace, slug: string) =>
  readAsVisitor(workspace, async (snapshot) => {
    const article = await publishedArticle(snapshot, slug);
    const category = article?.breadcrumbs.at(-1)?.slug;
    return { article, nav: await publishedNav(snapshot, { category, article: article?.slug }) };
  }),
);

async function load({ params }: Props) {
  const { workspace: subdomain, slug } = await params;
  const workspace = await publicWorkspace(subdomain);
  return { workspace, path: `/articles/${decodeURIComponent(slug)}`, ...(await read(workspace, slug)) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, path, article } = await load(props);
  if (!article) return unknownMetadata(workspace, path);
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

export default async function ArticlePage(props: Props) {
  const { workspace, path, nav, article } = await load(props);
  if (!article) return <UnknownPage workspace={workspace} path={path} />;
  const { headings, breadcrumbs } = article;
  const words = wordsFor(workspace.language);
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const hasContents = article.showTableOfContents && headings.length > 1;
  return (
    <Frame
      workspace={workspace}
      nav={nav}
      current={{ category: breadcrumbs.at(-1)?.slug, article: article.slug }}
      edit={{ path: `/admin/articles/${article.id}`, permission: "articles.write" }}
      aside={
        hasContents && (
          <div data-contents="">
            <Contents headings={headings} words={words} titled />
          </div>
        )
      }
    >
      <JsonLd
        thing={articleThing(workspace, home, {
          ...article,
          description: article.summary,
          author: article.author.name,
          image: socialImageUrl(workspace, home, { ...article, category: breadcrumbs.at(-1)?.name ?? "" }),
          path: breadcrumbs,
        })}
      />
      <ArticleView
        article={article}
        html={htmlForReader(article.renderedHtml, words)}
        timeZone={workspace.timeZone}
        words={words}
        hasContents={hasContents}
        markdown={`/articles/${article.slug}.md`}
      >
        {workspace.feedbackEnabled && (
          <div {...words.region}>
            <Feedback
              slug={article.slug}
              words={words.feedback}
              prompt={words.contact}
              contact={contactLink(workspace.contact)}
            />
          </div>
        )}
      </ArticleView>
    </Frame>
  );
}
