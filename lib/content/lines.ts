import type { Element, ElementContent, Root } from "hast";
import { isTag, textIn } from "@/lib/content/nodes";
import { MARKS, type MarkName } from "@/lib/content/schema";

/** A stretch of a line that looks the same all along. */
export interface Stretch {
  text: string;
  /** Beside links, in one order. */
  marks: readonly MarkName[];
  /** Where it leads, with the link's title. */
  link: string | null;
}

/** A block of an article as two texts are compared by: a paragraph, an item, a line of code, a row of a table, an image. */
export interface TextLine {
  /** What is compared word by word. */
  text: string;
  /** Of two sorts no words are compared. */
  sort: "words" | "image" | "video" | "rule";
  /** What it is, in words: "Heading 2", "Item of a list in a quote". */
  is: string;
  /** All elements around it, exactly: where they are others, it looks otherwise, whatever `is` says. */
  around: readonly string[];
  /** How many of them are around the line before, too. */
  joined: number;
  stretches: readonly Stretch[];
  /** What else there is to it, each by its name: the address of an image, say. */
  details: Readonly<Record<string, string>>;
}

/** A clean tree line by line, with all that a reader sees of it: texts whose lines are equal look the same. */
export function linesOf(root: Root): TextLine[] {
  const writer = new Writer();
  writer.blocks(root.children as ElementContent[], []);
  return writer.lines;
}

/** Elements around a line, from the outermost: how each is written, and what it is called. */
interface Around {
  element: Element;
  written: string;
  name: string;
}

const inline = new Set<string>([...MARKS, "br", "img"]);
const isInline = (node: ElementContent): boolean =>
  node.type === "text" || (node.type === "element" && inline.has(node.tagName));

class Writer {
  readonly lines: TextLine[] = [];
  private before: readonly Around[] = [];

  blocks(nodes: readonly ElementContent[], around: readonly Around[]): void {
    const count = this.lines.length;
    let run: ElementContent[] = [];
    const flush = () => {
      if (run.length > 0) this.words(run, around);
      run = [];
    };
    for (const node of nodes) {
      // What stands between blocks is no text.
      if (node.type === "text" && run.length === 0 && node.value.trim() === "") continue;
      if (isInline(node)) run.push(node);
      else {
        flush();
        if (node.type === "element") this.block(node, around);
      }
    }
    flush();
    // An empty block is seen by the room that it takes.
    if (around.length > 0 && this.lines.length === count) this.put("words", "", around);
  }

  private block(element: Element, around: readonly Around[]): void {
    const { tagName, children, properties } = element;
    const inside = [...around, { element, written: writtenAs(element), name: nameOf(element) }];
    if (tagName === "input") return;
    if (tagName === "hr") this.put("rule", "———", inside);
    else if (tagName === "tr") this.row(element, inside);
    else if (tagName === "pre") this.code(element, inside);
    else if (tagName === "div") {
      const [link] = children;
      const address = isTag(link, "a") ? String(link.properties.href) : "";
      this.put("video", address, inside, { details: properties.title ? { Title: String(properties.title) } : {} });
    } else this.blocks(children, inside);
  }

  /** Text with marks; a break begins a line, and an image is one of its own. */
  private words(nodes: readonly ElementContent[], around: readonly Around[]): void {
    let stretches: Stretch[] = [];
    let isBroken = false;
    const flush = (isEnd: boolean) => {
      const line = trimmed(stretches);
      if (line.length > 0 || (isBroken && !isEnd)) {
        this.put("words", textOf(line), around, { stretches: line, isBroken });
      }
      stretches = [];
    };
    const walk = (node: ElementContent, marks: readonly MarkName[], link: string | null) => {
      if (node.type === "text") {
        if (node.value !== "") stretches.push({ text: node.value, marks, link });
        return;
      }
      if (node.type !== "element") return;
      const { tagName, properties, children } = node;
      if (tagName === "br") {
        flush(false);
        isBroken = true;
      } else if (tagName === "img") {
        flush(true);
        this.image(node, around, link);
      } else if (tagName === "a") {
        const { href = "", title } = properties;
        const leads = title ? `${String(href)} (“${String(title)}”)` : String(href);
        for (const child of children) walk(child, marks, leads);
      } else {
        const within = MARKS.filter((name) => name === tagName || marks.includes(name));
        for (const child of children) walk(child, within, link);
      }
    };
    for (const node of nodes) walk(node, [], null);
    flush(true);
  }

