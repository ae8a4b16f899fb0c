"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useLayoutEffect, useState } from "react";

const ANNOUNCE = "announce";

/**
 * Reports a finished action over the page until the user closes it, leaves the page or does something else. Without
 * scripts, it is part of the page. A new key shows the same text again. The toast stays above an element with `data-floating-bar`.
 * @param here the page's URL, which "Close" loads without scripts
 * @param children an undo button
 */
export function Toast({ text, here, children }: { text: string; here: string; children?: ReactNode }) {
  const address = `${usePathname()}?${useSearchParams().toString()}`;
  const [shownAt] = useState(address);
  const [isPast, setPast] = useState(false);
  // The layout survives navigation, and coming back must not show the message again.
  if (address !== shownAt && !isPast) setPast(true);
  // Before the page is painted, so that two messages never overlap.
  useLayoutEffect(() => {
    announce(text);
    const hear = (event: Event) => (event as CustomEvent<string>).detail !== text && setPast(true);
    addEventListener(ANNOUNCE, hear);
    return () => removeEventListener(ANNOUNCE, hear);
  }, [text]);
  if (isPast) return null;
  return (
    <ToastFrame text={text}>
      {children}
      <a
        href={here}
        onClick={(event) => {
          event.preventDefault();
          setPast(true);
        }}
        className={closing}
      >
        Close
      </a>
    </ToastFrame>
  );
}

/** Toast for a component that keeps the message itself. */
export function ToastHere({
  text,
  tone = "plain",
  onClose,
  children,
}: {
  text: string;
  tone?: "plain" | "bad";
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <ToastFrame text={text} tone={tone}>
      {children}
      <button type="button" onClick={onClose} className={`${closing} cursor-pointer`}>
        Close
      </button>
    </ToastFrame>
  );
}

const closing = "flex h-11 items-center rounded-sm px-2.5 text-text-muted no-underline hover:text-text md:h-8";

function ToastFrame({ text, tone, children }: { text: string; tone?: "plain" | "bad"; children: ReactNode }) {
  return (
    <section
      aria-label="Message"
      className="fixed inset-x-4 bottom-4 z-10 flex items-center justify-between gap-4 rounded-md border border-border bg-surface-raised py-2 pr-2 pl-4 text-sm shadow-[0_8px_24px_oklch(0_0_0/0.18)] md:inset-x-auto md:right-6 md:bottom-6 md:max-w-[30rem] print:hidden [body:has([data-floating-bar])_&]:bottom-22!"
    >
      <p className={`min-w-0 break-words ${tone === "bad" ? "text-danger" : ""}`}>{text}</p>
      <div className="flex shrink-0 items-center gap-1">{children}</div>
    </section>
  );
}

/** Makes screen readers read a text. */
export function announce(text: string): void {
  dispatchEvent(new CustomEvent(ANNOUNCE, { detail: text }));
}

/** In milliseconds. Screen readers only announce changes that happen after the page has loaded. */
const PAUSE = 100;

/** Announces messages to screen readers. Must come before the page's messages, to hear those present on load. */
export function Announcer() {
  const [text, setText] = useState("");
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = (event: Event) => {
      clearTimeout(timer);
      timer = setTimeout(() => setText((event as CustomEvent<string>).detail), PAUSE);
    };
    addEventListener(ANNOUNCE, hear);
    return () => {
      clearTimeout(timer);
      removeEventListener(ANNOUNCE, hear);
    };
  }, []);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
