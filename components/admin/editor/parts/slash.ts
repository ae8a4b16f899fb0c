import { type Editor, Extension, type Range } from "@tiptap/core";
import Suggestion, { type SuggestionOptions, type SuggestionProps } from "@tiptap/suggestion";
import { type Block, blocksFor } from "./blocks";

export interface SlashState {
  blocks: Block[];
  at: () => DOMRect | null;
  /** The typed text, which the chosen block replaces. */
  range: Range;
}

declare module "@tiptap/core" {
  interface EditorEvents {
    /** The menu opens, shows other blocks, or closes. */
    slash: SlashState | null;
    /** A key pressed while the menu is open. A listener that handles the key sets `isTaken`. */
    slashKey: { event: KeyboardEvent; isTaken: boolean };
  }
}

/** Shows the menu while its sign and words are typed. */
export function slashMenu(editor: Editor): SuggestionOptions<Block>["render"] {
  const show = ({ items, range, clientRect }: Pick<SuggestionProps<Block>, "items" | "range" | "clientRect">) => {
    editor.emit("slash", { blocks: items, range, at: () => clientRect?.() ?? null });
  };
  return () => ({
    onStart: show,
    onUpdate: show,
    onExit: () => editor.emit("slash", null),
    onKeyDown: ({ event }) => {
      const key = { event, isTaken: false };
      editor.emit("slashKey", key);
      return key.isTaken;
    },
  });
}

/** Reports a slash typed at the start of a word. */
export const Slash = Extension.create({
  name: "slash",
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      Suggestion<Block>({
        editor,
        char: "/",
        allowSpaces: true,
        decorationClass: "slash",
        allow: ({ state, range }) => {
          const { parent } = state.doc.resolve(range.from);
          const typed = state.doc.textBetween(range.from + 1, range.to);
          // A slash between two words opens no menu.
          const isSearch = blocksFor(typed, state).length > 0 || !typed.includes(" ");
          return parent.type.name === "paragraph" && !typed.startsWith(" ") && isSearch;
        },
        items: ({ query }) => blocksFor(query, editor.state),
        render: slashMenu(editor),
      }),
    ];
  },
});
