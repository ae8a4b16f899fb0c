"use client";

import { type Editor, posToDOMRect } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Bar, BarButton, BarGap } from "./bar";
import { keepBeside } from "./floating";
import { MarkButton } from "./mark-button";
import { useChanges } from "./use-changes";

/**
 * Tools beside selected text, while the text or the tools have the focus. Not on phones, which show their own menu
 * there.
 */
export function SelectionBar({ editor, isHidden, onLink }: { editor: Editor; isHidden: boolean; onLink: () => void }) {
  useChanges(editor);
  const box = useRef<HTMLDivElement>(null);
  const [isPressed, press] = useState(false);
  const [isHere, setHere] = useState(() => editor.isFocused);
  useEffect(() => {
    const { dom } = editor.view;
    const down = () => press(true);
    const up = () => press(false);
    const move = ({ type, target, relatedTarget }: FocusEvent) => {
      const next = type === "focusin" ? target : relatedTarget;
      setHere(next instanceof Node && (dom.contains(next) || !!box.current?.contains(next)));
    };
    dom.addEventListener("mousedown", down);
    addEventListener("mouseup", up);
    addEventListener("focusin", move);
    addEventListener("focusout", move);
    return () => {
      dom.removeEventListener("mousedown", down);
      removeEventListener("mouseup", up);
      removeEventListener("focusin", move);
      removeEventListener("focusout", move);
    };
  }, [editor]);
  const { selection, doc } = editor.state;
  const isText =
    selection instanceof TextSelection &&
    !editor.isActive("codeBlock") &&
    doc.textBetween(selection.from, selection.to).trim() !== "";
  // Hidden during a drag, where it would be in the way.
  if (!isText || isHidden || isPressed || !isHere) return null;
  return <Floating box={box} editor={editor} onLink={onLink} />;
}

function Floating({
  box,
  editor,
  onLink,
}: {
  box: RefObject<HTMLDivElement | null>;
  editor: Editor;
  onLink: () => void;
}) {
  const { from, to } = editor.state.selection;
  useEffect(() => {
    const at = () => posToDOMRect(editor.view, from, to);
    if (box.current) return keepBeside(box.current, at, editor.view.dom, "top", true);
  }, [box, editor, from, to]);
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
