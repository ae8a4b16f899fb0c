import type { Element, Root } from "hast";
import { isTag } from "@/lib/content/nodes";
import { MARKS } from "@/lib/content/schema";

const inline = new Set<string>([...MARKS, "img", "input"]);

/** From the weakest to the strongest. The strongest one between two pieces counts. */
const separators = ["", " ", "\t", "\n"];

/** The plain text of a clean tree: one line per block, tabs between cells, without images and videos. */
export function plainText(root: Root): string {
  const pieces: string[] = [];
  let pending = 0;
  const add = (value: string, isCode: boolean) => {
    const last = pieces.at(-1);
    const piece = !isCode && (pending > 0 || last === undefined) ? value.trimStart() : value;
    if (piece === "") return;
    if (pending > 0 && last !== undefined) pieces.splice(-1, 1, last.trimEnd(), separators[pending] as string);
    pieces.push(piece);
    pending = 0;
  };
  const write = (node: Root | Element, inCell: boolean) => {
    for (const child of node.children) {
      if (child.type === "text") add(child.value, isTag(node, "code"));
      else if (child.type === "element" && child.tagName !== "div") {
        const isCell = isTag(child, "td", "th");
        const edge = inline.has(child.tagName) ? 0 : isCell ? 2 : inCell ? 1 : 3;
        pending = Math.max(pending, edge);
        write(child, inCell || isCell);
        pending = Math.max(pending, edge);
      }
    }
  };
  write(root, false);
  return pieces.join("").trimEnd();
}

/** The beginning of a plain text, cut at the end of a word where there is one (contract 46). */
export function excerpt(text: string, characters = 300): string {
  const all = text.trim();
  if (all.length <= characters) return all;
  const head = all.slice(0, characters + 1);
  const end = /^[\s\S]*\S(?=\s)/.exec(head)?.[0];
  return end ?? head.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}
