"use client";

import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from "react";

/**
 * A box beside the element that opened it. Escape and a click outside close it, and the focus returns.
 * @param beside the element that opened it
 */
export function Popover({
  label,
  beside,
  onClose,
  children,
}: {
  label: string;
  beside: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const [shown, opener] = [box.current, beside.current];
    if (!shown || !opener) return;
    shown.showPopover();
    shown.focus();
    const hear = (event: Event) => (event as ToggleEvent).newState === "closed" && close();
    shown.addEventListener("toggle", hear);
    const stop = autoUpdate(opener, shown, () => {
      void computePosition(opener, shown, {
        strategy: "fixed",
        placement: "bottom-end",
        middleware: [
          offset(6),
          flip({ padding: 8 }),
          shift({ padding: 8 }),
          size({
            padding: 8,
            apply: ({ availableHeight }) => {
              shown.style.maxHeight = `${availableHeight}px`;
            },
          }),
        ],
      }).then(({ x, y }) => {
        shown.style.left = `${x}px`;
        shown.style.top = `${y}px`;
      });
    });
    return () => {
      stop();
      shown.removeEventListener("toggle", hear);
    };
  }, [beside]);
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className="fixed inset-auto m-0 w-[min(26rem,calc(100vw-1rem))] overflow-y-auto overscroll-contain rounded-md border border-border bg-surface-raised p-4 text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)] outline-none"
    >
      {children}
    </div>
  );
}
