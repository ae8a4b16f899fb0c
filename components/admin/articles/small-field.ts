export const smallField =
  "h-11 min-w-0 rounded-sm border border-border-field bg-surface px-2.5 text-base md:h-8 md:text-sm";
