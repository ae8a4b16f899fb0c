import type { ReactNode } from "react";

/** Replaces an empty list with its purpose and a first step. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="rounded-md border border-border bg-surface-raised px-6 py-10">
      <h2 className="text-base">{title}</h2>
      <div className="mt-1.5 max-w-[36rem] text-text-muted">{children}</div>
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
