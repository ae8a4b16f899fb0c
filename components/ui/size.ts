const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/**
 * Formats a file size: "500 bytes", "12 kB", "1.4 MB".
 * @param language for units and separators
 */
export function sizeOf(bytes: number, language = "en"): string {
  let [value, step] = [bytes, 0];
  // A size that would round to 1000 uses the next unit.
  while (value >= 999.5 && step < units.length - 1) [value, step] = [value / 1_000, step + 1];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: units[step],
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: value < 9.95 ? 1 : 0,
  }).format(value);
}
