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
      <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 stroke-current stroke-[1.5]">
        <path d="M2 4h12M2 8h12M2 12h8" strokeLinecap="round" />
      </svg>
      {children}
    </button>
  );
}
