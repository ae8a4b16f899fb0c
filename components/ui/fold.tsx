import type { ReactNode } from "react";

export function Fold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details>
      <summary className="flex min-h-10 items-start gap-2.5 py-2 hover:text-accent">
        <FoldMark />
        {summary}
      </summary>
      {children}
    </details>
  );
}

export function FoldMark() {
  return (
    <svg
      viewBox="0 0 8 8"
      aria-hidden="true"
      className="mt-[0.4rem] size-2 shrink-0 fill-current text-text-muted transition-transform duration-100 [details[open]>summary>&]:rotate-90 motion-reduce:transition-none"
    >
      <path d="M2 0l5 4-5 4z" />
    </svg>
  );
}
