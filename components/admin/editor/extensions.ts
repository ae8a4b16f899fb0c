import { Dropcursor, Gapcursor, Placeholder, Selection, TrailingNode, UndoRedo } from "@tiptap/extensions";
import { Autolink } from "./parts/autolink";
import { CodeKeys } from "./parts/code-keys";
import { Find } from "./parts/find";
import { Keys } from "./parts/keys";
import { MoveBlock } from "./parts/move-block";
import { Slash } from "./parts/slash";
import { Uploads } from "./parts/uploads";
import { Paste } from "./paste/paste";
import { articleExtensions } from "./schema/html";

const placeholders: Record<string, string> = {
  paragraph: "Write, or press / for commands",
  heading: "Heading",
  summary: "Section title",
  caption: "Caption",
};

/** Created once, because the editor compares its extensions on each render. */
export const editorExtensions = [
  Keys,
  CodeKeys,
  Autolink,
  MoveBlock,
  ...articleExtensions,
  UndoRedo,
  Dropcursor.configure({ color: false, class: "drop-cursor" }),
  Gapcursor,
  Selection,
  TrailingNode,
  Placeholder.configure({
    includeChildren: true,
    showOnlyCurrent: true,
    placeholder: ({ node }) => placeholders[node.type.name] ?? "",
  }),
  Find,
  Uploads,
  Slash,
  Paste,
];
