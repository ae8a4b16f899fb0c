import type { Content } from "@/lib/content/content";
import { renderedHtml } from "@/lib/content/render";
import { excerpt } from "@/lib/content/text";
import { markdownFromHtml } from "@/lib/content/to-markdown";

/** A body and everything that is kept beside it, so that no reader waits for it to be made. */
export interface DerivedText extends Content {
  renderedHtml: string;
  excerpt: string;
  markdown: string;
}

/**
 * Derives what is stored with a body from clean content. It takes milliseconds, for long code more: call it before a
 * transaction, not inside.
 */
export async function derivedText(content: Content): Promise<DerivedText> {
  return {
    ...content,
    renderedHtml: await renderedHtml(content.html),
    excerpt: excerpt(content.text),
    markdown: markdownFromHtml(content.html),
  };
}
