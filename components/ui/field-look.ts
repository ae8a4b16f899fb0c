/** The classes of text fields and selects, without their width. */
const base =
  "min-w-0 rounded-sm border border-border-field bg-surface-raised text-base placeholder:text-text-muted aria-invalid:border-danger md:text-sm";

export const fieldLook = {
  normal: `${base} h-11 px-3 md:h-10`,
  medium: `${base} h-11 px-3 md:h-9`,
  small: `${base} h-11 px-2.5 md:h-8`,
  lines: `${base} px-3 py-2`,
};

export type FieldSize = "normal" | "medium" | "small";
