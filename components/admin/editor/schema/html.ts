import { getSchema } from "@tiptap/core";
import { DOMSerializer, DOMParser as DocumentReader, type Node } from "@tiptap/pm/model";
import { frameExtensions } from "./frames";
import { listExtensions } from "./lists";
import { markExtensions } from "./marks";
import { mediaExtensions } from "./media";
import { tableExtensions } from "./tables";
import { textExtensions } from "./text";

/** The content of an article. It must match the table in lib/content/schema.ts, and html.test.ts compares the two. */
export const articleExtensions = [
  ...textExtensions,
  ...markExtensions,
  ...frameExtensions,
  ...listExtensions,
  ...tableExtensions,
  ...mediaExtensions,
];

export const articleSchema = getSchema(articleExtensions);

const reader = DocumentReader.fromSchema(articleSchema);
const serializer = DOMSerializer.fromSchema(articleSchema);

/** A document that loads and runs nothing. Shared, because creating one costs as much as a long article. */
let inert: Document | undefined;

/** Parses an article's clean HTML into an editor document. */
export function documentOf(html: string): Node {
  inert ??= new DOMParser().parseFromString("<!doctype html>", "text/html");
  inert.body.innerHTML = html;
  const read = reader.parse(inert.body);
  inert.body.replaceChildren();
  return read;
}

/** Writes the document as HTML. Cleaning only normalizes it (lib/content/schema.ts) and removes nothing. */
export function htmlOf(document: Node): string {
  inert ??= new DOMParser().parseFromString("<!doctype html>", "text/html");
  inert.body.replaceChildren(serializer.serializeFragment(document.content, { document: inert }));
  for (const box of inert.querySelectorAll("li > div:not(.video)")) box.replaceWith(...box.childNodes);
  const html = inert.body.innerHTML;
  inert.body.replaceChildren();
  return html;
}
