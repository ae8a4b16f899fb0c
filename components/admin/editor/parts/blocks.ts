import type { ChainedCommands, Editor, JSONContent } from "@tiptap/core";
import { type EditorState, PluginKey, Selection } from "@tiptap/pm/state";
import { CALLOUT_KINDS, type CalloutKind } from "@/lib/content/schema";
import type { IconName } from "./icons";

/** A block that the menus offer. */
export interface Block {
  id: string;
  name: string;
  icon: IconName;
  /** What it is for, in a few words. */
  about: string;
  /** Search terms besides the name. */
  words: string;
  /** Its Markdown or its keys. */
  hint?: string;
  /** Null when the editor asks for input first, such as a URL. */
  make: ((chain: ChainedCommands) => ChainedCommands) | null;
}

export const CALLOUTS: Record<CalloutKind, string> = {
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};

const CALLOUT_USES: Record<CalloutKind, { icon: IconName; about: string }> = {
  note: { icon: "note", about: "Something good to know" },
  tip: { icon: "tip", about: "A better way to do something" },
  important: { icon: "important", about: "Something readers must not miss" },
  warning: { icon: "warning", about: "Something that can go wrong" },
  caution: { icon: "caution", about: "Something that can cause harm" },
};

const callouts = CALLOUT_KINDS.map(
  (kind): Block => ({
    id: kind,
    name: `${CALLOUTS[kind]} callout`,
    ...CALLOUT_USES[kind],
    words: "callout box admonition hint alert info",
    make: (chain) => chain.wrapIn("callout", { kind }),
  }),
);

/** By level. The title of the article is the first, and the last two are kept but not offered. */
const HEADINGS = ["Heading", "Subheading", "Subheading 2", "Heading 5", "Heading 6"];

const headings = ([2, 3, 4] as const).map(
  (level): Block => ({
    id: `h${level}`,
    name: headingName(level),
    icon: `h${level}`,
    about: ["A section of the article", "A part of a section", "A part of a subsection"][level - 2] ?? "",
    words: `heading ${level} h${level} title section`,
    hint: "#".repeat(level),
    make: (chain) => chain.setNode("heading", { level }),
  }),
);

export const STYLES: readonly Block[] = [
  {
    id: "text",
    name: "Text",
    icon: "text",
    about: "A paragraph",
    words: "paragraph plain normal",
    make: (chain) => chain.clearNodes(),
  },
  ...headings,
];

export const LISTS: readonly Block[] = [
  {
    id: "bullets",
    name: "Bullet list",
    icon: "bullets",
    about: "Items in any order",
    words: "unordered ul points",
    hint: "-",
    make: (chain) => chain.toggleBulletList(),
  },
  {
    id: "numbers",
    name: "Numbered list",
    icon: "numbers",
    about: "Steps in order",
    words: "ordered ol steps",
    hint: "1.",
    make: (chain) => chain.toggleOrderedList(),
  },
  {
    id: "tasks",
    name: "Task list",
    icon: "tasks",
    about: "Items to check off",
    words: "todo checkbox check",
    hint: "[ ]",
    make: (chain) => chain.toggleTaskList(),
  },
];

const INSERTS: readonly Block[] = [
  {
    id: "image",
    name: "Image",
    icon: "image",
    about: "Upload an image",
    words: "picture photo screenshot upload",
    make: null,
  },
  {
    id: "table",
    name: "Table",
    icon: "table",
    about: "Rows and columns",
    words: "rows columns grid",
    make: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
  },
  ...callouts,
  {
    id: "details",
    name: "Collapsible section",
    icon: "details",
    about: "Hidden until readers open it",
    words: "details summary toggle fold accordion expand",
    make: (chain) => insertBlock(chain, { type: "details", content: [{ type: "summary" }, { type: "paragraph" }] }),
  },
  {
    id: "code",
    name: "Code",
    icon: "codeBlock",
    about: "A code block with highlighting",
    words: "block pre snippet program",
    hint: "```",
    make: (chain) => chain.toggleCodeBlock(),
  },
  {
    id: "quote",
    name: "Quote",
    icon: "quote",
    about: "A quotation",
    words: "blockquote citation",
    hint: ">",
    make: (chain) => chain.toggleWrap("quote"),
  },
  {
    id: "divider",
    name: "Divider",
    icon: "divider",
    about: "A horizontal line",
    words: "line rule hr separator",
    hint: "---",
    make: (chain) => insertBlock(chain, { type: "divider" }),
  },
  {
    id: "video",
    name: "Video",
    icon: "video",
    about: "From YouTube or Vimeo",
    words: "embed youtube vimeo film",
    make: null,
  },
];

