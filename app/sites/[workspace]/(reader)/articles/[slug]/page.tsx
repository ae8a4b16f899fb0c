import type { Metadata } from "next";
import { cache } from "react";
import { ArticlePage, articleAside } from "@/components/reader/article/page";
import { articleMetadata, articlePage, readArticlePage } from "@/lib/reader/article-page";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../../_frame";
import { UnknownPage, unknownMetadata } from "../../_unknown";

interface Props {
  params: Promise<{ workspace: string; slug: string }>;
}

const read = cache((workspace: PublicWorkspace, slug: string) =>
  readAsVisitor(workspace, (snapshot) => readArticlePage(snapshot, slug)),
);

async function load({ params }: Props) {
  const { workspace: subdomain, slug } = await params;
  const workspace = await publicWorkspace(subdomain);
  return { workspace, path: `/articles/${decodeURIComponent(slug)}`, ...(await read(workspace, slug)) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, path, article } = await load(props);
  return article ? articleMetadata(workspace, article) : unknownMetadata(workspace, path);
}

/** Renders articles for members. For visitors, server/documents renders most articles with the same components. */
export default async function Page(props: Props) {
  const { workspace, path, nav, article } = await load(props);
  if (!article) return <UnknownPage workspace={workspace} path={path} />;
  const shown = articlePage(workspace, article);
  return (
    <Frame
      workspace={workspace}
      nav={nav}
      current={{ category: article.breadcrumbs.at(-1)?.slug, article: article.slug }}
      edit={{ path: `/admin/articles/${article.id}`, permission: "articles.write" }}
      aside={articleAside(article, shown.words)}
    >
      <ArticlePage {...shown} />
    </Frame>
  );
}
