"use client";

import { type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon } from "./icons";

/** Tools in rows. On narrow screens only the first row shows, until a button or keyboard focus reveals the others. */
export function Folding({ children }: { children: ReactNode }) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const [isTooNarrow, setTooNarrow] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isWithin, setWithin] = useState(false);
  useEffect(() => {
    const box = row.current;
    const bar = box?.querySelector("[role=toolbar]");
    if (!box || !bar) return;
    const tools = [...bar.children];
    const observer = new ResizeObserver(() => {
      const between = Number.parseFloat(getComputedStyle(bar).columnGap) || 0;
      const needed = tools.reduce((sum, tool) => sum + between + widthOf(tool), -between);
      setTooNarrow(needed > widthIn(box) + 0.5);
    });
    // Labels change their width when the font loads.
    for (const watched of [box, ...tools]) observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  const isShown = isOpen || isWithin;
  return (
    <div ref={row} className="flex items-start gap-0.5 p-1">
      <div
        id={id}
        onFocus={() => setWithin(true)}
        onBlur={({ currentTarget, relatedTarget }: FocusEvent) => setWithin(currentTarget.contains(relatedTarget))}
        className={`min-w-0 grow ${isShown ? "" : "max-h-11 overflow-hidden md:max-h-8"}`}
      >
        {children}
      </div>
      {isTooNarrow && (
        <button
          type="button"
          aria-label="All tools"
          title="All tools"
          aria-expanded={isShown}
          aria-controls={id}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setOpen(!isOpen)}
          className="flex h-11 w-11 shrink-0 cursor-pointer items-center justify-center rounded-sm outline-offset-[-2px] hover:bg-highlight md:h-8 md:w-7"
        >
          <Icon name={isShown ? "up" : "down"} />
        </button>
      )}
    </div>
  );
}

function widthOf(element: Element): number {
  const { marginLeft, marginRight } = getComputedStyle(element);
  return element.getBoundingClientRect().width + Number.parseFloat(marginLeft) + Number.parseFloat(marginRight);
}

function widthIn(element: Element): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}
