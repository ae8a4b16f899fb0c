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
 * Keys that lead out of the text: Ctrl+K to the link of what is selected, or to one at the cursor, Ctrl+F to the search in the
 * article, Alt+F10 to the tools, Escape and then Tab to the next field, also where Tab does something in the text. Where no link
 * can stand, Ctrl+K is the page's own.
 */
export const Keys = Extension.create({
  name: "keys",
  // Before the keys of any block.
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
              // Held for Shift+Tab.
              if (key !== "Shift") last = key;
              if (leaves) goToEdge(dom, shiftKey ? "before" : "after");
              // The browser's alone, then.
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
            // The page has keys of its own.
            event.stopPropagation();
            return true;
          },
        },
      }),
    ];
  },
});

/**
 * Has Tab begin beside the text: from within, it would go to what is in the text and takes the focus too, such as the box of a
 * task.
 */
function goToEdge(text: HTMLElement, side: "before" | "after"): void {
  const edge = text.ownerDocument.createElement("span");
  edge.tabIndex = -1;
  edge.addEventListener("blur", () => edge.remove(), { once: true });
  text[side](edge);
  edge.focus({ preventScroll: true });
}

/**
 * Takes over what is selected on the page. The browser tells of it a moment after the key that changed it, and where the page is
 * busy the next key comes first: Enter after End would delete what was selected before, and a link miss a letter.
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
