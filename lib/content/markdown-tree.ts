import type { RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";

const parser = unified().use(remarkParse).use(remarkGfm).use(onlyWrittenAutolinks).freeze();

/**
 * The extension for bare addresses looks for them a second time in the finished text, where an escaped `www\.` can no
 * longer be told from a bare one.
 */
function onlyWrittenAutolinks(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions = data.fromMarkdownExtensions
    ?.flat()
    .map((extension) => ({ ...extension, transforms: [] }));
}

/** Characters parsed at a time. The parser's time grows with the square of what it is given at once. */
const WINDOW = 8192;

/** What one document may cost, in microseconds by the estimate below. A megabyte of prose takes half of it. */
const BUDGET = 4_000_000;

/** Quotes and lists inside one another on one line; the parser calls itself for each. */
const MAX_CONTAINERS = 32;
const MAX_INDENT = 100;

const container = String.raw`(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))`;
const tooManyContainers = new RegExp(`^(${container}{${MAX_CONTAINERS}})${container}+`, "gm");
const tooMuchIndent = new RegExp(`^([ \\t]{${MAX_INDENT}})[ \\t]+`, "gm");

/** Blocks of a document's top level, and the number of lines of the source before the line they count as the first. */
export interface Part {
  blocks: RootContent[];
  linesBefore: number;
}

/**
 * GitHub-flavoured Markdown as a syntax tree, in parts. Never throws, and ends in seconds for a megabyte of anything:
 * deeper quotes, lists and indents than anyone writes are cut, and what is left of a document that is nothing but
 * marks is kept as one block of code.
 */
export function markdownParts(markdown: string): Part[] {
  const source = markdown.replace(/\r\n?/g, "\n").replace(tooManyContainers, "$1 ").replace(tooMuchIndent, "$1");
  const labels = source.length > WINDOW ? definedLabels(source) : new Set<string>();
  const parts: Part[] = [];
  let [at, line, cost] = [0, 0, 0];
  for (let size = WINDOW; at < source.length; ) {
    const end = source.length - at <= size ? source.length : source.lastIndexOf("\n", at + size) + 1;
    // No line ends in this window, or no block does below: look at a longer one.
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
    // More lines may belong to the last block: then the next window begins with it.
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

/** Whether a window ends with an empty line and its last block is of a kind that ends there. */
function endsBeforeBlankLine(last: RootContent | undefined, window: string): boolean {
  return /\n\n$/.test(window) && /^(?:paragraph|heading|table|blockquote|thematicBreak)$/.test(last?.type ?? "");
}

function startOf(block: RootContent): number {
  return block.position?.start.offset ?? 0;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

/**
 * Microseconds that the parser takes for a text, roughly: a fixed time for each line and mark, and in a text that is
 * full of marks the square of them, for they make it look back. A mark that starts a block counts four times.
 */
function estimatedCost(text: string): number {
  const inline = text.match(/[*_~[\]!`@]|www\.|:\/\//g)?.length ?? 0;
  const starts = text.match(/^[ \t]*(?:[>#=+*[|-]|\d+[.)])/gm)?.length ?? 0;
  const marks = inline + 4 * starts;
  return 40 * (linesIn(text) + marks) + Math.max(0, marks - 2000) ** 2 / 100;
}

/** The labels of all link and footnote definitions; a reference is only one if its label is defined. */
function definedLabels(source: string): Set<string> {
  const definitions = source.matchAll(/^ {0,3}\[((?:[^[\]\\\n]|\\.){1,999})\]:/gm);
  return new Set(Array.from(definitions, ([, label]) => (label as string).toLowerCase()));
}

/** Empty definitions of the labels that a window refers to and another one may define. */
function stubsFor(window: string, labels: Set<string>): string {
  if (labels.size === 0) return "";
  const used = new Set(
    Array.from(window.matchAll(/\[([^[\]\n]{1,999})\]/g), ([, label]) => (label as string).toLowerCase()),
  );
  const stubs = [...used].filter((label) => labels.has(label)).map((label) => `[${label}]: #\n`);
  // The last one ends the footnote before it, which an indented window would otherwise continue.
  return stubs.length > 0 ? `${stubs.join("")}\n[lectern-stub]: #\n\n` : "";
}
