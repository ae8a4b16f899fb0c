"use client";

import type { Editor } from "@tiptap/core";
import { type ReactNode, useEffect, useRef } from "react";

/** A list of positions in the article, beside a bar. Escape returns to the text. */
export function Panel({
  label,
  editor,
  side = "below",
  onClose,
  children,
}: {
  label: string;
  editor: Editor;
  side?: "below" | "above";
  onClose: () => void;
  children: ReactNode;
}) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => (box.current?.querySelector("button") ?? box.current)?.focus(), []);
  return (
    <nav
      ref={box}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
        editor.commands.focus();
      }}
      className={`absolute ${side === "below" ? "top-full right-2" : "bottom-full left-2"} max-h-[60dvh] w-[min(22rem,calc(100%-1rem))] overflow-y-auto rounded-md border border-border bg-surface-raised p-1.5 text-sm shadow-[0_16px_48px_oklch(0_0_0/0.22)]`}
    >
      {children}
    </nav>
  );
}

export function PanelEntry({ look = "", onGo, children }: { look?: string; onGo: () => void; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        onClick={onGo}
        className={`flex min-h-11 w-full cursor-pointer items-center rounded-sm px-2.5 py-1.5 text-left outline-offset-[-2px] wrap-anywhere hover:bg-highlight md:min-h-8 ${look}`}
      >
        {children}
      </button>
    </li>
  );
}