export const BLOCKS: readonly Block[] = [...STYLES, ...LISTS, ...INSERTS];

/** The plugin that suggests snippets after two braces. Editors of workspaces without snippets do not have it. */
export const snippetSuggestions = new PluginKey("snippets");

const SNIPPET: Block = {
  id: "snippet",
  name: "Snippet",
  icon: "snippet",
  about: "Text shared by many articles",
  words: "reusable variable placeholder braces",
  hint: "{{",
  // A selection stays, as with other blocks.
  make: (chain) =>
    chain.command(({ tr, commands }) => commands.insertContentAt(tr.selection.to, { type: "text", text: "{{" })),
};

const snippetIn = (state: EditorState) => (snippetSuggestions.get(state) ? [SNIPPET] : []);

/** The blocks of the Insert menu. */
export const insertsIn = (state: EditorState): readonly Block[] => [...INSERTS, ...snippetIn(state)];

/** The group of a block in the menu at a slash. */
export function groupOf(block: Block): "Text" | "Lists" | "Insert" | "Snippets" {
  if (block.icon === "snippet" && block !== SNIPPET) return "Snippets";
  return STYLES.includes(block) ? "Text" : LISTS.includes(block) ? "Lists" : "Insert";
}

/** Whether a menu offers snippets instead of blocks. */
export const isOfSnippets = ([first]: readonly Block[]) => first !== undefined && groupOf(first) === "Snippets";

/** Blocks whose name or search terms start with the typed text, name matches first. */
export function blocksFor(typed: string, state: EditorState): Block[] {
  const offered = [...BLOCKS, ...snippetIn(state)];
  const wanted = typed.toLowerCase().trim();
  const begins = (text: string) =>
    text
      .toLowerCase()
      .split(" ")
      .some((_, index, all) => all.slice(index).join(" ").startsWith(wanted));
  const byName = offered.filter(({ name }) => begins(name));
  return [...byName, ...offered.filter((block) => !byName.includes(block) && begins(block.words))];
}

/** Replaces an empty line with a block or adds the block below the cursor's line, and puts the cursor inside. */
export function insertBlock(chain: ChainedCommands, block: JSONContent): ChainedCommands {
  return chain.command(({ tr, state, dispatch }) => {
    const node = state.schema.nodeFromJSON(block);
    const { $to } = tr.selection;
    const isEmptyLine = $to.parent.type.name === "paragraph" && $to.parent.content.size === 0;
    // Leaves parents that cannot hold the block, such as a heading or a caption.
    let depth = $to.depth;
    while (
      depth > 0 &&
      !$to.node(depth - 1).canReplaceWith($to.indexAfter(depth - 1), $to.indexAfter(depth - 1), node.type)
    )
      depth--;
    if (depth === 0 && $to.depth > 0) return false;
    if (!dispatch) return true;
    const at = isEmptyLine && depth === $to.depth ? $to.before() : $to.depth === 0 ? $to.pos : $to.after(depth);
    if (isEmptyLine && depth === $to.depth) tr.replaceWith(at, $to.after(), node);
    else tr.insert(at, node);
    if (node.isAtom && !tr.doc.nodeAt(at + node.nodeSize)) {
      tr.insert(at + node.nodeSize, state.schema.nodes.paragraph!.create());
    }
    const place = node.isAtom ? at + node.nodeSize : at + 1;
    tr.setSelection(Selection.near(tr.doc.resolve(place))).scrollIntoView();
    return true;
  });
}

function headingName(level: number): string {
  return HEADINGS[level - 2] ?? "Heading";
}

/** The menu entry for the block at the cursor. */
export function blockAt(editor: Editor): string {
  if (editor.isActive("codeBlock")) return "Code";
  for (const level of [2, 3, 4, 5, 6]) if (editor.isActive("heading", { level })) return headingName(level);
  return "Text";
}
