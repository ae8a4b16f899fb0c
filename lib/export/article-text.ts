import { stringify } from "yaml";
import { type ArticleText, textFieldList } from "@/lib/articles/article-text";
import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { markdownFromHtml } from "@/lib/content/to-markdown";
import { FILES_FOLDER } from "@/lib/export/format";

export interface ExportedText extends ArticleText {
  tags: string[];
  related: string[];
  attachments: string[];
}

/** The path of an upload in the zip, or undefined when it is missing. */
export type FileOf = (uploadId: string) => string | undefined;

const UPLOAD = /^(?:https?:\/\/[^/?#]+)?\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?[^#]*)?(#.*)?$/i;

/** Clean HTML in which links to uploads are relative paths. */
export function portableHtml(html: string, folder: string, fileOf: FileOf): string {
  return contentFromHtml(html, {
    rewriteLink({ href }) {
      const [, id = "", fragment = ""] = UPLOAD.exec(href) ?? [];
      const path = fileOf(id.toLowerCase());
      return path === undefined ? href : `${addressFrom(folder, path)}${fragment}`;
    },
  }).html;
}

/** Markdown where that gives exactly the same HTML again, else HTML. */
export function bodyFile(html: string, folder: string, fileOf: FileOf): { extension: "md" | "html"; body: string } {
  const clean = portableHtml(html, folder, fileOf);
  const markdown = markdownFromHtml(clean);
  return contentFromMarkdown(markdown).html === clean
    ? { extension: "md", body: ended(markdown) }
    : { extension: "html", body: ended(clean) };
}

const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function addressFrom(folder: string, path: string): string {
  const up = folder === "" ? "" : "../".repeat(folder.split("/").length);
  return up + path.split("/").map(encodeURIComponent).join("/");
}

export function textFields(text: ExportedText, folder: string, fileOf: FileOf): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, { inFile, empty, hasLines }] of textFieldList) {
    const value = text[name];
    if (inFile === undefined || name === "title" || value === empty) continue;
    if (typeof value === "string") fields[inFile] = hasLines ? cleanLines(value) : cleanLine(value);
    else fields[inFile] = Array.isArray(value) ? some(value.map(cleanLine)) : value;
  }
  return {
    tags: some(text.tags.map(cleanLine)),
    ...fields,
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

export function withFrontMatter(fields: Record<string, unknown>, body: string): string {
  return `---\n${yamlOf(fields)}---\n\n${body}`;
}

export function yamlOf(fields: Record<string, unknown>): string {
  const present = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
  return stringify(present, { lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: 100_000 });
}

/** The path depends on the content, so the same workspace always gives the same zip. */
export function filePath(upload: { sha256: string; filename: string }): string {
  return `${FILES_FOLDER}/${upload.sha256.slice(0, 16)}/${upload.filename.normalize("NFC")}`;
}
