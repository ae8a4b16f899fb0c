import type { Metadata } from "next";
import { cache } from "react";
import { Feedback } from "@/components/reader/feedback";
import { FeedbackReason } from "@/components/reader/feedback-reason";
import { findArticleToRate } from "@/lib/analytics/feedback";
import { publishedNav } from "@/lib/reader/published-categories";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../../../_frame";
import { UnknownPage, unknownMetadata } from "../../../_unknown";

interface Props {
  params: Promise<{ workspace: string; slug: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const read = cache((workspace: PublicWorkspace, slug: string) =>
  readAsVisitor(workspace, async (snapshot) => ({
    article: workspace.feedbackEnabled ? await findArticleToRate(snapshot, slug) : null,
    nav: await publishedNav(snapshot),
  })),
);

async function load({ params }: Props) {
  const { workspace: subdomain, slug } = await params;
  const workspace = await publicWorkspace(subdomain);
  return { workspace, path: `/articles/${decodeURIComponent(slug)}/feedback`, ...(await read(workspace, slug)) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { workspace, path, article } = await load(props);
  return article ? { title: "Your feedback", robots: { index: false } } : unknownMetadata(workspace, path);
}

/** Shown after the feedback form is sent without scripts. Its state is in the URL. */
export default async function FeedbackPage(props: Props) {
  const { workspace, path, nav, article } = await load(props);
  if (!article) return <UnknownPage workspace={workspace} path={path} />;
  const { helpful, reason } = await props.searchParams;
  const answered = helpful === "yes" || helpful === "no";
  const back = (
    <a href={`/articles/${article.slug}`}>
      Back to “<span className="wrap-anywhere">{article.title}</span>”
    </a>
  );
  return (
    <Frame workspace={workspace} nav={nav}>
      <div className="grid max-w-[40rem] gap-6">
        <h1 className="text-2xl">{answered ? "Thank you" : "Your feedback"}</h1>
        {!answered && <Feedback slug={article.slug} />}
        {answered && reason === "given" && <p>Your words are kept for the people who write these articles.</p>}
        {answered && reason !== "given" && (
          <>
            <p>
              You said that this article {helpful === "yes" ? "helped you" : "did not help you"}. If you like, say why.
            </p>
            <FeedbackReason slug={article.slug} helpful={helpful === "yes"} />
          </>
        )}
        <p>{back}</p>
      </div>
    </Frame>
  );
}
