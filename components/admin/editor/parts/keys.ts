import { Extension } from "@tiptap/core";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { mayLink } from "./links";

declare module "@tiptap/core" {
  interface EditorEvents {
    ask: "link" | "find" | "tools";
  }
}

/**
 * Keys that leave the text. Ctrl+K edits the link at the selection or the cursor, Ctrl+F searches the article, Alt+F10
 * goes to the toolbar, and Escape then Tab goes to the next field, even where Tab has a use in the text. Where no link
 * is allowed, the page handles Ctrl+K.
 */
export const Keys = Extension.create({
  name: "keys",
  // Runs before the keys of any block.
  priority: 2000,
  addProseMirrorPlugins() {
    const { editor } = this;
    let last = "";
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            keydown: ({ dom }, { key, shiftKey }) => {
              const leaves = last === "Escape" && key === "Tab";
              // Shift is ignored, because Shift+Tab holds it.
              if (key !== "Shift") last = key;
              if (leaves) goToEdge(dom, shiftKey ? "before" : "after");
              // Leaves the key to the browser.
              return leaves;
            },
            mousedown: () => {
              last = "";
              return false;
            },
          },
          handleKeyDown: (view, event) => {
            const key = event.key.toLowerCase();
            const withControl = (event.ctrlKey || event.metaKey) && !event.altKey;
            const asks = withControl ? key === "k" || key === "f" : event.altKey && key === "f10";
            if (event.isComposing) return false;
            readSelection(view);
            if (event.shiftKey || !asks) return false;
            if (key === "f10") editor.emit("ask", "tools");
            else if (key === "f") editor.emit("ask", "find");
            else if (mayLink(editor)) editor.emit("ask", "link");
            else return false;
            event.preventDefault();
            // The page has its own shortcuts.
            event.stopPropagation();
            return true;
          },
        },
      }),
    ];
  },
});

/**
 * Makes Tab start beside the text. From inside, Tab would stop at focusable elements of the text, such as task
 * checkboxes.
 */
function goToEdge(text: HTMLElement, side: "before" | "after"): void {
  const edge = text.ownerDocument.createElement("span");
  edge.tabIndex = -1;
  edge.addEventListener("blur", () => edge.remove(), { once: true });
  text[side](edge);
  edge.focus({ preventScroll: true });
}

/**
 * Reads the page's selection immediately. The browser reports it a moment late, and on a busy page the next key comes
 * first: Enter after End would delete the old selection, and a link would miss a letter.
 */
function readSelection(view: EditorView): void {
  const shown = view.dom.ownerDocument.getSelection();
  const { selection, doc, tr } = view.state;
  if (!(selection instanceof TextSelection) || !shown?.anchorNode || !shown.focusNode) return;
  if (!view.dom.contains(shown.anchorNode) || !view.dom.contains(shown.focusNode)) return;
  const anchor = view.posAtDOM(shown.anchorNode, shown.anchorOffset);
  const head = view.posAtDOM(shown.focusNode, shown.focusOffset);
  if (anchor === selection.anchor && head === selection.head) return;
  view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head))));
}
