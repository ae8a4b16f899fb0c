import { mergeAttributes, Node, textblockTypeInputRule } from "@tiptap/core";
import { Plugin, type Transaction } from "@tiptap/pm/state";
import { HEADING_ID } from "@/lib/content/schema";

/** The title is the page's only h1. The last two levels are kept but not offered. */
const LEVELS = [2, 3, 4, 5, 6] as const;

const article = Node.create({ name: "doc", topNode: true, content: "block+" });

const text = Node.create({ name: "text", group: "inline words" });

const paragraph = Node.create({
  name: "paragraph",
  // Before any other block, so that empty content defaults to a paragraph.
  priority: 1000,
  group: "block",
  content: "inline*",
  parseHTML: () => [{ tag: "p" }],
  renderHTML: () => ["p", 0],
  addKeyboardShortcuts() {
    return { "Mod-Alt-0": () => this.editor.commands.setNode("paragraph") };
  },
});

const lineBreak = Node.create({
  name: "lineBreak",
  group: "inline",
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: "br" }],
  renderHTML: () => ["br"],
  renderText: () => "\n",
  addKeyboardShortcuts() {
    const insert = () =>
      this.editor.commands.first(({ commands }) => [
        () => commands.exitCode(),
        () =>
          commands.command(({ tr, state, dispatch }) => {
            const { $from } = state.selection;
            if (!$from.parent.type.contentMatch.matchType(this.type)) return false;
            dispatch?.(tr.replaceSelectionWith(this.type.create(), true).scrollIntoView());
            return true;
          }),
      ]);
    return { "Shift-Enter": insert, "Mod-Enter": insert };
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      /** Joins two lines in a heading, caption or label with a space. */
      appendTransaction: (transactions, _, { doc, tr }) => {
        const places = transactions.flatMap((transaction, index) =>
          breaksTaken(transaction).map((place) =>
            transactions.slice(index + 1).reduce((at, { mapping }) => mapping.map(at), place),
          ),
        );
        for (const at of places.sort((one, other) => other - one)) {
          const { parent, nodeBefore, nodeAfter } = doc.resolve(at);
          const isGlued = /\S$/.test(nodeBefore?.text ?? "") && /^\S/.test(nodeAfter?.text ?? "");
          if (isGlued && !parent.type.contentMatch.matchType(doc.type.schema.nodes.lineBreak!)) tr.insertText(" ", at);
        }
        return tr.docChanged ? tr : null;
      },
    }),
  ],
});

/** Positions of removed line breaks, in the resulting document. */
function breaksTaken({ steps, docs, mapping }: Transaction): number[] {
  const places: number[] = [];
  for (const [index, step] of steps.entries()) {
    step.getMap().forEach((from, to, start, end) => {
      if (to - from !== 1 || start !== end || docs[index]?.nodeAt(from)?.type.name !== "lineBreak") return;
      places.push(mapping.slice(index + 1).map(start));
    });
  }
  return places;
}

/** Keeps its id when the text changes, so that links to it still work. */
const heading = Node.create({
  name: "heading",
  group: "block",
  content: "words*",
  defining: true,
  addAttributes: () => ({
    level: { default: 2, rendered: false },
    id: {
      default: null,
      keepOnSplit: false,
      parseHTML: (element) => (HEADING_ID.test(element.id) ? element.id : null),
    },
  }),
  parseHTML: () => LEVELS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
  renderHTML: ({ node, HTMLAttributes }) => [`h${node.attrs.level as number}`, mergeAttributes(HTMLAttributes), 0],
  addKeyboardShortcuts() {
    return Object.fromEntries(
      LEVELS.slice(0, 3).map((level) => [
        `Mod-Alt-${level}`,
        () => this.editor.commands.toggleNode("heading", "paragraph", { level }),
      ]),
    );
  },
  addInputRules() {
    // A single # is a Markdown title, and the article's title is a separate field.
    const typed = [/^#{1,2}\s$/, /^###\s$/, /^####\s$/];
    return typed.map((find, index) =>
      textblockTypeInputRule({ find, type: this.type, getAttributes: { level: LEVELS[index] } }),
    );
  },
});

export const textExtensions = [article, text, paragraph, lineBreak, heading];
