import type { Element } from "hast";
import { textIn } from "@/lib/content/nodes";
import { HEADING_ID } from "@/lib/content/schema";

export interface Heading {
  id: string;
  level: 2 | 3 | 4 | 5 | 6;
  text: string;
}

/** Sets levels and ids. Only the page's title is an h1, so an h1 in the body moves every heading down one level. */
export function settleHeadings(elements: readonly Element[]): Heading[] {
  const down = elements.some(({ tagName }) => tagName === "h1") ? 1 : 0;
  const texts = elements.map(textIn);
  const ids = headingIds(
    texts,
    elements.map(({ properties: { id } }) => (typeof id === "string" && HEADING_ID.test(id) ? id : undefined)),
  );
  const headings: Heading[] = [];
  for (const [index, element] of elements.entries()) {
    const level = Math.min(Number(element.tagName[1]) + down, 6) as Heading["level"];
    const id = ids[index] as string;
    element.tagName = `h${level}`;
    element.properties = { id };
    if (texts[index]) headings.push({ id, level, text: texts[index] });
  }
  return headings;
}

export function headingIds(texts: readonly string[], preferred: readonly (string | undefined)[]): string[] {
  const taken = new Set<string>();
  const kept = preferred.map((id) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  });
  const repeats = new Map<string, number>();
  return texts.map((text, index) => {
    const id = kept[index];
    if (id !== undefined) return id;
    const base = anchor(text);
    let count = repeats.get(base) ?? 0;
    let candidate = count === 0 ? base : `${base}-${count}`;
    while (taken.has(candidate)) candidate = `${base}-${++count}`;
    repeats.set(base, count + 1);
    taken.add(candidate);
    return candidate;
  });
}

/** The same anchors as on GitHub, because existing Markdown links to them. */
function anchor(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s/g, "-")
    .replace(/[^\p{L}\p{M}\p{N}_-]/gu, "");
  // Cut by characters to keep surrogate pairs whole, and short enough to append a number.
  const start = words.search(/[\p{L}\p{N}]/u);
  const cut = start === -1 ? "" : [...words.slice(start, start + 160)].slice(0, 80).join("").replace(/-+$/, "");
  return cut || "section";
}

/** A nested list of links to the headings (contract 41a); "" when there are none. Skipped levels are closed up. */
export function tableOfContentsHtml(headings: readonly Heading[]): string {
  let html = "";
  const open: number[] = [];
  for (const { id, level, text } of headings) {
    if (level > (open.at(-1) ?? 0)) {
      html += "<ul>";
      open.push(level);
    } else {
      html += "</li>";
      while (level <= (open.at(-2) ?? 0)) {
        html += "</ul></li>";
        open.pop();
      }
      open[open.length - 1] = level;
    }
    html += `<li><a href="#${escaped(id)}">${escaped(text)}</a>`;
  }
  return html + "</li></ul>".repeat(open.length);
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}
