"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { MenuEntry } from "@/components/ui/actions-menu";
import { Icon, type IconName } from "./icons";
import { keysHere } from "./key-names";

/**
 * An ARIA toolbar: Tab reaches one button, arrows reach the others, and Escape returns to the text.
 * @param onLeave puts the cursor back into the text
 */
export function Bar({
  label,
  wraps = false,
  onLeave,
  children,
}: {
  label: string;
  /** Wraps to several rows when the buttons do not fit in one. */
  wraps?: boolean;
  onLeave: () => void;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const buttons = () => [...(box.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
  const reach = (reached: HTMLElement | undefined) => {
    for (const button of buttons()) button.tabIndex = button === reached ? 0 : -1;
  };
  useEffect(() => {
    if (buttons().filter(({ tabIndex }) => tabIndex === 0).length !== 1) reach(buttons()[0]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onLeave();
      return;
    }
    const all = buttons();
    const here = all.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
    if (step === undefined || here === -1) return;
    event.preventDefault();
    all[(step + all.length) % all.length]?.focus();
  };
  return (
    <div
      ref={box}
      role="toolbar"
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => reach(target)}
      className={`flex items-center ${wraps ? "flex-wrap gap-0.5 md:gap-0" : "shrink-0 gap-0.5"}`}
    >
      {children}
    </div>
  );
}

export type OpenMenu = (label: string, button: HTMLElement, entries: MenuEntry[]) => void;

/** A toolbar button. Pressing it by mouse or touch keeps the cursor in the text. */
export function BarButton({
  name,
  keys,
  icon,
  look = "justify-center",
  pressed,
  disabled = false,
  hasPopup,
  onPress,
}: {
  name: string;
  keys?: string;
  icon?: IconName;
  look?: string;
  pressed?: boolean;
  disabled?: boolean;
  hasPopup?: "menu" | "dialog";
  onPress: (button: HTMLButtonElement) => void;
}) {
  return (
    <button
      type="button"
      aria-label={icon && name}
      title={keys ? `${name} (${keysHere(keys)})` : icon && name}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      aria-haspopup={hasPopup}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) => !disabled && onPress(currentTarget)}
      className={`flex h-11 min-w-11 shrink-0 cursor-pointer items-center gap-1 rounded-sm px-2 whitespace-nowrap outline-offset-[-2px] hover:bg-highlight aria-disabled:cursor-default aria-disabled:opacity-40 aria-pressed:bg-highlight aria-pressed:text-accent md:h-8 md:min-w-7 md:px-1.5 ${look}`}
    >
      {icon ? <Icon name={icon} /> : name}
      {hasPopup === "menu" && <Icon name="down" />}
    </button>
  );
}

export function BarGap() {
  return <span aria-hidden="true" className="mx-1 h-5 w-px shrink-0 md:mx-0.5 bg-border" />;
}
