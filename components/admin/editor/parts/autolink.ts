import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { addressOf } from "./addresses";

/** A URL or an email at the end of a text. */
const TYPED = /(?:^|[\s(])((?:https?:\/\/|www\.)\S+|[^\s@(]+@[^\s@]+\.[^\s@]+)$/i;

/** Links a typed URL or email when a space or Enter follows. */
export const Autolink = Extension.create({
  name: "autolink",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput: (view, from, to, text) => {
          if (text === " " && from === to) linkBefore(view, from);
          return false;
        },
        handleKeyDown: (view, { key, isComposing }) => {
          if (key === "Enter" && !isComposing && view.state.selection.empty)
            linkBefore(view, view.state.selection.from);
          return false;
        },
      },
    }),
  ],
});

function linkBefore(view: EditorView, at: number): void {
  const { doc, schema, tr } = view.state;
  const $at = doc.resolve(at);
  const { link, code } = schema.marks;
  if (!link || $at.parent.type.spec.code || $at.marks().some(({ type }) => type === code)) return;
  const before = $at.parent.textBetween(0, $at.parentOffset, "\n", " ");
  // Punctuation at the end belongs to the sentence.
  const typed = TYPED.exec(before)?.[1];
  const words = typed?.replace(/[.,;:!?'")\]]+$/, "");
  if (!typed || !words) return;
  const from = at - typed.length;
  const to = from + words.length;
  const address = addressOf(words);
  if (!address?.isSure || doc.rangeHasMark(from, to, link) || !$at.parent.type.allowsMarkType(link)) return;
  view.dispatch(tr.addMark(from, to, link.create({ href: address.href })).removeStoredMark(link));
}
