import type { Element, ElementContent, Root } from "hast";
import { isTag, textIn } from "@/lib/content/nodes";
import { MARKS, type MarkName } from "@/lib/content/schema";

export interface Stretch {
  text: string;
  /** Without links, in the order of MARKS. */
  marks: readonly MarkName[];
  link: string | null;
}

/** A unit of comparison: a paragraph, a list item, a line of code, a table row, an image. */
export interface TextLine {
  text: string;
  sort: "words" | "image" | "video" | "rule";
  /** Such as "Heading 2", "List item in a quote". */
  label: string;
  /** The exact start tags of all ancestors. */
  around: readonly string[];
  /** How many of the ancestors are shared with the previous line. */
  joined: number;
  stretches: readonly Stretch[];
  details: Readonly<Record<string, string>>;
}

/** A clean tree line by line. Texts with equal lines look the same to readers. */
export function linesOf(root: Root): TextLine[] {
  const writer = new LineWriter();
  writer.blocks(root.children as ElementContent[], []);
  return writer.lines;
}

interface Ancestor {
  element: Element;
  startTag: string;
  name: string;
}

const inline = new Set<string>([...MARKS, "br", "img"]);
const isInline = (node: ElementContent): boolean =>
  node.type === "text" || (node.type === "element" && inline.has(node.tagName));

class LineWriter {
  readonly lines: TextLine[] = [];
  private before: readonly Ancestor[] = [];

  blocks(nodes: readonly ElementContent[], around: readonly Ancestor[]): void {
    const count = this.lines.length;
    let run: ElementContent[] = [];
    const flush = () => {
      if (run.length > 0) this.words(run, around);
      run = [];
    };
    for (const node of nodes) {
      if (node.type === "text" && run.length === 0 && node.value.trim() === "") continue;
      if (isInline(node)) run.push(node);
      else {
        flush();
        if (node.type === "element") this.block(node, around);
      }
    }
    flush();
    // Readers see an empty block by the space it takes.
    if (around.length > 0 && this.lines.length === count) this.put("words", "", around);
  }

  private block(element: Element, around: readonly Ancestor[]): void {
    const { tagName, children, properties } = element;
    const inside = [...around, { element, startTag: startTagOf(element), name: nameOf(element) }];
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

  private words(nodes: readonly ElementContent[], around: readonly Ancestor[]): void {
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
        const target = title ? `${String(href)} (“${String(title)}”)` : String(href);
        for (const child of children) walk(child, marks, target);
      } else {
        const within = MARKS.filter((name) => name === tagName || marks.includes(name));
        for (const child of children) walk(child, within, link);
      }
    };
    for (const node of nodes) walk(node, [], null);
    flush(true);
  }

  private image({ properties }: Element, around: readonly Ancestor[], link: string | null): void {
    const {
      src = "",
      alt,
      title,
      width,
      height,
      className = "",
    } = properties as Record<string, string | number | undefined>;
    const details = {
      URL: String(src),
      ...(title && { Title: String(title) }),
      ...((width || height) && { Size: `${width ?? "any width"} × ${height ?? "any height"}` }),
      ...(className !== "" && { Alignment: String(className).replace("align-", "") }),
      ...(link !== null && { Link: link }),
    };
    const file = decoded(
      String(src)
        .replace(/[?#].*$/, "")
        .replace(/^.*\//, ""),
    );
    // Uploads have an id in place of a name.
    const named = /^[\da-f-]{36}$/i.test(file) ? "" : ` (${file})`;
    this.put("image", `${alt || "no alt text"}${named}`, around, { details });
  }

  private code(element: Element, around: readonly Ancestor[]): void {
    // Browsers do not show a final line break.
    const lines = textIn(element).replace(/\n$/, "").split("\n");
    for (const text of lines) this.put("words", text, around, { stretches: [{ text, marks: [], link: null }] });
  }

  /** A row is one line. Tabs separate cells, spaces separate blocks in a cell. */
  private row(element: Element, around: readonly Ancestor[]): void {
    const cells = new LineWriter();
    const stretches: Stretch[] = [];
    const layout: string[] = [];
    const images: TextLine[] = [];
    for (const cell of element.children) {
      if (cell.type !== "element") continue;
      if (layout.length > 0) stretches.push({ text: "\t", marks: [], link: null });
      layout.push(startTagOf(cell));
      cells.lines.length = 0;
      cells.blocks(cell.children, []);
      cells.lines.forEach((line, index) => {
        if (index > 0 && line.text !== "") stretches.push({ text: " ", marks: [], link: null });
        layout.push(`${line.around.join("")} ${line.joined} ${line.label}`);
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
    around: readonly Ancestor[],
    {
      stretches = [],
      details = {},
      isBroken = false,
    }: { stretches?: readonly Stretch[]; details?: Record<string, string>; isBroken?: boolean } = {},
  ): void {
    let joined = 0;
    while (joined < around.length && around[joined]?.element === this.before[joined]?.element) joined++;
    this.before = around;
    const label = isBroken ? "Line after a line break" : labelOf(sort, around);
    const startTags = around.map(({ startTag }) => startTag);
    const id = around.findLast(({ element }) => /^h\d$/.test(element.tagName))?.element.properties.id;
    const allDetails = typeof id === "string" ? { ...details, [ANCHOR]: `#${id}` } : details;
    this.lines.push({ text, sort, label, around: startTags, joined, stretches, details: allDetails });
  }
}

export const LAYOUT = "Layout";
/** The name of a heading's id, which usually follows its words. */
export const ANCHOR = "Heading anchor";

/** An element's tag with the attributes that change what readers see. */
function startTagOf(element: Element): string {
  const { tagName, properties, children } = element;
  const box = isTag(element, "li") ? children.find((child) => isTag(child, "input")) : undefined;
  const code = isTag(element, "pre") ? children.find((child) => isTag(child, "code")) : undefined;
  const { id: _, ...own } = properties;
  const attributes = [own, ...[box, code].map((one) => (one?.type === "element" ? one.properties : {}))];
  return `<${tagName} ${JSON.stringify(attributes)}>`;
}

const classOf = ({ properties }: Element) => [properties.className ?? []].flat().join(" ");

function nameOf(element: Element): string {
  const { tagName, properties, children } = element;
  switch (tagName) {
    case "blockquote":
      return "quote";
    case "aside":
      return `callout (${/callout-(\w+)/.exec(classOf(element))?.[1] ?? "note"})`;
    case "details":
      return "collapsible section";
    case "summary":
      return "title";
    case "figcaption":
      return "caption";
    case "li": {
      const box = children.find((child) => isTag(child, "input"));
      if (!isTag(box, "input")) return "item";
      return box.properties.checked ? "completed task" : "task";
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

function labelOf(sort: TextLine["sort"], around: readonly Ancestor[]): string {
  const names = around.map(({ name }) => name).filter(Boolean);
  const own = { words: [], image: ["image"], video: ["video"], rule: ["divider"] }[sort];
  const [first = "paragraph", ...others] = [...names, ...own].reverse();
  const label = [first, ...others]
    .join(" in a ")
    .replaceAll("row in a head in a table", "table header")
    .replaceAll("row in a table", "table row")
    .replaceAll("task in a list", "task")
    .replaceAll(/\bitem in a ((?:numbered )?list)/g, "$1 item")
    .replaceAll("title in a collapsible section", "title of a collapsible section");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

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
