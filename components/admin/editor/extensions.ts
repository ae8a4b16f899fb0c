import { Dropcursor, Gapcursor, Placeholder, Selection, TrailingNode, UndoRedo } from "@tiptap/extensions";
import { articleExtensions } from "./html";
import { CodeKeys } from "./parts/code-keys";
import { Find } from "./parts/find";
import { Keys } from "./parts/keys";
import { Slash } from "./parts/slash";
import { Uploads } from "./parts/uploads";
import { Paste } from "./paste/paste";

const placeholders: Record<string, string> = {
  paragraph: "Write, or type / for blocks",
  heading: "Heading",
  summary: "What opens it",
  caption: "Caption",
};

/** What an article may hold, and what helps to write it. Made once: the editor compares them at each drawing. */
export const editorExtensions = [
  Keys,
  CodeKeys,
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
