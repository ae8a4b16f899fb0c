import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";

const span = (name: "colspan" | "rowspan") => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Number(element.getAttribute(name) ?? 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
});

const sides = ["left", "center", "right"];

const cell = {
  addAttributes: () => ({
    colspan: span("colspan"),
    rowspan: span("rowspan"),
    align: {
      default: null,
      parseHTML: (element: HTMLElement) => sides.find((side) => side === element.getAttribute("align")) ?? null,
    },
  }),
};

/** Leading rows of th cells are the head. Cleaning moves them into thead, and parsing takes them out again. */
const table = Table.extend({
  renderHTML: () => ["table", ["tbody", 0]],
  addNodeView: () => () => {
    const frame = document.createElement("div");
    frame.className = "table-scroll";
    const body = frame.appendChild(document.createElement("table")).appendChild(document.createElement("tbody"));
    return { dom: frame, contentDOM: body };
  },
});

export const tableExtensions = [
  table,
  TableRow.extend({ renderHTML: () => ["tr", 0] }),
  TableCell.extend({
    ...cell,
    parseHTML: () => [{ tag: "td" }],
    renderHTML: ({ HTMLAttributes }) => ["td", HTMLAttributes, 0],
  }),
  TableHeader.extend({
    ...cell,
    parseHTML: () => [{ tag: "th" }],
    renderHTML: ({ HTMLAttributes }) => ["th", HTMLAttributes, 0],
  }),
];
