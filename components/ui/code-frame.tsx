import type { ReactNode } from "react";

/** A panel of code with a caption line. A CopyButton inside copies the code. */
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

/**
 * Highlighted code, as HTML that Lectern generated. Scrolls on its own, also by keyboard. `short` also limits the
 * height.
 */
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

/** Short plain code. It wraps, so that all of it is visible. */
export function CodeText({ children }: { children: string }) {
  return (
    <pre className="px-4 py-3.5 text-code wrap-anywhere whitespace-pre-wrap">
      <code>{children}</code>
    </pre>
  );
}
