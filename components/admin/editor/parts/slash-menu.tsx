"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Key } from "@/components/ui/shortcuts";
import { type Block, groupOf, isOfSnippets } from "./blocks";
import { keepBeside } from "./floating";
import { Icon } from "./icons";
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
  const hasBlocks = blocks.length > 0;
  const place = useEffectEvent(() => state.at());

  useEffect(() => {
    if (box.current) return keepBeside(box.current, place, editor.view.dom, "bottom-start");
  }, [editor]);
  useEffect(() => {
    const { dom } = editor.view;
    dom.setAttribute("aria-haspopup", "listbox");
    dom.setAttribute("aria-controls", id);
    dom.setAttribute("aria-autocomplete", "list");
    if (hasBlocks) dom.setAttribute("aria-activedescendant", `${id}-${active}`);
    else dom.removeAttribute("aria-activedescendant");
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
    return () => {
      for (const name of ["aria-haspopup", "aria-controls", "aria-autocomplete", "aria-activedescendant"])
        dom.removeAttribute(name);
    };
  }, [editor, id, active, hasBlocks]);
  useEffect(() => {
    const onKey = (press: { event: KeyboardEvent; isTaken: boolean }) => {
      const { key, isComposing } = press.event;
      if (isComposing || blocks.length === 0) return;
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
      className="fixed top-0 left-0 z-30 w-72 rounded-md border border-border bg-surface-raised text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
    >
      <div
        id={id}
        role="listbox"
        aria-label={isOfSnippets(blocks) ? "Snippets" : "Blocks"}
        className="max-h-[min(20rem,45dvh)] overflow-y-auto p-1.5"
      >
        {groupsOf(blocks).map(([group, members]) => (
          <div key={`${group} ${members[0]?.index}`} role="group" aria-label={group}>
            <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-code font-medium text-text-muted">
              {group}
            </p>
            {members.map(({ block, index }) => (
              <div
                key={block.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                aria-label={block.name}
                tabIndex={-1}
                onMouseDown={(event) => event.preventDefault()}
                onPointerMove={() => mark(block.id)}
                onClick={() => onChoose(block, range)}
                className={`flex min-h-12 cursor-pointer items-center gap-3 rounded-sm px-2.5 md:min-h-11 ${index === active ? "bg-highlight" : ""}`}
              >
                <span className="flex size-7 shrink-0 items-center justify-center rounded-sm border border-border text-text-muted">
                  <Icon name={block.icon} />
                </span>
                <span className="min-w-0 grow">
                  <span className="block truncate leading-tight">{block.name}</span>
                  <span className="block truncate text-code leading-tight text-text-muted">{block.about}</span>
                </span>
                {block.hint && (
                  <span aria-hidden="true">
                    <Key>{block.hint}</Key>
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      {blocks.length === 0 && <p className="px-4 pb-3 text-text-muted">No matches</p>}
    </div>
  );
}

/** Blocks of one group that follow each other, with their places in the whole list. */
function groupsOf(blocks: readonly Block[]): [group: string, members: { block: Block; index: number }[]][] {
  const groups: [string, { block: Block; index: number }[]][] = [];
  for (const [index, block] of blocks.entries()) {
    const group = groupOf(block);
    const last = groups.at(-1);
    if (last?.[0] === group) last[1].push({ block, index });
    else groups.push([group, [{ block, index }]]);
  }
  return groups;
}
