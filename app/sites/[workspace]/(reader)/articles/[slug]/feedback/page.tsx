import type { Metadata } from "next";
import { cache } from "react";
import { ContactLine } from "@/components/reader/contact";
import { Feedback } from "@/components/reader/feedback";
import { FeedbackReason } from "@/components/reader/feedback-reason";
import { Say } from "@/components/reader/say";
import { findArticleToRate } from "@/lib/analytics/feedback";
import { publishedNav } from "@/lib/reader/published-categories";
import { wordsFor } from "@/lib/reader/words";
import { readAsVisitor } from "@/lib/session";
import { contactLink } from "@/lib/settings/site-fields";
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
  return article
    ? { title: wordsFor(workspace.language).feedback.title, robots: { index: false } }
    : unknownMetadata(workspace, path);
}

/** Shown after the feedback form is sent without scripts. Its state is in the URL. */
export default async function FeedbackPage(props: Props) {
  const { workspace, path, nav, article } = await load(props);
  if (!article) return <UnknownPage workspace={workspace} path={path} />;
  const { helpful, reason } = await props.searchParams;
  const answered = helpful === "yes" || helpful === "no";
  const { feedback: words, contact: prompt, region } = wordsFor(workspace.language);
  const contact = contactLink(workspace.contact);
  return (
    <Frame workspace={workspace} nav={nav}>
      <div className="grid max-w-[40rem] gap-6" {...region}>
        <h1 className="text-2xl">{words.title}</h1>
        {!answered && <Feedback slug={article.slug} words={words} prompt={prompt} contact={contact} />}
        {answered && reason === "given" && <p>{words.sent}</p>}
        {answered && reason !== "given" && (
          <>
            <p>{helpful === "yes" ? words.glad : words.sorry}</p>
            <FeedbackReason slug={article.slug} helpful={helpful === "yes"} words={words} />
          </>
        )}
        {helpful === "no" && <ContactLine contact={contact} prompt={prompt} />}
        <p>
          <a href={`/articles/${article.slug}`}>
            <Say
              text={words.back}
              title={
                <span dir="auto" className="wrap-anywhere">
                  {article.title}
                </span>
              }
            />
          </a>
        </p>
      </div>
    </Frame>
  );
}
