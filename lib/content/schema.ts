import type { Options as Schema } from "rehype-sanitize";

/*
 * The contents of clean HTML. The editor's schema equals this table; change both together.
 *
 *   block                                   | attributes            | contains
 *   ----------------------------------------|-----------------------|------------------------------------------------
 *   p                                       |                       | inline
 *   h2 h3 h4 h5 h6                          | id                    | inline without br
 *   ul, ol                                  | ol: start             | li
 *   ul.contains-task-list                   |                       | li.task-list-item
 *   li                                      |                       | inline then lists, or blocks
 *   li.task-list-item                       |                       | input[type=checkbox][disabled][checked?], then as li
 *   blockquote                              |                       | blocks
 *   aside.callout.callout-<kind>            |                       | blocks; kinds: note tip important warning caution
 *   details                                 |                       | summary (inline without br), then blocks
 *   pre > code                              | code: class language-x| text
 *   hr                                      |                       |
 *   table > thead? + tbody? > tr > th, td   | align colspan rowspan | a cell: inline, or blocks
 *   figure                                  |                       | one of img, a > img, table, pre, div.video;
 *                                           |                       | then figcaption (inline without br)
 *   div.video > a                           | a: href               | the address of a YouTube or Vimeo page (embeds.ts)
 *
 *   inline                                  | attributes
 *   ----------------------------------------|------------------------------------------------------------------
 *   text, br                                |
 *   img                                     | src alt title width height class; classes: align-center align-wide
 *   a                                       | href title; http(s), mailto, tel, relative, #fragment
 *   strong em u s mark sub sup kbd code     |
 *
 * Everything has one form, so that cleaning twice changes nothing and the editor, Markdown and clients agree: b is strong,
 * i is em, del is s; a paragraph alone in a cell, or before only lists in a list item, has no p; white space is collapsed;
 * all body rows of a table have a td or th for each column.
 *
 * Only headings have ids. They begin with a letter or digit, so ids with a leading underscore are free for pages.
 */

export const CALLOUT_KINDS = ["note", "tip", "important", "warning", "caution"] as const;
export type CalloutKind = (typeof CALLOUT_KINDS)[number];

/** Images without an alignment are at the start of the line. A wide image fills the column. */
export const IMAGE_ALIGNMENTS = ["center", "wide"] as const;

/** In nesting order, the outermost first. */
export const MARKS = ["a", "strong", "em", "u", "s", "mark", "sub", "sup", "kbd", "code"] as const;
export type MarkName = (typeof MARKS)[number];

const linkProtocols = ["http", "https", "mailto", "tel"];
const imageProtocols = ["http", "https"];

export const HEADING_ID = /^(?!TURBOPACK)[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,99}$/u;

/** The same table for rehype-sanitize. Each key replaces the package's default. */
export const schema: Schema = {
  tagNames: [
    ...`p h2 h3 h4 h5 h6 ul ol li input blockquote aside details summary pre hr table thead tbody tr th td figure figcaption
    div br img`.split(/\s+/),
    ...MARKS,
  ],
  attributes: {
    a: ["href", "title"],
    img: [
      ...["src", "alt", "title", "width", "height"],
      ["className", ...IMAGE_ALIGNMENTS.map((alignment) => `align-${alignment}`)],
    ],
    h2: [["id", HEADING_ID]],
    h3: [["id", HEADING_ID]],
    h4: [["id", HEADING_ID]],
    h5: [["id", HEADING_ID]],
    h6: [["id", HEADING_ID]],
    ul: [["className", "contains-task-list"]],
    ol: ["start"],
    li: [["className", "task-list-item"]],
    input: [["type", "checkbox"], ["disabled", true], "checked"],
    aside: [["className", "callout", ...CALLOUT_KINDS.map((kind) => `callout-${kind}`)]],
    code: [["className", /^language-/]],
    th: [["align", "left", "center", "right"], "colSpan", "rowSpan"],
    td: [["align", "left", "center", "right"], "colSpan", "rowSpan"],
    div: [["className", "video"]],
  },
  protocols: { href: linkProtocols, src: imageProtocols },
  required: { input: { type: "checkbox", disabled: true } },
  ancestors: { thead: ["table"], tbody: ["table"], tr: ["table"], th: ["table"], td: ["table"] },
  clobber: [],
  clobberPrefix: "",
  strip: ["script", "style"],
  allowComments: false,
  allowDoctypes: false,
};

/** Trims and percent-encodes a URL as Markdown would; undefined when its scheme is not allowed. */
export function safeAddress(address: string, kind: "link" | "image"): string | undefined {
  // Browsers ignore these characters in URLs, so "java\nscript:" would run.
  const trimmed = address.replace(/[\p{Cc}\p{Cs}\uFEFF]/gu, "").trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme && !(kind === "link" ? linkProtocols : imageProtocols).includes(scheme)) return undefined;
  const encoded = trimmed.replace(/%(?![0-9a-f]{2})|[^\w!#$%&'()*+,\-./:;=?@~]/giu, encodeURIComponent);
  return encoded === "" ? undefined : encoded;
}
