import { Extension } from "@tiptap/core";
import { Plugin, type Selection } from "@tiptap/pm/state";

const INDENT = "  ";

/** In code, Tab adds two spaces at the cursor or before each selected line. Shift+Tab removes them. */
export const CodeKeys = Extension.create({
  name: "codeKeys",
  // Runs before lists and tables, which can contain code.
  priority: 1500,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleKeyDown: (view, event) => {
          const { selection, schema, tr } = view.state;
          const { $from, $to } = selection;
          const isHeld = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
          if (event.key !== "Tab" || isHeld || !$from.parent.type.spec.code || !$from.sameParent($to)) return false;
          const start = $from.start();
          const text = $from.parent.textContent;
          if (!event.shiftKey && selection.empty) tr.insert($from.pos, schema.text(INDENT));
          else {
            // Last line first, because an insertion moves the lines after it.
            for (const at of linesOf(selection, text).reverse()) {
              const line = text.slice(at);
              if (event.shiftKey) tr.delete(start + at, start + at + (/^(?:\t| {0,2})/.exec(line)?.[0].length ?? 0));
              else if (!/^(?:\n|$)/.test(line)) tr.insert(start + at, schema.text(INDENT));
            }
          }
          view.dispatch(tr.scrollIntoView());
          return true;
        },
      },
    }),
  ],
});

/** Positions where the selected lines start. Excludes a last line with nothing selected. */
function linesOf({ $from, $to }: Selection, text: string): number[] {
  const lines = [text.slice(0, $from.parentOffset).lastIndexOf("\n") + 1];
  for (let at = $from.parentOffset; at < $to.parentOffset - 1; at++) if (text[at] === "\n") lines.push(at + 1);
  return lines;
}
