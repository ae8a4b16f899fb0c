"use client";

import { type Editor, posToDOMRect } from "@tiptap/core";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { keepBeside } from "./floating";

/**
 * An input beside the selection. It takes the focus, and Escape returns to the text.
 * @param onKey handles a key first
 * @param onClose runs when the focus leaves the box
 */
export function AskBox({
  editor,
  label,
  onKey,
  onClose,
  children,
}: {
  editor: Editor;
  label: string;
  onKey?: (event: KeyboardEvent) => boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return;
    const at = () => {
      const { from, to } = editor.state.selection;
      return posToDOMRect(editor.view, from, to);
    };
    const field = box.current.querySelector("input");
    // Selecting does not focus in every browser. The box has no position yet, so focusing must not scroll.
    field?.focus({ preventScroll: true });
    field?.select();
    return keepBeside(box.current, at, editor.view.dom, "bottom-start");
  }, [editor]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      onClose();
      editor.commands.focus();
    } else if (!onKey?.(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={label}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) onClose();
      }}
      className="fixed top-0 left-0 z-30 w-[min(24rem,calc(100vw-1rem))] rounded-md border border-border bg-surface-raised text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
    >
      {children}
    </div>
  );
}

export const askField =
  "h-11 min-w-0 grow rounded-sm bg-transparent px-2.5 text-base outline-offset-[-2px] placeholder:text-text-muted md:h-9 md:text-sm";
