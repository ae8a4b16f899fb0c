import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes } from "react";

/** A button that shows only an icon. Its label is its name and its tooltip. */
export function IconButton({
  label,
  icon: Icon,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "children" | "type"> & {
  label: string;
  icon: LucideIcon;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:bg-highlight hover:text-text aria-expanded:text-text aria-pressed:bg-highlight aria-pressed:text-text md:size-8"
      {...rest}
    >
      <Icon aria-hidden="true" className="size-4" />
    </button>
  );
}
