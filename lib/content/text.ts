import type { Element, Root } from "hast";
import { isTag } from "@/lib/content/nodes";
import { MARKS } from "@/lib/content/schema";

const inline = new Set<string>([...MARKS, "img", "input"]);

/** What may stand between two pieces of text, the weaker first; of several the strongest counts. */
const separators = ["", " ", "\t", "\n"];

/**
 * What a reader reads in a clean tree, for search and for the API: each block on lines of its own, the cells of a row
 * apart by tabs, code as it stands. Images' alternative texts and videos' addresses are left out.
 */
export function plainText(root: Root): string {
  const pieces: string[] = [];
  let owed = 0;
  const add = (value: string, isCode: boolean) => {
    // At an edge there is a space only beside what has no text: a box, an image.
    const last = pieces.at(-1);
    const piece = !isCode && (owed > 0 || last === undefined) ? value.trimStart() : value;
    if (piece === "") return;
    if (owed > 0 && last !== undefined) pieces.splice(-1, 1, last.trimEnd(), separators[owed] as string);
    pieces.push(piece);
    owed = 0;
  };
  const write = (node: Root | Element, inCell: boolean) => {
    for (const child of node.children) {
      if (child.type === "text") add(child.value, isTag(node, "code"));
      else if (child.type === "element" && child.tagName !== "div") {
        const isCell = isTag(child, "td", "th");
        const edge = inline.has(child.tagName) ? 0 : isCell ? 2 : inCell ? 1 : 3;
        owed = Math.max(owed, edge);
        write(child, inCell || isCell);
        owed = Math.max(owed, edge);
      }
    }
  };
  write(root, false);
  return pieces.join("").trimEnd();
}

/**
 * The first characters of a plain text, cut at a whole word (contract 46): at most `characters` of them, without the
 * white space around. A text without a word's end in reach, as in Chinese, is cut anywhere but inside a character.
 */
export function excerpt(text: string, characters = 300): string {
  const all = text.trim();
  if (all.length <= characters) return all;
  const head = all.slice(0, characters + 1);
  const end = /^[\s\S]*\S(?=\s)/.exec(head)?.[0];
  return end ?? head.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}
