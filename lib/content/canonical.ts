import type { Element, ElementContent } from "hast";
import { videoAt } from "@/lib/content/embeds";
import { frameOf, frameTags, paragraph, video } from "@/lib/content/frames";
import { inlineContent, type Leaf, type Mark, withMark } from "@/lib/content/inline";
import { markName } from "@/lib/content/marks";
import { el } from "@/lib/content/nodes";
import {
  attribute,
  isElement,
  type SourceElement,
  type SourceNode,
  textOf,
  withoutControls,
} from "@/lib/content/parse";
import { IMAGE_ALIGNMENTS, safeAddress } from "@/lib/content/schema";
import type { Writer } from "@/lib/content/writer";

export interface Link {
  href: string;
  kind: "link" | "image";
}

export interface SourceLink extends Link {
  line?: number;
}

export interface WriteOptions {
  /** Returns the URL to use instead. It is checked afterward. */
  rewriteLink?: (link: SourceLink) => string;
  /** Called for every element that is dropped with its content. */
  onDropped?(tagName: string): void;
  /** The source line of an element, when the source is not HTML. */
  lineOf?(element: SourceElement): number | undefined;
}

const MAX_NESTING = 24;

/** Dropped with their content, which is not text to read. */
const dropped = new Set(
  `script style svg math template object embed applet noscript noembed noframes frame audio video canvas select textarea
  title datalist rp colgroup`.split(/\s+/),
);

/** These end a paragraph. Other unknown elements are inline. */
const blockTags = new Set([
  ...`p div section article main header footer nav center address hgroup aside fieldset form legend dl dt dd li tbody thead
  tfoot tr td th caption figcaption summary search dialog h1 h2 h3 h4 h5 h6 hr iframe`.split(/\s+/),
  ...frameTags,
]);

interface Flow {
  blocks: ElementContent[];
  leaves: Leaf[];
  inlineOnly: boolean;
  checkbox?: { checked?: boolean };
}

interface Shared extends WriteOptions {
  /** Links by source, because the parser reopens an unclosed link in every paragraph. */
  links: Map<SourceElement["attrs"], Mark | undefined>;
  /** The remaining budget for marks, because long URLs and nested marks around many blocks would multiply. */
  markBudget: number;
}

const MAX_ADDRESS = 8192;
const MAX_MARKS = 4_000_000;
const MARK_COST = 20;

/** Rewrites source nodes in the form that schema.ts describes. Leaves h1 and ids for headings.ts to settle. */
export function canonicalBlocks(nodes: readonly SourceNode[], options: WriteOptions): ElementContent[] {
  const shared: Shared = { ...options, links: new Map(), markBudget: MAX_MARKS };
  return new CanonicalWriter(shared, 0).blocks(nodes, []);
}

class CanonicalWriter implements Writer {
  constructor(
    private readonly shared: Shared,
    private readonly nesting: number,
  ) {}

  blocks(nodes: readonly SourceNode[], marks: readonly Mark[]): ElementContent[] {
    return this.item(nodes, marks, undefined).blocks;
  }

  item(nodes: readonly SourceNode[], marks: readonly Mark[], checkbox: Flow["checkbox"]) {
    const flow: Flow = { blocks: [], leaves: [], inlineOnly: false, checkbox };
    this.writeAll(nodes, marks, flow);
    boundary(flow);
    return { blocks: flow.blocks, checked: checkbox?.checked };
  }

  inline(nodes: readonly SourceNode[], marks: readonly Mark[]): ElementContent[] {
    const flow: Flow = { blocks: [], leaves: [], inlineOnly: true };
    this.writeAll(nodes, marks, flow);
    return inlineContent(flow.leaves);
  }

  private writeAll(nodes: readonly SourceNode[], marks: readonly Mark[], flow: Flow): void {
    for (const node of nodes) {
      if (isElement(node)) this.write(node, marks, flow);
      else if (node.nodeName === "#text") this.writeText((node as { value: string }).value, marks, flow);
    }
  }

