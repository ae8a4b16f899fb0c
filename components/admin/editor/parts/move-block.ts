import { Extension } from "@tiptap/core";
import { type EditorState, TextSelection, type Transaction } from "@tiptap/pm/state";

/** Alt+Shift+Up and Down move the list item or block at the cursor past its neighbor. */
export const MoveBlock = Extension.create({
  name: "moveBlock",
  addKeyboardShortcuts() {
    const move = (step: -1 | 1) => () =>
      this.editor.commands.command(({ state, tr, dispatch }) => {
        const isMoved = moveBlock(state, tr, step);
        if (isMoved) dispatch?.(tr.scrollIntoView());
        // At the edge of its parent the block stays, and the key is still used.
        return true;
      });
    return { "Alt-Shift-ArrowUp": move(-1), "Alt-Shift-ArrowDown": move(1) };
  },
});

function moveBlock({ selection, doc }: EditorState, tr: Transaction, step: -1 | 1): boolean {
  const { $from } = selection;
  let depth = Math.min(1, $from.depth);
  for (let at = $from.depth; at > 0; at--) {
    if (/^(?:listItem|taskItem)$/.test($from.node(at).type.name)) {
      depth = at;
      break;
    }
  }
  const start = depth === 0 ? $from.pos : $from.before(depth);
  const block = doc.nodeAt(start);
  const parent = $from.node(Math.max(0, depth - 1));
  const index = $from.index(Math.max(0, depth - 1));
  const neighbor = parent.maybeChild(index + step);
  if (!block || !neighbor) return false;
  const moved = step === -1 ? -neighbor.nodeSize : neighbor.nodeSize;
  tr.delete(start, start + block.nodeSize).insert(start + moved, block);
  tr.setSelection(
    selection instanceof TextSelection
      ? TextSelection.create(tr.doc, selection.anchor + moved, selection.head + moved)
      : TextSelection.near(tr.doc.resolve(start + moved)),
  );
  return true;
}
