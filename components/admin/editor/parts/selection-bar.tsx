"use client";

import { type Editor, posToDOMRect } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { useEffect, useRef, useState } from "react";
import { Bar, BarButton, BarGap } from "./bar";
import { keepBeside } from "./floating";
import { MarkButton } from "./mark-button";
import { useChanges } from "./use-changes";

/** The tools beside a text that is selected. Not on phones, whose own menu is there. */
export function SelectionBar({ editor, isHidden, onLink }: { editor: Editor; isHidden: boolean; onLink: () => void }) {
  useChanges(editor);
  const [isPressed, press] = useState(false);
  useEffect(() => {
    const { dom } = editor.view;
    const down = () => press(true);
    const up = () => press(false);
    dom.addEventListener("mousedown", down);
    addEventListener("mouseup", up);
    return () => {
      dom.removeEventListener("mousedown", down);
      removeEventListener("mouseup", up);
    };
  }, [editor]);
  const { selection, doc } = editor.state;
  const isText =
    selection instanceof TextSelection &&
    !editor.isActive("codeBlock") &&
    doc.textBetween(selection.from, selection.to).trim() !== "";
  // Where it is still being dragged, it would be in the way.
  if (!isText || isHidden || isPressed) return null;
  return <Floating editor={editor} onLink={onLink} />;
}

function Floating({ editor, onLink }: { editor: Editor; onLink: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const { from, to } = editor.state.selection;
  useEffect(() => {
    if (box.current) return keepBeside(box.current, () => posToDOMRect(editor.view, from, to), editor.view.dom, "top");
  }, [editor, from, to]);
  const heading = (level: number) => (
    <BarButton
      name={`H${level}`}
      pressed={editor.isActive("heading", { level })}
      onPress={() => editor.chain().focus().toggleNode("heading", "paragraph", { level }).run()}
    />
  );
  return (
    <div
      ref={box}
      className="fixed top-0 left-0 z-20 rounded-md border border-border bg-surface-raised p-1 text-sm text-text shadow-[0_8px_24px_oklch(0_0_0/0.16)] max-md:hidden pointer-coarse:hidden print:hidden"
    >
      <Bar label="Selected text" onLeave={() => editor.commands.focus()}>
        <MarkButton editor={editor} mark="strong" />
        <MarkButton editor={editor} mark="em" />
        <MarkButton editor={editor} mark="u" />
        <MarkButton editor={editor} mark="s" />
        <MarkButton editor={editor} mark="code" />
        <MarkButton editor={editor} mark="mark" />
        <BarGap />
        <BarButton
          name="Link"
          keys="Ctrl+K"
          icon="link"
          hasPopup="dialog"
          pressed={editor.isActive("link")}
          onPress={onLink}
        />
        <BarGap />
        {heading(2)}
        {heading(3)}
      </Bar>
    </div>
  );
}
