import { Menu } from "lucide-react";

/** Opens side content that does not fit on a phone. Works without scripts. @param target the id of a popover */
export function SheetButton({
  target,
  children,
  className = "",
}: {
  target: string;
  children: string;
  className?: string;
}) {
  return (
    <button
      type="button"
      popoverTarget={target}
      className={`flex h-11 shrink-0 cursor-pointer items-center gap-2 rounded-sm border border-border-field bg-surface-raised px-3.5 text-sm font-medium ${className}`}
    >
      <Menu aria-hidden="true" className="size-4" />
      {children}
    </button>
  );
}
