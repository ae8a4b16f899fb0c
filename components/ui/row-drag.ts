"use client";

import { type PointerEvent as ReactPointerEvent, useState } from "react";

/** The target under the pointer during a drag. */
export interface Over {
  id: string;
  /** From 0 at the row's upper edge to 1 at its lower edge. */
  part: number;
  /** Horizontal movement of the pointer, in pixels. */
  sideways: number;
}

/** A dragged row, the row under the pointer, and the resulting position. */
export interface RowDrag<T> {
  id: string;
  over: string;
  to: T | null;
}

/** Pointer movement that starts a drag, and the distance from the window's edge that scrolls, in pixels. */
const THRESHOLD = 5;
const EDGE = 56;

/**
 * Drags rows by mouse, pen and touch. Escape cancels. A row is an element with its id in `data-row`. A mouse can drag
 * it anywhere except on controls, a finger only at `data-grip`, because elsewhere touch scrolls.
 * @param label the text next to the pointer
 * @param land returns a row's new position, or null if it stays
 */
export function useRowDrag<T>({
  label,
  land,
  onDrop,
}: {
  label: (id: string) => string;
  land: (id: string, over: Over) => T | null;
  onDrop: (id: string, to: T) => void;
}): { drag: RowDrag<T> | null; onPointerDown: (event: ReactPointerEvent<HTMLElement>) => void } {
  const [drag, setDrag] = useState<RowDrag<T> | null>(null);

  const onPointerDown = ({
    target,
    currentTarget: list,
    button,
    pointerType,
    pointerId,
    clientX,
    clientY,
  }: ReactPointerEvent<HTMLElement>) => {
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>("[data-row]");
    const grip = target.closest("[data-grip]");
    if (!row?.dataset.row || button !== 0 || (pointerType !== "mouse" && !grip)) return;
    if (!grip && target.closest("a, button, input, textarea, select, form")) return;
    const id = row.dataset.row;
    let chip: HTMLElement | null = null;
    let at = { x: clientX, y: clientY };
    let last: RowDrag<T> | null = null;
    let frame = 0;

    const look = () => {
      const { left, right, top, bottom } = list.getBoundingClientRect();
      const x = Math.min(Math.max(at.x, left + 1), right - 1);
      const y = Math.min(Math.max(at.y, top + 1), bottom - 1);
      const under = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-row]");
      if (!under?.dataset.row || !list.contains(under)) return;
      const box = under.getBoundingClientRect();
      const part = (y - box.top) / box.height;
      const to = land(id, { id: under.dataset.row, part, sideways: at.x - clientX });
      const next = { id, over: under.dataset.row, to };
      if (JSON.stringify(next) === JSON.stringify(last)) return;
      last = next;
      setDrag(next);
    };
    const scroll = () => {
      const step = at.y < EDGE ? at.y - EDGE : at.y > innerHeight - EDGE ? at.y - innerHeight + EDGE : 0;
      if (step !== 0) {
        scrollBy(0, step / 4);
        look();
      }
      frame = requestAnimationFrame(scroll);
    };
    const onMove = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      at = { x: event.clientX, y: event.clientY };
      if (!chip) {
        if (Math.hypot(at.x - clientX, at.y - clientY) < THRESHOLD) return;
        chip = chipOf(label(id));
        getSelection()?.removeAllRanges();
        frame = requestAnimationFrame(scroll);
      }
      chip.style.transform = `translate(${at.x + 14}px, ${at.y + 10}px)`;
      look();
    };
    const end = () => {
      cancelAnimationFrame(frame);
      chip?.remove();
      document.body.classList.remove("select-none");
      removeEventListener("pointermove", onMove);
      removeEventListener("pointerup", onUp);
      removeEventListener("pointercancel", end);
      removeEventListener("keydown", onKey, true);
      setDrag(null);
    };
    const onUp = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      const dragged = chip !== null;
      end();
      if (!dragged) return;
      // Prevents the click after a drag from pressing a control.
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
      if (last && last.to !== null) onDrop(id, last.to);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !chip) return;
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    addEventListener("pointermove", onMove);
    addEventListener("pointerup", onUp);
    addEventListener("pointercancel", end);
    addEventListener("keydown", onKey, true);
  };

  return { drag, onPointerDown };
}

function swallow(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function chipOf(text: string): HTMLElement {
  const chip = document.createElement("div");
  chip.className =
    "pointer-events-none fixed top-0 left-0 z-20 max-w-64 truncate rounded-sm border border-border bg-surface-raised px-2.5 py-1 text-sm shadow-[0_8px_24px_oklch(0_0_0/0.18)]";
  chip.textContent = text;
  document.body.append(chip);
  document.body.classList.add("select-none");
  return chip;
}
