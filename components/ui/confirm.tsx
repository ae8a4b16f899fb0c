import type { ReactNode } from "react";
import { Button, type Look } from "./button";

/**
 * A button that asks for confirmation. Escape and a click outside cancel. Works without scripts.
 * @param id unique on the page
 * @param look the button's. Plain in lists, danger elsewhere
 * @param action receives the form, with the hidden fields in `children`
 */
export function Confirm({
  id,
  label,
  look = "plain",
  size = "small",
  title,
  action,
  yes,
  children,
  fields,
}: {
  id: string;
  label: string;
  title: string;
  action: (form: FormData) => Promise<void>;
  yes: string;
  children: ReactNode;
  fields: Record<string, string>;
} & Look) {
  return (
    <>
      <Button type="button" look={look} size={size} popoverTarget={id} aria-label={`${label}: ${title}`}>
        {label}
      </Button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        className="m-auto w-[min(26rem,92vw)] rounded-md border border-border bg-surface-raised p-5 text-left text-sm font-normal whitespace-normal text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)] backdrop:bg-[oklch(0.2_0.01_70/0.45)]"
      >
        <form action={action} className="grid gap-4">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <h2 id={`${id}-title`} className="text-base break-words">
            {title}
          </h2>
          <div className="text-text-muted">{children}</div>
          <div className="flex justify-end gap-2">
            <Button type="button" look="plain" popoverTarget={id} popoverTargetAction="hide">
              Cancel
            </Button>
            <Button type="submit" look="danger">
              {yes}
            </Button>
          </div>
        </form>
      </div>
    </>
  );
}
