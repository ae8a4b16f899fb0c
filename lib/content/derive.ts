import { type Content, cleanTree } from "@/lib/content/content";
import { renderedHtml } from "@/lib/content/render";
import { type Snippets, withSnippets } from "@/lib/content/snippets";
import { excerpt } from "@/lib/content/text";
import { markdownFromTree } from "@/lib/content/to-markdown";

/** Everything that is stored with a body, so that no reader waits for it. */
export interface DerivedText extends Content {
  renderedHtml: string;
  excerpt: string;
  markdown: string;
  /** The text as readers see it, if snippets replaced something. */
  shown?: Pick<Content, "html" | "text" | "headings"> | null;
  /** The snippets that the text was derived with. */
  snippets?: Snippets | null;
}

/** The text as readers see it. */
export const shownIn = (text: DerivedText) => text.shown ?? text;

/**
 * Takes milliseconds, and minutes for code that is slow to highlight: call it in a thread.
 * @param snippets those that the text may name
 * @param onPlain is called with the result before its code is highlighted
 */
export async function derivedText(
  content: Content,
  snippets: Snippets | null = null,
  onPlain?: (text: DerivedText) => void,
): Promise<DerivedText> {
  const replaced = snippets && withSnippets(content.html, snippets);
  const shown = replaced && { html: replaced.html, text: replaced.text, headings: replaced.headings };
  const { html, text: plain } = shown ?? content;
  const { root } = cleanTree(html);
  const text = {
    ...content,
    excerpt: excerpt(plain),
    markdown: markdownFromTree(root),
    ...(shown && { shown }),
    ...(snippets && { snippets }),
  };
  const rendered = await renderedHtml(root, (rendered) => onPlain?.({ ...text, renderedHtml: rendered }));
  return { ...text, renderedHtml: rendered };
}
