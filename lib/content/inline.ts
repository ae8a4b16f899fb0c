import type { Element, ElementContent, Properties } from "hast";
import { el } from "@/lib/content/nodes";
import { MARKS, type MarkName } from "@/lib/content/schema";

export interface Mark {
  name: MarkName;
  properties: Properties;
  /** Adjacent marks with the same key are one mark. */
  key: string;
}

export type Leaf =
  | { kind: "text"; text: string; marks: readonly Mark[] }
  | { kind: "break"; element: Element; marks: readonly Mark[] }
  | { kind: "image"; element: Element; marks: readonly Mark[] };

/** Adds a mark. A link replaces an outer link, and nothing but a link may be inside code. */
export function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  if (mark.name === "a") return [...marks.filter(({ name }) => name !== "a"), mark];
  return marks.some(({ name }) => name === mark.name || name === "code") ? marks : [...marks, mark];
}

/** Collapses white space and joins adjacent equal marks. The same leaves always give the same elements. */
export function inlineContent(leaves: readonly Leaf[]): ElementContent[] {
  return nested(settled(trimmed(spaced(leaves))), []);
}

function isBlank(leaf: Leaf | undefined): boolean {
  return leaf !== undefined && (leaf.kind === "break" || (leaf.kind === "text" && leaf.text.trim() === ""));
}

/** Turns each run of white space into a leaf of its own, or removes it next to a break. */
function spaced(leaves: readonly Leaf[]): Leaf[] {
  const result: Leaf[] = [];
  let space = false;
  const add = (leaf: Leaf) => {
    const last = result.at(-1);
    if (space && last && last.kind !== "break") result.push({ kind: "text", text: " ", marks: [] });
    space = false;
    result.push(leaf);
  };
  for (const leaf of leaves) {
    if (leaf.kind === "break") {
      space = false;
      result.push(leaf);
    } else if (leaf.kind === "image") {
      add(leaf);
    } else {
      const text = leaf.text.replace(/[ \t\n\f\r]+/g, " ");
      const start = text.startsWith(" ") ? 1 : 0;
      const end = text.length > start && text.endsWith(" ") ? text.length - 1 : text.length;
      if (start === 1) space = true;
      if (end > start) add({ kind: "text", text: text.slice(start, end), marks: leaf.marks });
      if (end < text.length) space = true;
    }
  }
  return result;
}

/** Removes breaks and spaces at both ends. Other white space alone, as word processors leave it, counts as empty. */
function trimmed(leaves: Leaf[]): Leaf[] {
  if (leaves.every(isBlank)) return [];
  const isEdge = (leaf: Leaf | undefined) => leaf?.kind === "break" || (leaf?.kind === "text" && leaf.text === " ");
  let [from, to] = [0, leaves.length];
  while (isEdge(leaves[from])) from++;
  while (isEdge(leaves[to - 1])) to--;
  return leaves.slice(from, to);
}

/** Gives spaces and breaks only the marks that both neighbors share, because Markdown has no bold space. */
function settled(leaves: Leaf[]): Leaf[] {
  let before: readonly Mark[] = [];
  let index = 0;
  while (index < leaves.length) {
    let next = index;
    while (isBlank(leaves[next])) next++;
    const after = leaves[next]?.marks ?? [];
    const shared = before.filter(({ key }) => after.some((mark) => mark.key === key));
    for (; index < next; index++) {
      const leaf = leaves[index] as Leaf;
      leaves[index] = { ...leaf, marks: leaf.kind === "break" ? shared.filter(({ name }) => name !== "code") : shared };
    }
    before = after;
    index++;
  }
  return leaves;
}

/** The longest mark is the outermost. `open` has the keys of the marks around these leaves. */
function nested(leaves: readonly Leaf[], open: readonly string[]): ElementContent[] {
  const result: ElementContent[] = [];
  let index = 0;
  while (index < leaves.length) {
    const leaf = leaves[index] as Leaf;
    let longest: { mark: Mark; end: number } | undefined;
    for (const mark of leaf.marks) {
      if (open.includes(mark.key)) continue;
      let end = index + 1;
      while (continues(leaves[end], mark, leaf)) end++;
      const rank = longest ? MARKS.indexOf(mark.name) - MARKS.indexOf(longest.mark.name) : -1;
      if (!longest || end > longest.end || (end === longest.end && rank < 0)) longest = { mark, end };
    }
    const last = result.at(-1);
    if (longest) {
      const { mark, end } = longest;
      const children = nested(leaves.slice(index, end), [...open, mark.key]);
      result.push(el(mark.name, mark.properties, children));
      index = end;
    } else {
      if (leaf.kind !== "text") result.push(leaf.element);
      else if (last?.type === "text") last.value += leaf.text;
      else result.push({ type: "text", value: leaf.text });
      index++;
    }
  }
  return result;
}

/** Code ends where any other mark changes, so that it is always the innermost mark. */
function continues(next: Leaf | undefined, mark: Mark, leaf: Leaf): boolean {
  if (!next?.marks.some(({ key }) => key === mark.key)) return false;
  if (mark.name !== "code") return true;
  return (
    next.marks.length === leaf.marks.length && next.marks.every(({ key }) => leaf.marks.some((own) => own.key === key))
  );
}
