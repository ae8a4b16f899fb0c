"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Key } from "./shortcuts";

export interface MenuEntry {
  name: string;
  keys?: string[];
  does: string | (() => void);
  danger?: boolean;
  /** Adds space above the entry. */
  apart?: boolean;
}

/**
 * A menu over the page. Arrows and first letters move, Enter acts, Escape and a click outside close.
 * @param at the box of the element that opened the menu, measured when it opened
 * @param side the side of the box that the menu aligns with
 * @param link the app's link component
 */
export function ActionsMenu({
  label,
  at,
  side = "right",
  entries,
  onClose,
  link,
}: {
  label: string;
  at: DOMRect;
  side?: "left" | "right";
  entries: MenuEntry[];
  onClose: () => void;
  link: (href: string, props: { className: string; role: string; tabIndex: number }, children: ReactNode) => ReactNode;
}) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = menu.current;
    if (!box) return;
    box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    const below = at.bottom + 4 + height <= innerHeight;
    const left = side === "left" ? at.left : at.right - width;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, below ? at.bottom + 4 : Math.min(at.top - height - 4, innerHeight - height - 8))}px`;
    box.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [at, side]);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const here = items.indexOf(document.activeElement as HTMLElement);
    const letter = event.key.length === 1 && event.key !== " " ? event.key.toLowerCase() : null;
    const ahead = [...items.slice(here + 1), ...items.slice(0, here + 1)];
    const next =
      event.key === "ArrowDown"
        ? items[(here + 1) % items.length]
        : event.key === "ArrowUp"
          ? items.at(here - 1)
          : event.key === "Home"
            ? items[0]
            : event.key === "End"
              ? items.at(-1)
              : letter !== null && !event.ctrlKey && !event.metaKey && !event.altKey
                ? ahead.find((item) => item.textContent.toLowerCase().startsWith(letter))
                : undefined;
    if (event.key === "Tab") menu.current?.hidePopover();
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const look = ({ danger, apart }: MenuEntry) =>
    `flex min-h-11 w-full cursor-pointer items-center justify-between gap-6 rounded-sm px-2.5 text-left no-underline outline-offset-[-2px] hover:bg-highlight focus:bg-highlight md:min-h-8 ${danger ? "text-danger" : ""} ${apart ? "mt-1.5" : ""}`;
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      aria-label={label}
      onToggle={(event) => event.newState === "closed" && onClose()}
      onKeyDown={onKeyDown}
      className="fixed inset-auto m-0 max-h-[80dvh] min-w-60 overflow-y-auto rounded-md border border-border bg-surface-raised p-1.5 text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
    >
      {entries.map((entry) => {
        const { name, keys = [], does } = entry;
        const inside = (
          <>
            {name}
            <span className="hidden gap-1 md:flex" aria-hidden="true">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </span>
          </>
        );
        if (typeof does === "string") {
          return (
            <div key={name} role="none">
              {link(does, { className: look(entry), role: "menuitem", tabIndex: -1 }, inside)}
            </div>
          );
        }
        return (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              menu.current?.hidePopover();
              does();
            }}
            className={look(entry)}
          >
            {inside}
          </button>
        );
      })}
    </div>
  );
}
