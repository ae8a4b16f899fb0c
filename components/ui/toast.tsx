"use client";

import Link from "next/link";
import { type ReactNode, useEffect, useState } from "react";

const ANNOUNCE = "announce";

/**
 * Says what has just been done, over the page, until it is closed or left. Without scripts it is there like anything else
 * of the page; with them, going back does not say it again, and what is done next on the page takes its place. Of a page that
 * was not left, another key says the same again.
 * @param close the address of the page without the words that brought the message
 * @param children what undoes it
 */
export function Toast({ text, close, children }: { text: string; close: string; children?: ReactNode }) {
  const [past, setPast] = useState<string | null>(null);
  useEffect(() => {
    history.replaceState(null, "", close);
    announce(text);
    const hear = (event: Event) => (event as CustomEvent<string>).detail !== text && setPast(text);
    addEventListener(ANNOUNCE, hear);
    return () => removeEventListener(ANNOUNCE, hear);
  }, [text, close]);
  if (past === text) return null;
  return (
    <ToastFrame text={text}>
      {children}
      <Link href={close} prefetch={false} replace scroll={false} onClick={() => setPast(text)} className={closing}>
        Close
      </Link>
    </ToastFrame>
  );
}

/** The same for what happens on a page without leaving it. */
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
      className="fixed inset-x-4 bottom-4 z-10 flex items-center justify-between gap-4 rounded-md border border-border bg-surface-raised py-2 pr-2 pl-4 text-sm shadow-[0_8px_24px_oklch(0_0_0/0.18)] md:inset-x-auto md:right-6 md:bottom-6 md:max-w-[30rem] print:hidden"
    >
      <p className={`min-w-0 break-words ${tone === "bad" ? "text-danger" : ""}`}>{text}</p>
      <div className="flex shrink-0 items-center gap-1">{children}</div>
    </section>
  );
}

/** Has something read out by whoever has the page read. */
export function announce(text: string): void {
  dispatchEvent(new CustomEvent(ANNOUNCE, { detail: text }));
}

/** Reads out what a Toast says. It is there before there is something to say: only then do screen readers listen. */
export function Announcer() {
  const [said, say] = useState("");
  useEffect(() => {
    const hear = (event: Event) => say((event as CustomEvent<string>).detail);
    addEventListener(ANNOUNCE, hear);
    return () => removeEventListener(ANNOUNCE, hear);
  }, []);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
