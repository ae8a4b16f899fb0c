import { parseHtml, textOf } from "@/lib/content/parse";
import { excerpt } from "@/lib/content/text";

/** A paragraph at the top level of clean HTML, which has one block per line. The end of the HTML may be cut off. */
const paragraph = /^<p>([\s\S]*?)(?:<\/p>|(?![\s\S]))/gm;
const cutTag = /<[^<>]*$/;

/** The first paragraph of clean HTML that has words, as text: no heading, list, code or table. */
export function firstParagraph(html: string): string {
  for (const [, content = ""] of html.matchAll(paragraph)) {
    const text = textOf(parseHtml(content.replace(cutTag, ""), false))
      .replace(/\s+/g, " ")
      .trim();
    if (/[\p{L}\p{N}]/u.test(text)) return excerpt(text);
  }
  return "";
}
