import type { Metadata } from "next";
import { cache } from "react";
import { ArticleView } from "@/components/reader/article/article";
import { Contents } from "@/components/reader/article/contents";
import { htmlForReader } from "@/lib/content/for-reader";
import { findPreview, previewedId, renderedPreview } from "@/lib/reader/previews";
import { publishedNav } from "@/lib/reader/published-categories";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../../_frame";
import { UnknownPage, unknownMetadata } from "../../_unknown";

interface Props {
  params: Promise<{ workspace: string; token: string }>;
}

const read = cache(async (workspace: PublicWorkspace, token: string) => {
  const id = await previewedId(workspace.id, token);
  if (!id) return null;
  const found = await readAsVisitor(workspace, async (snapshot) => {
    const preview = await findPreview(snapshot, id);
    return preview && { preview, nav: await publishedNav(snapshot, { category: preview.breadcrumbs.at(-1)?.slug }) };
  });
  return found && { article: await renderedPreview(workspace.id, found.preview, token), nav: found.nav };
});

async function load({ params }: Props) {
  const { workspace: subdomain, token } = await params;
  const workspace = await publicWorkspace(subdomain);
  return { workspace, found: await read(workspace, decodeURIComponent(token)) };
}

/** The URL is a secret: search engines and linked pages must not learn it. */
export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, found } = await load(props);
  if (!found) return unknownMetadata(workspace, "/preview");
  return {
    title: say(workspace.language, wordsFor(workspace.language).article.preview, { title: found.article.title }),
    robots: { index: false, follow: false, noarchive: true },
    referrer: "same-origin",
  };
}

export default async function PreviewPage(props: Props) {
  const { workspace, found } = await load(props);
  if (!found) return <UnknownPage workspace={workspace} path="/preview" />;
  const { article, nav } = found;
  const words = wordsFor(workspace.language);
  const hasContents = article.showTableOfContents && article.headings.length > 1;
  return (
    <Frame
      workspace={workspace}
      nav={nav}
      current={{ category: article.breadcrumbs.at(-1)?.slug }}
      edit={{ path: `/admin/articles/${article.id}`, permission: "articles.write" }}
      aside={
        hasContents && (
          <div data-contents="">
            <Contents headings={article.headings} words={words} titled />
          </div>
        )
      }
    >
      <p
        className="mb-5 rounded-sm border border-border bg-surface-raised px-3 py-2 text-sm text-caution"
        {...words.region}
      >
        {words.article.previewNote}
      </p>
      <ArticleView
        article={article}
        html={htmlForReader(article.renderedHtml, words)}
        timeZone={workspace.timeZone}
        words={words}
        hasContents={hasContents}
      />
    </Frame>
  );
}
