import { Inbox, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Replaces an empty list with its purpose and a first step. */
export function Empty({
  title,
  icon: Icon = Inbox,
  children,
  action,
}: {
  title: string;
  icon?: LucideIcon;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center rounded-md border border-border bg-surface-raised px-6 py-12 text-center">
      <span className="mb-4 flex size-10 items-center justify-center rounded-full bg-highlight text-text-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <h2 className="text-md font-semibold">{title}</h2>
      {children && <div className="mt-1 max-w-[30rem] text-text-muted">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
