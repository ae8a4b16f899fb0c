"use client";

import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { goToFound, replaceFound, search, searchIn } from "./find";
import { useChanges } from "./use-changes";

const field =
  "h-11 min-w-0 grow basis-40 rounded-sm border border-border-field bg-surface-raised px-2.5 text-base md:h-8 md:grow-0 md:text-sm";
const button =
  "h-11 shrink-0 cursor-pointer rounded-sm px-2.5 hover:bg-highlight aria-disabled:cursor-default aria-disabled:opacity-40 md:h-8";

export function FindBar({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  useChanges(editor);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => {
    const { from, to } = editor.state.selection;
    const selected = editor.state.doc.textBetween(from, to, "\n");
    return selected.includes("\n") ? "" : selected.slice(0, 200);
  });
  const [by, setBy] = useState("");
  const [withCase, setWithCase] = useState(false);
  const [replaced, setReplaced] = useState<number | null>(null);
  useEffect(() => {
    // Selecting does not focus in every browser.
    first.current?.focus();
    first.current?.select();
    return () => {
      if (!editor.isDestroyed) search(editor, "", false);
    };
  }, [editor]);
  useEffect(() => search(editor, text, withCase), [editor, text, withCase]);

  const { found, active } = searchIn(editor);
  const none = found.length === 0;
  const says =
    replaced !== null
      ? `${replaced} replaced`
      : text === ""
        ? ""
        : none
          ? "Not found"
          : `${active + 1} of ${found.length}`;
  const go = (step: 1 | -1) => {
    setReplaced(null);
    goToFound(editor, step);
  };
  const replace = (all: boolean) => {
    const count = replaceFound(editor, by, all);
    setReplaced(all ? count : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isFirst = event.target === first.current;
    if (event.key === "Escape") {
      onClose();
      editor.commands.focus();
    } else if (event.key === "Enter" && isFirst) go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === second.current && !none) replace(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search
      aria-label="Find and replace"
      onKeyDown={onKeyDown}
      className="flex flex-wrap items-center gap-1 border-t border-border px-1 py-1.5 text-sm"
    >
      <input
        ref={first}
        aria-label="Find"
        placeholder="Find"
        value={text}
        maxLength={200}
        onChange={({ target }) => {
          setReplaced(null);
          setText(target.value);
        }}
        className={field}
      />
      <span role="status" className="min-w-20 px-1 text-text-muted tabular-nums">
        {says}
      </span>
      <button type="button" aria-disabled={none || undefined} onClick={() => go(-1)} className={button}>
        Previous
      </button>
      <button type="button" aria-disabled={none || undefined} onClick={() => go(1)} className={button}>
        Next
      </button>
      <label className="flex h-11 items-center gap-2 px-2 md:h-8">
        <input
          type="checkbox"
          checked={withCase}
          onChange={({ target }) => setWithCase(target.checked)}
          className="size-4 accent-accent"
        />
        Match case
      </label>
      <input
        ref={second}
        aria-label="Replace with"
        placeholder="Replace with"
        value={by}
        maxLength={2000}
        onChange={({ target }) => setBy(target.value)}
        className={field}
      />
      <button
        type="button"
        aria-disabled={none || undefined}
        onClick={() => !none && replace(false)}
        className={button}
      >
        Replace
      </button>
      <button type="button" aria-disabled={none || undefined} onClick={() => !none && replace(true)} className={button}>
        Replace all
      </button>
      <button type="button" onClick={onClose} className={`${button} md:ml-auto`}>
        Close
      </button>
    </search>
  );
}
