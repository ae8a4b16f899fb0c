import { mergeAttributes, Node, textblockTypeInputRule } from "@tiptap/core";
import { Plugin, type Transaction } from "@tiptap/pm/state";
import { HEADING_ID } from "@/lib/content/schema";

/** Headings below the title, which is the page's only h1. Two levels more are kept, and not offered. */
const LEVELS = [2, 3, 4, 5, 6] as const;

const article = Node.create({ name: "doc", topNode: true, content: "block+" });

const text = Node.create({ name: "text", group: "inline words" });

const paragraph = Node.create({
  name: "paragraph",
  // Before any other block, so that it is what an empty place is filled with.
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
      /** A line that becomes part of a heading, a caption or a label is parted from the one before by a space. */
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

/** Where line breaks, and nothing else, were taken out, in the document that it led to. */
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

/** Its id stays when its text changes, so that links to it keep leading there. */
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
    // One # is a title in Markdown, which an article has elsewhere.
    const typed = [/^#{1,2}\s$/, /^###\s$/, /^####\s$/];
    return typed.map((find, index) =>
      textblockTypeInputRule({ find, type: this.type, getAttributes: { level: LEVELS[index] } }),
    );
  },
});

export const textExtensions = [article, text, paragraph, lineBreak, heading];
