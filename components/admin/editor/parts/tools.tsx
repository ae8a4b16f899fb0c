"use client";

import type { Editor } from "@tiptap/core";
import { Bar, BarButton, BarGap, type OpenMenu } from "./bar";
import { type Block, blockAt, insertsIn, LISTS, STYLES } from "./blocks";
import { linkAt, mayLink } from "./links";
import { MarkButton } from "./mark-button";
import { useChanges } from "./use-changes";

export function Tools({
  editor,
  open,
  isSwapped,
  onMenu,
  onInsert,
  onOpen,
  onImage,
}: {
  editor: Editor;
  open: string | null;
  /** Whether other tools take the place of those that matter less for the element at the cursor. */
  isSwapped: boolean;
  onMenu: OpenMenu;
  onInsert: (block: Block) => void;
  onOpen: (what: "link" | "find" | "outline") => void;
  onImage: () => void;
}) {
  useChanges(editor);
  const blocks = (all: readonly Block[]) =>
    all.map((block) => ({ name: block.name, keys: block.hint ? [block.hint] : [], does: () => onInsert(block) }));
  const run = (does: (chain: ReturnType<Editor["chain"]>) => ReturnType<Editor["chain"]>) => () =>
    void does(editor.chain().focus()).run();
  return (
    <Bar label="Tools" wraps onLeave={() => editor.commands.focus()}>
      <BarButton
        name={blockAt(editor)}
        look="w-32 justify-between md:w-29"
        hasPopup="menu"
        onPress={(button) => onMenu("Style", button, blocks([...STYLES, ...LISTS]))}
      />
      <BarGap />
      <BarButton
        name="Undo"
        keys="Ctrl+Z"
        icon="undo"
        disabled={!editor.can().undo()}
        onPress={run((chain) => chain.undo())}
      />
      <BarButton
        name="Redo"
        keys="Ctrl+Shift+Z"
        icon="redo"
        disabled={!editor.can().redo()}
        onPress={run((chain) => chain.redo())}
      />
      <BarGap />
      <MarkButton editor={editor} mark="strong" />
      <MarkButton editor={editor} mark="em" />
      <BarButton
        name="Link"
        keys="Ctrl+K"
        icon="link"
        hasPopup="dialog"
        pressed={linkAt(editor) !== null}
        disabled={!mayLink(editor)}
        onPress={() => onOpen("link")}
      />
      <MarkButton editor={editor} mark="code" />
      {!isSwapped && (
        <>
          <MarkButton editor={editor} mark="u" />
          <MarkButton editor={editor} mark="s" />
          <MarkButton editor={editor} mark="mark" />
          <BarGap />
          <BarButton
            name="Bullet list"
            icon="bullets"
            pressed={editor.isActive("bulletList")}
            onPress={run((chain) => chain.toggleBulletList())}
          />
          <BarButton
            name="Numbered list"
            icon="numbers"
            pressed={editor.isActive("orderedList")}
            onPress={run((chain) => chain.toggleOrderedList())}
          />
          <BarButton
            name="Task list"
            icon="tasks"
            pressed={editor.isActive("taskList")}
            onPress={run((chain) => chain.toggleTaskList())}
          />
          <BarGap />
          <BarButton name="Image" icon="image" onPress={onImage} />
          <BarButton
            name="Insert"
            hasPopup="menu"
            onPress={(button) => onMenu("Insert", button, blocks(insertsIn(editor.state)))}
          />
          <BarGap />
          <BarButton
            name="Find and replace"
            keys="Ctrl+F"
            icon="find"
            pressed={open === "find"}
            onPress={() => onOpen("find")}
          />
          <BarButton name="Outline" icon="outline" pressed={open === "outline"} onPress={() => onOpen("outline")} />
        </>
      )}
    </Bar>
  );
}