  private image({ properties }: Element, around: readonly Around[], link: string | null): void {
    const { src = "", alt, title, width, height } = properties as Record<string, string | number | undefined>;
    const details = {
      Address: String(src),
      ...(title && { Title: String(title) }),
      ...((width || height) && { Size: `${width ?? "any width"} × ${height ?? "any height"}` }),
      ...(link !== null && { Link: link }),
    };
    const file = decoded(
      String(src)
        .replace(/[?#].*$/, "")
        .replace(/^.*\//, ""),
    );
    // What was uploaded here has a number in place of a name.
    const named = /^[\da-f-]{36}$/i.test(file) ? "" : ` (${file})`;
    this.put("image", `${alt || "without a description"}${named}`, around, { details });
  }

  private code(element: Element, around: readonly Around[]): void {
    // A browser shows no line after the last line's end.
    const lines = textIn(element).replace(/\n$/, "").split("\n");
    for (const text of lines) this.put("words", text, around, { stretches: [{ text, marks: [], link: null }] });
  }

  /** A row is a line: its cells apart by tabs, and blocks within a cell by blanks. */
  private row(element: Element, around: readonly Around[]): void {
    const cells = new Writer();
    const stretches: Stretch[] = [];
    const layout: string[] = [];
    const images: TextLine[] = [];
    for (const cell of element.children) {
      if (cell.type !== "element") continue;
      if (layout.length > 0) stretches.push({ text: "\t", marks: [], link: null });
      layout.push(writtenAs(cell));
      cells.lines.length = 0;
      cells.blocks(cell.children, []);
      cells.lines.forEach((line, index) => {
        if (index > 0 && line.text !== "") stretches.push({ text: " ", marks: [], link: null });
        layout.push(`${line.around.join("")} ${line.joined} ${line.is}`);
        if (line.sort === "words") stretches.push(...line.stretches);
        else images.push(line);
      });
    }
    this.put("words", textOf(stretches), around, { stretches, details: { [LAYOUT]: layout.join(" ") } });
    for (const { sort, text, details } of images) this.put(sort, text, around, { details });
  }

  private put(
    sort: TextLine["sort"],
    text: string,
    around: readonly Around[],
    {
      stretches = [],
      details = {},
      isBroken = false,
    }: { stretches?: readonly Stretch[]; details?: Record<string, string>; isBroken?: boolean } = {},
  ): void {
    let joined = 0;
    while (joined < around.length && around[joined]?.element === this.before[joined]?.element) joined++;
    this.before = around;
    const is = isBroken ? "Line after a break" : calledAs(sort, around);
    const written = around.map((one) => one.written);
    const id = around.findLast(({ element }) => /^h\d$/.test(element.tagName))?.element.properties.id;
    const told = typeof id === "string" ? { ...details, [ANCHOR]: `#${id}` } : details;
    this.lines.push({ text, sort, is, around: written, joined, stretches, details: told });
  }
}

/** The name of a detail that is not for reading. */
export const LAYOUT = "Layout";
/** The name of what leads to a heading: it follows the words where nobody has chosen it. */
export const ANCHOR = "Address of the heading";

/** An element's tag with what readers see of its attributes. */
function writtenAs(element: Element): string {
  const { tagName, properties, children } = element;
  const box = isTag(element, "li") ? children.find((child) => isTag(child, "input")) : undefined;
  const code = isTag(element, "pre") ? children.find((child) => isTag(child, "code")) : undefined;
  const { id: _, ...own } = properties;
  const told = [own, ...[box, code].map((one) => (one?.type === "element" ? one.properties : {}))];
  return `<${tagName} ${JSON.stringify(told)}>`;
}

const classOf = ({ properties }: Element) => [properties.className ?? []].flat().join(" ");

/** What an element makes of a line, from "a quote" on; "" for what nobody speaks of. */
function nameOf(element: Element): string {
  const { tagName, properties, children } = element;
  switch (tagName) {
    case "blockquote":
      return "quote";
    case "aside":
      return `callout (${/callout-(\w+)/.exec(classOf(element))?.[1] ?? "note"})`;
    case "details":
      return "fold-out";
    case "summary":
      return "title";
    case "figcaption":
      return "caption";
    case "li": {
      const box = children.find((child) => isTag(child, "input"));
      if (!isTag(box, "input")) return "item";
      return box.properties.checked ? "done task" : "task";
    }
    case "ul":
      return "list";
    case "ol":
      return Number(properties.start ?? 1) === 1 ? "numbered list" : `numbered list from ${String(properties.start)}`;
    case "pre": {
      const [code] = children;
      const language = isTag(code, "code") ? classOf(code).replace(/^language-/, "") : "";
      return language ? `code (${language})` : "code";
    }
    case "tr":
      return "row";
    case "table":
      return "table";
    case "thead":
      return "head";
    default:
      return /^h[2-6]$/.test(tagName) ? `heading ${tagName.slice(1)}` : "";
  }
}

/** What a line is, from the inside to the outside: "Item of a list in a quote". */
function calledAs(sort: TextLine["sort"], around: readonly Around[]): string {
  const names = around.map(({ name }) => name).filter(Boolean);
  const own = { words: [], image: ["image"], video: ["video"], rule: ["line across"] }[sort];
  const [first = "paragraph", ...others] = [...names, ...own].reverse();
  const called = [first, ...others].join(" in a ");
  const of = called
    .replaceAll(/\b(item|task|row|head) in a /g, "$1 of a ")
    .replaceAll("title in a fold-out", "title of a fold-out")
    .replaceAll("row of a head", "head")
    .replaceAll(" a item", " an item");
  return of.charAt(0).toUpperCase() + of.slice(1);
}

/** Without blanks at the ends, which no reader sees. */
function trimmed(stretches: readonly Stretch[]): Stretch[] {
  const line = [...stretches];
  for (let first = line[0]; first; first = line[0]) {
    line[0] = { ...first, text: first.text.trimStart() };
    if (line[0].text !== "") break;
    line.shift();
  }
  for (let last = line.at(-1); last; last = line.at(-1)) {
    line.splice(-1, 1, { ...last, text: last.text.trimEnd() });
    if (line.at(-1)?.text !== "") break;
    line.pop();
  }
  return line;
}

const textOf = (stretches: readonly Stretch[]) => stretches.map(({ text }) => text).join("");

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
