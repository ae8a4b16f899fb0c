import type { RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";

const parser = unified().use(remarkParse).use(remarkGfm).use(onlyWrittenAutolinks).freeze();

/** The autolink extension also searches the finished text, where it would link an escaped `www\.` too. */
function onlyWrittenAutolinks(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions = data.fromMarkdownExtensions
    ?.flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

/** Characters per parser run, because parsing takes quadratic time. */
const WINDOW = 8192;

/** Microseconds per document, by the estimate below. A megabyte of prose takes half of it. */
const BUDGET = 4_000_000;

const MAX_CONTAINERS = 32;
const MAX_INDENT = 100;

const container = String.raw`(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))`;
const tooManyContainers = new RegExp(`^(${container}{${MAX_CONTAINERS}})${container}+`, "gm");
const tooMuchIndent = new RegExp(`^([ \\t]{${MAX_INDENT}})[ \\t]+`, "gm");

/** Top-level blocks, and the number of source lines before their line 1. */
export interface Part {
  blocks: RootContent[];
  linesBefore: number;
}

/**
 * Parses GitHub-flavored Markdown in parts. Never throws, and takes only seconds for a megabyte of any input: extreme
 * nesting is cut, and when the budget is used up, the rest becomes one code block.
 */
export function markdownParts(markdown: string): Part[] {
  const source = markdown.replace(/\r\n?/g, "\n").replace(tooManyContainers, "$1 ").replace(tooMuchIndent, "$1");
  const labels = source.length > WINDOW ? definedLabels(source) : new Set<string>();
  const parts: Part[] = [];
  let [at, line, cost] = [0, 0, 0];
  for (let size = WINDOW; at < source.length; ) {
    const end = source.length - at <= size ? source.length : source.lastIndexOf("\n", at + size) + 1;
    if (end <= at) {
      size = Math.max(size * 2, source.indexOf("\n", at) + 1 - at);
      continue;
    }
    const window = source.slice(at, end);
    cost += estimatedCost(window);
    if (cost > BUDGET) {
      parts.push({ blocks: [{ type: "code", value: source.slice(at) }], linesBefore: line });
      break;
    }
    const stubs = stubsFor(window, labels);
    const blocks = parser.parse(stubs + window).children.filter((block) => startOf(block) >= stubs.length);
    const linesBefore = line - linesIn(stubs);
    if (end === source.length) {
      parts.push({ blocks, linesBefore });
      break;
    }
    // The last block may continue, so the next window begins with it.
    const last = endsBeforeBlankLine(blocks.at(-1), window) ? undefined : blocks.pop();
    const next = last ? window.lastIndexOf("\n", startOf(last) - stubs.length) + 1 : window.length;
    if (next === 0) {
      size *= 2;
      continue;
    }
    parts.push({ blocks, linesBefore });
    line += linesIn(window.slice(0, next));
    at += next;
    size = WINDOW;
  }
  return parts;
}

function endsBeforeBlankLine(last: RootContent | undefined, window: string): boolean {
  return /\n\n$/.test(window) && /^(?:paragraph|heading|table|blockquote|thematicBreak)$/.test(last?.type ?? "");
}

function startOf(block: RootContent): number {
  return block.position?.start.offset ?? 0;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/** Estimates parsing in microseconds: linear in lines and marks, and quadratic in many marks and in raw HTML that does not end. */
function estimatedCost(text: string): number {
  const inline = text.match(/[*_~[\]!`@]|www\.|:\/\//g)?.length ?? 0;
  const starts = text.match(/^[ \t]*(?:[>#=+*[|-]|\d+[.)])/gm)?.length ?? 0;
  const marks = inline + 4 * starts;
  const unended = text.match(/<(?:[?!]|[a-z/](?![^<>\n]*>))/gi)?.length ?? 0;
  return 40 * (linesIn(text) + marks) + Math.max(0, marks - 2000) ** 2 / 100 + (unended * text.length) / 100;
}

function definedLabels(source: string): Set<string> {
  const definitions = source.matchAll(/^ {0,3}\[((?:[^[\]\\\n]|\\.){1,999})\]:/gm);
  return new Set(Array.from(definitions, ([, label]) => (label as string).toLowerCase()));
}

/** Empty definitions for labels that another window may define, because only defined labels make references. */
function stubsFor(window: string, labels: Set<string>): string {
  if (labels.size === 0) return "";
  const used = new Set(
    Array.from(window.matchAll(/\[([^[\]\n]{1,999})\]/g), ([, label]) => (label as string).toLowerCase()),
  );
  const stubs = [...used].filter((label) => labels.has(label)).map((label) => `[${label}]: #\n`);
  // The last line ends a footnote, which an indented window would otherwise continue.
  return stubs.length > 0 ? `${stubs.join("")}\n[lectern-stub]: #\n\n` : "";
}
