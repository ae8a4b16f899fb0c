import type { Element, ElementContent } from "hast";
import { videoAt } from "@/lib/content/embeds";
import type { Mark } from "@/lib/content/inline";
import { el, isTag, textIn } from "@/lib/content/nodes";
import { attribute, isElement, type SourceElement, textOf, withoutControls } from "@/lib/content/parse";
import { CALLOUT_KINDS, type CalloutKind } from "@/lib/content/schema";
import { table } from "@/lib/content/tables";
import type { Writer } from "@/lib/content/writer";

type Frame = (element: SourceElement, marks: readonly Mark[], writer: Writer) => ElementContent[];

const frames = new Map<string, Frame>([
  ...["ul", "ol", "menu", "dir"].map((tag): [string, Frame] => [tag, list]),
  ...["pre", "listing", "xmp", "plaintext"].map((tag): [string, Frame] => [tag, pre]),
  ["blockquote", blockquote],
  ["details", details],
  ["figure", figure],
  ["table", table],
]);

export const frameTags: readonly string[] = [...frames.keys()];

export function frameOf(element: SourceElement): Frame | undefined {
  return calloutKind(element) ? callout : frames.get(element.tagName);
}

const calloutNames = new Map<string, CalloutKind>([
  ...CALLOUT_KINDS.map((kind): [string, CalloutKind] => [kind, kind]),
  ["info", "note"],
  ["hint", "tip"],
  ["attention", "warning"],
  ["danger", "caution"],
]);

function calloutKind(element: SourceElement): CalloutKind | undefined {
  if (!["aside", "div", "section", "blockquote"].includes(element.tagName)) return undefined;
  const classes = attribute(element, "class")?.toLowerCase().split(/\s+/) ?? [];
  if (!classes.some((name) => /^(?:callout|admonition|theme-admonition|markdown-alert|alert|panel)\b/.test(name)))
    return undefined;
  const kind = classes.map((name) => name.slice(name.lastIndexOf("-") + 1)).find((name) => calloutNames.has(name));
  return calloutNames.get(kind ?? "");
}

/** A paragraph, or a video if the paragraph is only a video's URL. */
export function paragraph(children: ElementContent[]): Element {
  const [only] = children;
  if (children.length === 1 && isTag(only, "a")) {
    const href = String(only.properties.href);
    const known = textIn(only) === href ? videoAt(href) : undefined;
    if (known) return video(known.page);
  }
  return el("p", {}, children);
}

/** A link to the video's page. The reader page turns it into the player on a click. */
export function video(page: string): Element {
  return el("div", { className: ["video"] }, [el("a", { href: page }, [{ type: "text", value: page }])]);
}

function list(element: SourceElement, marks: readonly Mark[], writer: Writer): ElementContent[] {
  const items: { blocks: ElementContent[]; checked?: boolean }[] = [];
  for (const child of element.childNodes) {
    const last = items.at(-1);
    if (isElement(child) && child.tagName === "li") {
      const state = attribute(child, "data-checked");
      items.push(writer.item(child.childNodes, marks, state === undefined ? {} : { checked: state === "true" }));
    } else if (last && isElement(child) && ["ul", "ol"].includes(child.tagName)) {
      for (const block of writer.blocks([child], marks)) last.blocks.push(block);
    } else {
      const blocks = writer.blocks([child], marks);
      if (blocks.length > 0) items.push({ blocks });
    }
  }
  if (items.length === 0) return [];
  if (items.some(({ checked }) => checked !== undefined)) {
    const tasks = items.filter(({ blocks }) => blocks.length > 0).map(({ blocks, checked }) => task(blocks, checked));
    return tasks.length > 0 ? [el("ul", { className: ["contains-task-list"] }, tasks)] : [];
  }
  const start = Number.parseInt(attribute(element, "start") ?? "1", 10);
  const isCounted = element.tagName === "ol" && start >= 0 && start < 1e9 && start !== 1;
  return [
    el(
      element.tagName === "ol" ? "ol" : "ul",
      isCounted ? { start } : {},
      items.map(({ blocks }) => el("li", {}, tight(blocks))),
    ),
  ];
}

const space: ElementContent = { type: "text", value: " " };

function task(blocks: ElementContent[], checked = false): Element {
  const box = el("input", { type: "checkbox", ...(checked && { checked }), disabled: true }, []);
  const content = tight(blocks);
  const isInline = content[0] !== blocks[0];
  return el("li", { className: ["task-list-item"] }, [box, ...(isInline ? [space] : []), ...content]);
}

function tight(blocks: ElementContent[]): ElementContent[] {
  const [first, ...rest] = blocks;
  return isTag(first, "p") && rest.every((block) => isTag(block, "ul", "ol")) ? [...first.children, ...rest] : blocks;
}

