import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { type FrontMatter, readFrontMatter } from "@/lib/import/front-matter";
import { decodedText } from "@/lib/import/text";

export interface ArticleFile {
  format: "markdown" | "html";
  fields: FrontMatter;
  title: string;
  /** Without the front matter and a repeated title. Lines are numbered as in the file. */
  body: string;
  linesBefore: number;
}

export interface ReadFile {
  path: string;
  draft: string | undefined;
  title: string;
  fields: FrontMatter;
  contentHash: Buffer;
}

const TITLE_LENGTH = 300;

/**
 * The title comes from the front matter, else from the first level-one heading or a heading at the start, else from the file's
 * name. A heading that repeats the title is removed, because the page shows the title. An export keeps every heading. Throws
 * FileError with the line.
 */
export function readArticleFile(path: string, bytes: Buffer, isExport = false): ArticleFile {
  const { fields, body, linesBefore } = readFrontMatter(decodedText(bytes));
  const format = /\.html?$/i.test(path) ? "html" : "markdown";
  if (isExport && fields.title !== undefined) return { format, fields, title: fields.title, body, linesBefore };
  const heading = format === "html" ? htmlHeading(body) : markdownHeading(body);
  const documentTitle = format === "html" ? plain(firstElement(body, "title")?.html ?? "") : "";
  const title = fields.title ?? (cut(heading?.text ?? "") || cut(documentTitle) || titleOfName(path));
  const repeats = heading !== undefined && same(heading.text, title);
  return {
    format,
    fields,
    title,
    // Its line breaks stay, so that the lines below keep their numbers.
    body: repeats
      ? body.slice(0, heading.start) +
        body.slice(heading.start, heading.end).replace(/[^\n]+/g, "") +
        body.slice(heading.end)
      : body,
    linesBefore,
  };
}

interface FoundHeading {
  text: string;
  start: number;
  end: number;
}

const plain = (html: string) => contentFromHtml(html).text.replace(/\s+/g, " ").trim();
const cut = (title: string) =>
  [...title]
    .slice(0, TITLE_LENGTH / 2)
    .join("")
    .trim();
const same = (a: string, b: string) => a.toLowerCase() === b.replace(/\s+/g, " ").toLowerCase();

function htmlHeading(body: string): FoundHeading | undefined {
  const found = firstElement(body, "h1");
  return found && { ...found, text: plain(found.html) };
}

/** Scans forward only once, whatever the input. */
function firstElement(html: string, name: string): { html: string; start: number; end: number } | undefined {
  const start = html.search(new RegExp(`<${name}[\\s>]`, "i"));
  const open = start < 0 ? -1 : html.indexOf(">", start);
  if (open < 0) return undefined;
  const rest = html.slice(open + 1);
  const close = rest.search(new RegExp(`</${name}\\s*>`, "i"));
  if (close < 0) return undefined;
  return { html: rest.slice(0, close), start, end: html.indexOf(">", open + 1 + close) + 1 };
}

/** The first heading of level one outside code, or a heading of any level at the start. */
function markdownHeading(body: string): FoundHeading | undefined {
  let fence: string | undefined;
  let started = false;
  let previous: { line: string; start: number } | undefined;
  for (const { line, start } of linesOf(body)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      continue;
    }
    if (mark) fence = mark;
    const hashes = /^ {0,3}(#{1,6})(?=[ \t\r]|$)/.exec(line);
    if (hashes && (hashes[1] === "#" || !started)) return headingOf(line, start, start + line.length);
    const isUnderline = previous && /^ {0,3}=+[ \t]*\r?$/.test(line);
    if (isUnderline && previous) return headingOf(previous.line, previous.start, start + line.length);
    const isText = !/^\s*$|^ {0,3}<!--.*-->\s*$/.test(line);
    previous = isText && !mark && !hashes ? { line, start } : undefined;
    started ||= isText;
  }
  return undefined;
}

function headingOf(markdown: string, start: number, end: number): FoundHeading {
  return { text: contentFromMarkdown(markdown.trim()).text.replace(/\s+/g, " ").trim(), start, end };
}

function* linesOf(text: string): Generator<{ line: string; start: number }> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end;
    yield { line: text.slice(start, next), start };
    start = next + 1;
  }
}

/** `set-up_a-printer.md` becomes "Set up a printer". A name with spaces is used as it is. */
function titleOfName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const words = name.includes(" ") ? name : name.replace(/[-_]+/g, " ").trim();
  return cut(words.charAt(0).toUpperCase() + words.slice(1)) || "Untitled";
}
