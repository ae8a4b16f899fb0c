import { stringify } from "yaml";
import { FILES_FOLDER } from "@/lib/archive";
import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { markdownFromHtml } from "@/lib/content/to-markdown";

/** A text of an article, live or draft, as the archive has it. */
export interface ExportedText {
  title: string;
  html: string;
  keywords: string[];
  tags: string[];
  pageTitle: string | null;
  metaDescription: string | null;
  showTableOfContents: boolean;
  /** Slugs, in order. */
  related: string[];
  /** Ids of uploads, in order. */
  attachments: string[];
}

/** What an upload is in the archive; undefined for one that is not there. */
export type FileOf = (uploadId: string) => string | undefined;

const UPLOAD = /^(?:https?:\/\/[^/?#]+)?\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?[^#]*)?(#.*)?$/i;

/**
 * A body as a file: Markdown where that gives the same HTML again, letter by letter, else HTML. Addresses of uploads
 * become those of the archive's files.
 * @param folder of the file, without a slash at its end
 */
export function bodyFile(html: string, folder: string, fileOf: FileOf): { extension: "md" | "html"; body: string } {
  const clean = contentFromHtml(html, {
    rewriteLink({ href }) {
      const [, id = "", fragment = ""] = UPLOAD.exec(href) ?? [];
      const path = fileOf(id.toLowerCase());
      return path === undefined ? href : `${addressFrom(folder, path)}${fragment}`;
    },
  }).html;
  const markdown = markdownFromHtml(clean);
  return contentFromMarkdown(markdown).html === clean
    ? { extension: "md", body: ended(markdown) }
    : { extension: "html", body: ended(clean) };
}

const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** How an address in a file names another file of the archive. */
function addressFrom(folder: string, path: string): string {
  const up = folder === "" ? "" : "../".repeat(folder.split("/").length);
  return up + path.split("/").map(encodeURIComponent).join("/");
}

/** The front matter's fields of a text; what says nothing is left out. */
export function textFields(text: ExportedText, folder: string, fileOf: FileOf): Record<string, unknown> {
  return {
    tags: some(text.tags.map(cleanLine)),
    keywords: some(text.keywords.map(cleanLine)),
    page_title: text.pageTitle === null ? undefined : cleanLine(text.pageTitle),
    description: text.metaDescription === null ? undefined : cleanLines(text.metaDescription),
    show_table_of_contents: text.showTableOfContents ? undefined : false,
    related: some(text.related),
    attachments: some(text.attachments.flatMap((id) => fileOf(id) ?? []).map((path) => addressFrom(folder, path))),
  };
}

const some = (items: string[]) => {
  const unique = [...new Set(items)].filter((item) => item !== "");
  return unique.length > 0 ? unique : undefined;
};

/** As an import cleans it, so that another export says the same. */
export function cleanLine(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .normalize("NFC");
}

/** As cleanLine, with its line breaks. */
export function cleanLines(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n]+/gu, " ")
    .trim()
    .normalize("NFC");
}

/** A file with front matter. */
export function withFrontMatter(fields: Record<string, unknown>, body: string): string {
  return `---\n${yamlOf(fields)}---\n\n${body}`;
}

/** Fields as YAML, a line each where they are no lists. */
export function yamlOf(fields: Record<string, unknown>): string {
  const present = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
  return stringify(present, { lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: 100_000 });
}

/** Where an upload's bytes are in the archive: by what they are, so that the same workspace always says the same. */
export function filePath(upload: { sha256: string; filename: string }): string {
  return `${FILES_FOLDER}/${upload.sha256.slice(0, 16)}/${upload.filename.normalize("NFC")}`;
}
