import type { Content } from "@/lib/content/content";
import { renderedHtml } from "@/lib/content/render";
import { excerpt } from "@/lib/content/text";
import { markdownFromHtml } from "@/lib/content/to-markdown";

/** Everything that is stored with a body, so that no reader waits for it. */
export interface DerivedText extends Content {
  renderedHtml: string;
  excerpt: string;
  markdown: string;
}

/** Takes milliseconds, and longer for long code: call it before a transaction, not inside. */
export async function derivedText(content: Content): Promise<DerivedText> {
  return {
    ...content,
    renderedHtml: await renderedHtml(content.html),
    excerpt: excerpt(content.text),
    markdown: markdownFromHtml(content.html),
  };
}
