import type { ReactNode } from "react";

/** @param isOpen at first */
export function Fold({
  summary,
  isOpen = false,
  children,
}: {
  summary: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen}>
      <summary className="flex min-h-10 items-start gap-2.5 py-2 hover:text-accent">
        <FoldMark />
        {summary}
      </summary>
      {children}
    </details>
  );
}

function FoldMark() {
  return (
    <svg
      viewBox="0 0 8 8"
      aria-hidden="true"
      className="mt-[0.4rem] size-2 shrink-0 fill-current text-text-muted transition-transform duration-100 rtl:rotate-180 [details[open]>summary>&]:rotate-90 motion-reduce:transition-none"
    >
      <path d="M2 0l5 4-5 4z" />
    </svg>
  );
}
