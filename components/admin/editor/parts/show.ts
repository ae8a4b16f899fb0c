import type { Editor } from "@tiptap/core";
import type { Selection } from "@tiptap/pm/state";

/**
 * Selects a position in the article and scrolls it to the middle of the window.
 * @param at the node, or the position in a text
 */
export function show(editor: Editor, at: number, selection: Selection): void {
  editor.view.dispatch(editor.state.tr.setSelection(selection));
  editor.view.focus();
  const shown = editor.view.nodeDOM(at) ?? editor.view.domAtPos(at).node;
  (shown instanceof Element ? shown : shown.parentElement)?.scrollIntoView({ block: "center" });
}
