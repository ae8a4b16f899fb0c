import { ArticleView } from "@/components/reader/article/article";
import { Contents } from "@/components/reader/article/contents";
import type { Contact } from "@/components/reader/contact";
import { Feedback } from "@/components/reader/feedback";
import { JsonLd } from "@/components/reader/json-ld";
import type { PublishedArticle } from "@/lib/reader/published-articles";
import type { Thing } from "@/lib/reader/structured-data";
import type { Words } from "@/lib/reader/words";
import type { PublicWorkspace } from "@/lib/site";

type Shown = Pick<PublishedArticle, "headings" | "showTableOfContents">;

const hasContents = ({ showTableOfContents, headings }: Shown) => showTableOfContents && headings.length > 1;

/** The right column of an article page, or false if the page shows no table of contents. */
export function articleAside(article: Shown, words: Words) {
  return (
    hasContents(article) && (
      <div data-contents="">
        <Contents headings={article.headings} words={words} titled />
      </div>
    )
  );
}

/**
 * The article page inside the frame.
 * @param html from `htmlForReader`
 */
export function ArticlePage({
  workspace,
  article,
  words,
  html,
  contact,
  thing,
}: {
  workspace: PublicWorkspace;
  article: PublishedArticle;
  words: Words;
  html: string;
  contact: Contact | null;
  thing: Thing;
}) {
  return (
    <>
      <JsonLd thing={thing} />
      <ArticleView
        article={article}
        html={html}
        timeZone={workspace.timeZone}
        words={words}
        hasContents={hasContents(article)}
        markdown={`/articles/${article.slug}.md`}
      >
        {workspace.feedbackEnabled && (
          <div {...words.region}>
            <Feedback slug={article.slug} words={words.feedback} prompt={words.contact} contact={contact} />
          </div>
        )}
      </ArticleView>
    </>
  );
}