  private write(element: SourceElement, marks: readonly Mark[], flow: Flow): void {
    const { tagName, childNodes } = element;
    if (dropped.has(tagName)) {
      this.shared.onDropped?.(tagName);
      return;
    }
    if (blockTags.has(tagName)) {
      boundary(flow);
      if (flow.inlineOnly) this.writeAll(childNodes, marks, flow);
      else this.writeBlock(element, marks, flow);
      boundary(flow);
    } else if (tagName === "br") {
      if (flow.inlineOnly) this.writeText(" ", [], flow);
      else flow.leaves.push({ kind: "break", element: el("br", {}, []), marks: [] });
    } else if (tagName === "img") this.writeImage(element, marks, flow);
    else if (tagName === "input") writeCheckbox(element, flow);
    else if (tagName === "a") this.writeLink(element, marks, flow);
    else {
      const name = markName(element);
      this.writeAll(childNodes, name ? withMark(marks, { name, properties: {}, key: name }) : marks, flow);
    }
  }

  private writeBlock(element: SourceElement, marks: readonly Mark[], flow: Flow): void {
    const { tagName, childNodes } = element;
    const frame = frameOf(element);
    if (frame && this.nesting < MAX_NESTING) {
      const inside = new CanonicalWriter(this.shared, this.nesting + 1);
      for (const block of frame(element, marks, inside)) flow.blocks.push(block);
    } else if (/^h\d$/.test(tagName)) flow.blocks.push(...this.heading(element, marks));
    else if (tagName === "hr") flow.blocks.push(el("hr", {}, []));
    else if (tagName === "iframe") flow.blocks.push(...this.embedded(element));
    else if (tagName === "div" && attribute(element, "class") === "video") this.writeVideo(element, marks, flow);
    else if (attribute(element, "data-footnotes") !== undefined) this.writeFootnotes(element, marks, flow);
    else {
      const strong: Mark = { name: "strong", properties: {}, key: "strong" };
      this.writeAll(childNodes, tagName === "dt" ? withMark(marks, strong) : marks, flow);
    }
  }

  private heading(element: SourceElement, marks: readonly Mark[]): Element[] {
    const children = this.inline(element.childNodes, marks);
    if (children.length === 0) return [];
    // Old documents use an anchor inside the heading as its id.
    const anchor = element.childNodes.filter(isElement).find(({ tagName }) => tagName === "a");
    const id = attribute(element, "id") ?? (anchor && (attribute(anchor, "id") ?? attribute(anchor, "name")));
    return [el(element.tagName, id ? { id } : {}, children)];
  }

  private writeText(text: string, marks: readonly Mark[], flow: Flow): void {
    flow.leaves.push({ kind: "text", text: withoutControls(text), marks: this.affordable(marks) });
  }

  private writeLink(element: SourceElement, marks: readonly Mark[], flow: Flow): void {
    const { attrs, childNodes } = element;
    if (attribute(element, "data-footnote-backref") !== undefined) return;
    // Brackets separate adjacent notes: [1][2].
    if (attribute(element, "data-footnote-ref") !== undefined) {
      return this.writeText(`[${textOf(childNodes)}]`, marks, flow);
    }
    const { links } = this.shared;
    const mark = links.has(attrs) ? links.get(attrs) : this.linkMark(element);
    links.set(attrs, mark);
    this.writeAll(childNodes, mark ? withMark(marks, mark) : marks, flow);
  }

  private linkMark(element: SourceElement): Mark | undefined {
    const href = this.address(element, "href", "link");
    if (!href) return undefined;
    const title = tidy(attribute(element, "title"));
    const properties = title ? { href, title } : { href };
    return { name: "a", properties, key: `a ${href} ${title}` };
  }

  private affordable(marks: readonly Mark[]): readonly Mark[] {
    for (const { key } of marks) this.shared.markBudget -= key.length + MARK_COST;
    return this.shared.markBudget < 0 ? [] : marks;
  }

