"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Key } from "@/components/ui/shortcuts";
import type { Block } from "./blocks";
import { keepBeside } from "./floating";
import type { SlashState } from "./slash";

/** The list of blocks below the slash. The cursor stays in the text, and ARIA names the marked block to screen readers. */
export function SlashMenu({
  editor,
  state,
  onChoose,
}: {
  editor: Editor;
  state: SlashState;
  onChoose: (block: Block, range: SlashState["range"]) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [marked, mark] = useState<string | null>(null);
  const { blocks, range } = state;
  const active = Math.max(
    0,
    blocks.findIndex((block) => block.id === marked),
  );
  const place = useEffectEvent(() => state.at());

  useEffect(() => {
    if (box.current) return keepBeside(box.current, place, editor.view.dom, "bottom-start");
  }, [editor]);
  useEffect(() => {
    const { dom } = editor.view;
    dom.setAttribute("aria-haspopup", "listbox");
    dom.setAttribute("aria-controls", id);
    dom.setAttribute("aria-autocomplete", "list");
    dom.setAttribute("aria-activedescendant", `${id}-${active}`);
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
    return () => {
      for (const name of ["aria-haspopup", "aria-controls", "aria-autocomplete", "aria-activedescendant"])
        dom.removeAttribute(name);
    };
  }, [editor, id, active]);
  useEffect(() => {
    const onKey = (press: { event: KeyboardEvent; isTaken: boolean }) => {
      const { key, isComposing } = press.event;
      if (isComposing) return;
      const step = { ArrowDown: active + 1, ArrowUp: active - 1 }[key];
      const chosen = blocks[active];
      if (step !== undefined) mark(blocks[(step + blocks.length) % blocks.length]?.id ?? null);
      else if ((key === "Enter" || key === "Tab") && chosen) onChoose(chosen, range);
      else return;
      press.isTaken = true;
    };
    editor.on("slashKey", onKey);
    return () => {
      editor.off("slashKey", onKey);
    };
  }, [editor, blocks, active, range, onChoose]);

  return (
    <div
      ref={box}
      className="fixed top-0 left-0 z-30 w-64 rounded-md border border-border bg-surface-raised text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
    >
      <div id={id} role="listbox" aria-label="Blocks" className="max-h-[min(20rem,45dvh)] overflow-y-auto p-1.5">
        {blocks.map((block, index) => (
          <div
            key={block.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onPointerMove={() => mark(block.id)}
            onClick={() => onChoose(block, range)}
            className={`flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-sm px-2.5 md:min-h-8 ${index === active ? "bg-highlight" : ""}`}
          >
            {block.name}
            {block.hint && (
              <span aria-hidden="true">
                <Key>{block.hint}</Key>
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
