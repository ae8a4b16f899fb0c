import type { Element, ElementContent, Properties } from "hast";
import type { Mark } from "@/lib/content/inline";
import { el, isTag } from "@/lib/content/nodes";
import { attribute, isElement, type SourceElement } from "@/lib/content/parse";
import type { Writer } from "@/lib/content/writer";

const MAX_SPAN = 100;

interface Row {
  cells: Element[];
  isHeader: boolean;
}

/** A table with its header rows in thead, and rows of equal length. A table with a caption becomes a figure. */
export function table(element: SourceElement, marks: readonly Mark[], writer: Writer): ElementContent[] {
  const rows = sourceRows(element)
    .map((row) => rowOf(row, marks, writer))
    .filter(({ cells }) => cells.length > 0);
  if (rows.length === 0) return [];
  fill(rows);
  const body = rows.findIndex(({ isHeader }) => !isHeader);
  const heads = body === -1 ? rows : rows.slice(0, body);
  const sections = [section("thead", "th", heads), section("tbody", undefined, rows.slice(heads.length))];
  const result = el("table", {}, sections.flat());
  const caption = element.childNodes.filter(isElement).find(({ tagName }) => tagName === "caption");
  const label = caption ? writer.inline(caption.childNodes, marks) : [];
  return label.length > 0 ? [el("figure", {}, [result, el("figcaption", {}, label)])] : [result];
}

function fill(rows: readonly Row[]): void {
  const isMerged = rows.some(({ cells }) => cells.some(({ properties: { colSpan, rowSpan } }) => colSpan ?? rowSpan));
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const count = rows.reduce((sum, { cells }) => sum + cells.length, 0);
  if (isMerged || width * rows.length > 4 * count + 100) return;
  const first = rows[0]?.cells ?? [];
  for (const { cells } of rows) {
    while (cells.length < width) {
      const align = first[cells.length]?.properties.align;
      cells.push(el("td", align ? { align } : {}, []));
    }
  }
}

function section(tagName: "thead" | "tbody", cellName: "th" | undefined, rows: readonly Row[]): Element[] {
  const children = rows.map(({ cells }) =>
    el(
      "tr",
      {},
      cells.map((cell) => ({ ...cell, tagName: cellName ?? cell.tagName })),
    ),
  );
  return children.length > 0 ? [el(tagName, {}, children)] : [];
}

function sourceRows(element: SourceElement): SourceElement[] {
  return element.childNodes.filter(isElement).flatMap((child) => {
    if (child.tagName === "tr") return [child];
    return ["thead", "tbody", "tfoot"].includes(child.tagName) ? sourceRows(child) : [];
  });
}

function rowOf(row: SourceElement, marks: readonly Mark[], writer: Writer): Row {
  const cells = row.childNodes.filter(isElement).filter(({ tagName }) => tagName === "td" || tagName === "th");
  const parent = row.parentNode;
  return {
    cells: cells.map((cell) =>
      el(cell.tagName, cellProperties(cell), cellContent(writer.blocks(cell.childNodes, marks))),
    ),
    isHeader:
      (parent && "tagName" in parent && parent.tagName === "thead") || cells.every(({ tagName }) => tagName === "th"),
  };
}

function cellContent(blocks: ElementContent[]): ElementContent[] {
  return blocks.length === 1 && isTag(blocks[0], "p") ? blocks[0].children : blocks;
}

function cellProperties(cell: SourceElement): Properties {
  const properties: Properties = {};
  const style = /text-align:\s*(left|center|right)/i.exec(attribute(cell, "style") ?? "")?.[1];
  const align = (style ?? attribute(cell, "align"))?.toLowerCase();
  if (align === "left" || align === "center" || align === "right") properties.align = align;
  const columns = span(cell, "colspan");
  if (columns > 1) properties.colSpan = columns;
  const rows = span(cell, "rowspan");
  if (rows > 1) properties.rowSpan = rows;
  return properties;
}

function span(cell: SourceElement, name: "colspan" | "rowspan"): number {
  return Math.min(Number.parseInt(attribute(cell, name) ?? "1", 10) || 1, MAX_SPAN);
}
