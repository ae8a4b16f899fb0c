import { type Content, cleanTree } from "@/lib/content/content";
import { renderedHtml } from "@/lib/content/render";
import { excerpt } from "@/lib/content/text";
import { markdownFromTree } from "@/lib/content/to-markdown";

/** Everything that is stored with a body, so that no reader waits for it. */
export interface DerivedText extends Content {
  renderedHtml: string;
  excerpt: string;
  markdown: string;
}

/**
 * Takes milliseconds, and minutes for code that is slow to highlight: call it in a thread.
 * @param onPlain is called with the result before its code is highlighted
 */
export async function derivedText(content: Content, onPlain?: (text: DerivedText) => void): Promise<DerivedText> {
  const { root } = cleanTree(content.html);
  const text = { ...content, excerpt: excerpt(content.text), markdown: markdownFromTree(root) };
  const rendered = await renderedHtml(root, (plain) => onPlain?.({ ...text, renderedHtml: plain }));
  return { ...text, renderedHtml: rendered };
}
