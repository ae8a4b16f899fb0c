import { type ComponentProps, useId } from "react";

/** A labelled input. */
export function Field({ label, ...rest }: Omit<ComponentProps<"input">, "className" | "id"> & { label: string }) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className="h-11 w-full rounded-sm border border-border-field bg-surface-raised px-3 text-base placeholder:text-text-muted md:h-10 md:text-sm"
        {...rest}
      />
    </div>
  );
}