  private writeImage(element: SourceElement, marks: readonly Mark[], flow: Flow): void {
    const src = this.address(element, "src", "image");
    if (!src) return this.writeText(tidy(attribute(element, "alt")), marks, flow);
    const title = tidy(attribute(element, "title"));
    const properties: Element["properties"] = { src, alt: tidy(attribute(element, "alt")) };
    if (title) properties.title = title;
    for (const side of ["width", "height"]) {
      const pixels = Number(attribute(element, side));
      if (Number.isInteger(pixels) && pixels > 0 && pixels < 100_000) properties[side] = pixels;
    }
    const alignment = alignmentOf(element);
    if (alignment) properties.className = [`align-${alignment}`];
    const image = el("img", properties, []);
    const link = this.affordable(marks.filter(({ name }) => name === "a"));
    flow.leaves.push({ kind: "image", element: image, marks: link });
  }

  private embedded(element: SourceElement): Element[] {
    const known = videoAt(attribute(element, "src") ?? "");
    if (known) return [video(known.page)];
    const href = this.address(element, "src", "link");
    if (!href) return [];
    const mark: Mark = { name: "a", properties: { href }, key: "" };
    const text = tidy(attribute(element, "title")) || href;
    return [paragraph(inlineContent([{ kind: "text", text, marks: [mark] }]))];
  }

  private writeVideo(element: SourceElement, marks: readonly Mark[], flow: Flow): void {
    const link = element.childNodes.filter(isElement).find(({ tagName }) => tagName === "a");
    const known = link && videoAt(attribute(link, "href") ?? "");
    if (known) flow.blocks.push(video(known.page));
    else this.writeAll(element.childNodes, marks, flow);
  }

  /** Footnotes as Markdown engines print them, without the hidden heading. */
  private writeFootnotes(element: SourceElement, marks: readonly Mark[], flow: Flow): void {
    flow.blocks.push(el("hr", {}, []));
    const notes = element.childNodes.filter((node) => !(isElement(node) && node.tagName === "h2"));
    this.writeAll(notes, marks, flow);
  }

  private address(element: SourceElement, name: "href" | "src", kind: Link["kind"]): string | undefined {
    const source = attribute(element, name)?.trim();
    if (!source) return undefined;
    const { rewriteLink } = this.shared;
    const address = rewriteLink ? rewriteLink({ href: source, kind, line: this.line(element) }) : source;
    return address.length > MAX_ADDRESS ? undefined : safeAddress(address, kind);
  }

  private line(element: SourceElement): number | undefined {
    return this.shared.lineOf ? this.shared.lineOf(element) : element.sourceCodeLocation?.startLine;
  }
}

/** Also reads the class names of WordPress. */
function alignmentOf(element: SourceElement): string | undefined {
  const classes = attribute(element, "class")?.toLowerCase().split(/\s+/) ?? [];
  return IMAGE_ALIGNMENTS.find((name) => classes.includes(`align-${name}`) || classes.includes(`align${name}`));
}

function writeCheckbox(element: SourceElement, flow: Flow): void {
  if (!flow.checkbox || flow.checkbox.checked !== undefined || flow.blocks.length > 0) return;
  if (attribute(element, "type")?.toLowerCase() !== "checkbox") return;
  const isFirst = flow.leaves.every((leaf) => leaf.kind === "text" && leaf.text.trim() === "");
  if (isFirst) flow.checkbox.checked = attribute(element, "checked") !== undefined;
}

function boundary(flow: Flow): void {
  if (flow.inlineOnly) {
    flow.leaves.push({ kind: "text", text: " ", marks: [] });
    return;
  }
  const children = inlineContent(flow.leaves);
  flow.leaves = [];
  if (children.length > 0) flow.blocks.push(paragraph(children));
}

function tidy(value: string | undefined): string {
  return withoutControls(value ?? "")
    .replace(/\s+/g, " ")
    .trim();
}
