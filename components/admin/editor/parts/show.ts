import type { Editor } from "@tiptap/core";
import type { Selection } from "@tiptap/pm/state";

/**
 * Leads to a place of the article: it is selected, and stands in the middle of the window.
 * @param at the node, or the place in a text
 */
export function show(editor: Editor, at: number, selection: Selection): void {
  editor.view.dispatch(editor.state.tr.setSelection(selection));
  editor.view.focus();
  const shown = editor.view.nodeDOM(at) ?? editor.view.domAtPos(at).node;
  (shown instanceof Element ? shown : shown.parentElement)?.scrollIntoView({ block: "center" });
}
