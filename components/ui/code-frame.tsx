import type { ReactNode } from "react";

/** A panel of code with a line above it that says what it is. A CopyButton in it copies the code. */
export function CodeFrame({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div data-code-frame="" className="overflow-hidden rounded-md border border-border bg-surface-raised">
      <div className="flex min-h-11 items-center justify-between gap-3 border-b border-border pr-1.5 pl-4 text-sm">
        {head}
      </div>
      {children}
    </div>
  );
}

/** Highlighted code, as HTML of our own making. Scrolls by itself, by keyboard too; `short` also downwards. */
export function Code({ html, short = false }: { html: string; short?: boolean }) {
  return (
    <pre
      tabIndex={0}
      className={`overflow-auto px-4 py-3.5 text-code outline-offset-[-2px] ${short ? "max-h-96" : ""}`}
    >
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  );
}

/** Plain code that is short: it wraps, so that all of it is seen. */
export function CodeText({ children }: { children: string }) {
  return (
    <pre className="px-4 py-3.5 text-code wrap-anywhere whitespace-pre-wrap">
      <code>{children}</code>
    </pre>
  );
}