function blockquote(element: SourceElement, marks: readonly Mark[], writer: Writer): ElementContent[] {
  const blocks = writer.blocks(element.childNodes, marks);
  const named = quotedCallout(blocks);
  if (named) return calloutOf(named.kind, named.blocks);
  return blocks.length > 0 ? [el("blockquote", {}, blocks)] : [];
}

/** A quote that begins with [!NOTE], or with a line of only **NOTE**, is a callout. */
function quotedCallout(blocks: ElementContent[]): { kind: CalloutKind; blocks: ElementContent[] } | undefined {
  const [first, ...others] = blocks;
  if (!isTag(first, "p")) return undefined;
  const [head, ...tail] = first.children;
  const marker = head?.type === "text" ? /^\[!(\w+)\] ?/.exec(head.value) : null;
  const isBold = isTag(head, "strong") && (tail.length === 0 || isTag(tail[0], "br"));
  const name = marker?.[1] ?? (isBold ? textIn(head).replace(/:$/, "") : "");
  const kind = calloutNames.get(name.toLowerCase());
  if (!kind) return undefined;
  const text = head?.type === "text" ? head.value.slice(marker?.[0].length) : "";
  if (text !== "") tail.unshift({ type: "text", value: text });
  while (isTag(tail[0], "br")) tail.shift();
  const rest = tail.some(isVisible) ? [paragraph(tail), ...others] : others;
  return rest.length > 0 ? { kind, blocks: rest } : undefined;
}

function isVisible(node: ElementContent): boolean {
  if (node.type === "element") return node.tagName === "img" || node.children.some(isVisible);
  return textIn(node).trim() !== "";
}

function callout(element: SourceElement, marks: readonly Mark[], writer: Writer): ElementContent[] {
  // Other tools add a title that only repeats the kind.
  const content = element.childNodes.filter((node) => {
    if (!isElement(node) || !/title|heading/.test(attribute(node, "class") ?? "")) return true;
    return !calloutNames.has(textOf(node.childNodes).trim().toLowerCase());
  });
  return calloutOf(calloutKind(element) as CalloutKind, writer.blocks(content, marks));
}

function calloutOf(kind: CalloutKind, blocks: ElementContent[]): ElementContent[] {
  return blocks.length > 0 ? [el("aside", { className: ["callout", `callout-${kind}`] }, blocks)] : [];
}

function details(element: SourceElement, marks: readonly Mark[], writer: Writer): ElementContent[] {
  const summary = element.childNodes.find((node) => isElement(node) && node.tagName === "summary");
  const label = summary && isElement(summary) ? writer.inline(summary.childNodes, marks) : [];
  const blocks = writer.blocks(
    element.childNodes.filter((node) => node !== summary),
    marks,
  );
  // Browsers show this word when there is no label.
  if (label.length === 0) label.push({ type: "text", value: "Details" });
  return blocks.length > 0 ? [el("details", {}, [el("summary", {}, label), ...blocks])] : [paragraph(label)];
}

function pre(element: SourceElement): ElementContent[] {
  const text = withoutControls(textOf(element.childNodes))
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  if (text === "") return [];
  const code = element.childNodes.find((node) => isElement(node) && node.tagName === "code");
  const classes = [element, code as SourceElement | undefined].map((node) => (node && attribute(node, "class")) ?? "");
  const language = /(?:^|\s)lang(?:uage)?-([\w#+.-]{1,40})(?:\s|$)/.exec(classes.join(" "))?.[1]?.toLowerCase();
  const properties = language ? { className: [`language-${language}`] } : {};
  return [el("pre", {}, [el("code", properties, [{ type: "text", value: text }])])];
}

function figure(element: SourceElement, marks: readonly Mark[], writer: Writer): ElementContent[] {
  const caption = element.childNodes.find((node) => isElement(node) && node.tagName === "figcaption");
  const label = caption && isElement(caption) ? writer.inline(caption.childNodes, marks) : [];
  const blocks = writer.blocks(
    element.childNodes.filter((node) => node !== caption),
    marks,
  );
  const content = blocks.length === 1 ? captionable(blocks[0]) : undefined;
  if (content && label.length > 0) return [el("figure", {}, [content, el("figcaption", {}, label)])];
  return label.length > 0 ? [...blocks, paragraph(label)] : blocks;
}

/** A caption may belong to a table, code, a video, or the only image of a paragraph, linked or not. */
function captionable(block: ElementContent | undefined): Element | undefined {
  if (block?.type !== "element") return undefined;
  if (["table", "pre", "div"].includes(block.tagName)) return block;
  if (block.tagName !== "p" || block.children.length !== 1) return undefined;
  const [only] = block.children;
  if (only?.type !== "element") return undefined;
  if (only.tagName === "img") return only;
  return only.tagName === "a" && only.children.length === 1 && isTag(only.children[0], "img") ? only : undefined;
}
