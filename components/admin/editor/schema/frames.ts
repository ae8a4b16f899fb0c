import { InputRule, Node, wrappingInputRule } from "@tiptap/core";
import { Selection, TextSelection } from "@tiptap/pm/state";
import { findWrapping } from "@tiptap/pm/transform";
import { CALLOUT_KINDS, type CalloutKind } from "@/lib/content/schema";

const quote = Node.create({
  name: "quote",
  group: "block",
  content: "block+",
  defining: true,
  parseHTML: () => [{ tag: "blockquote" }],
  renderHTML: () => ["blockquote", 0],
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*>\s$/, type: this.type })];
  },
});

function kindOf(element: HTMLElement): CalloutKind | undefined {
  return CALLOUT_KINDS.find((kind) => element.classList.contains(`callout-${kind}`));
}

const callout = Node.create({
  name: "callout",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({ kind: { default: "note", rendered: false } }),
  parseHTML: () => [
    {
      tag: "aside.callout",
      getAttrs: (element) => {
        const kind = kindOf(element);
        return kind ? { kind } : false;
      },
    },
  ],
  renderHTML: ({ node }) => ["aside", { class: `callout callout-${node.attrs.kind as string}` }, 0],
  addInputRules() {
    return [
      new InputRule({
        find: /^\[!(note|tip|important|warning|caution)\]\s$/i,
        handler: ({ state, range, match }) => {
          const tr = state.tr.delete(range.from, range.to);
          const $from = tr.doc.resolve(range.from);
          const attributes = { kind: match[1]?.toLowerCase() };
          // In GitHub's syntax, > [!NOTE], the > has already become a quote.
          if ($from.depth > 1 && $from.node(-1).type.name === "quote" && $from.index(-1) === 0) {
            tr.setNodeMarkup($from.before(-1), this.type, attributes);
            return;
          }
          const block = $from.blockRange();
          const wrapping = block && findWrapping(block, this.type, attributes);
          if (!wrapping) return null;
          tr.wrap(block, wrapping);
        },
      }),
    ];
  },
});

/** A collapsible section, always open in the editor. */
const details = Node.create({
  name: "details",
  group: "block",
  content: "summary block+",
  defining: true,
  parseHTML: () => [{ tag: "details" }],
  renderHTML: () => ["details", 0],
  addNodeView: () => () => {
    const dom = document.createElement("details");
    dom.open = true;
    dom.addEventListener("toggle", () => (dom.open = true));
    return { dom, contentDOM: dom, ignoreMutation: (change) => change.type === "attributes" };
  },
});

const summary = Node.create({
  name: "summary",
  content: "words*",
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: "summary" }],
  renderHTML: () => ["summary", 0],
  addKeyboardShortcuts() {
    return {
      /** Moves from the label into the content. */
      Enter: () =>
        this.editor.commands.command(({ tr, state, dispatch }) => {
          const { $from, $to } = state.selection;
          if ($from.parent.type !== this.type || !$from.sameParent($to)) return false;
          const after = $from.after();
          const first = state.doc.nodeAt(after);
          if (!first?.isTextblock || first.content.size > 0) tr.insert(after, state.schema.nodes.paragraph!.create());
          tr.setSelection(Selection.near(tr.doc.resolve(after + 1))).scrollIntoView();
          dispatch?.(tr);
          return true;
        }),
      /** At the start of the label, unwraps the content. */
      Backspace: () =>
        this.editor.commands.command(({ tr, state, dispatch }) => {
          const { $from, empty } = state.selection;
          if ($from.parent.type !== this.type || !empty || $from.parentOffset > 0) return false;
          const frame = $from.node(-1);
          const label = state.schema.nodes.paragraph!.create(null, $from.parent.content);
          const blocks = frame.content.content.slice(1);
          const at = $from.before(-1);
          tr.replaceWith(at, at + frame.nodeSize, [label, ...blocks]);
          tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView();
          dispatch?.(tr);
          return true;
        }),
    };
  },
});

export const frameExtensions = [quote, callout, details, summary];
