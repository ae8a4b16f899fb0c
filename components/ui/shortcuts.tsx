"use client";

import { useEffect, useRef } from "react";

export interface Shortcut {
  keys: string[];
  does: string;
}

const ATTRIBUTE = "data-shortcuts";

/** Lists a page's shortcuts for the sheet. The page itself handles the keys. */
export function PageShortcuts({ shortcuts }: { shortcuts: Shortcut[] }) {
  return <span hidden {...{ [ATTRIBUTE]: JSON.stringify(shortcuts) }} />;
}

export function shortcutsOfPage(page: Document): Shortcut[] {
  return [...page.querySelectorAll(`[${ATTRIBUTE}]`)].flatMap(
    (element) => JSON.parse(element.getAttribute(ATTRIBUTE) ?? "[]") as Shortcut[],
  );
}

export function Shortcuts({ shortcuts, onClose }: { shortcuts: Shortcut[]; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="shortcuts"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      className="mx-auto mt-[10vh] w-[min(28rem,92vw)] rounded-md border border-border bg-surface-raised text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)] backdrop:bg-[oklch(0.2_0.01_70/0.45)]"
    >
      <div className="grid gap-4 p-5">
        <div className="flex items-center justify-between gap-4">
          <h2 id="shortcuts" className="text-base">
            Keyboard
          </h2>
          <button
            type="button"
            onClick={() => dialog.current?.close()}
            className="h-11 cursor-pointer rounded-sm px-2.5 text-text-muted hover:text-text md:h-8"
          >
            Close
          </button>
        </div>
        <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2.5">
          {shortcuts.map(({ keys, does }) => (
            <div key={does} className="contents">
              <dt>{does}</dt>
              <dd className="flex gap-1">
                {keys.map((key) => (
                  <Key key={key}>{key}</Key>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  );
}

export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-flex min-w-6 justify-center rounded-sm border border-border bg-surface px-1.5 font-sans text-code text-text-muted">
      {children}
    </kbd>
  );
}
