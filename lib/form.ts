import type { InvalidField } from "@/lib/errors";

/** A field of a form as text, without NUL, which the database refuses: empty when it was sent as a file, or not at all. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}

/**
 * What a form shows after it was refused: what was typed, but for passwords and files, and why. Of several fields of one
 * name each is a line. What is about none of the form's fields stands above them all, under the empty name.
 * @param hidden names of fields that nobody has filled in
 */
export function refusedWith(
  form: FormData,
  invalid: readonly Pick<InvalidField, "field" | "message">[],
  hidden: readonly string[] = [],
): { values: Record<string, string>; errors: Record<string, string> } {
  const values: Record<string, string> = {};
  for (const name of new Set(form.keys())) {
    const sent = form.getAll(name).filter((value) => typeof value === "string");
    if (!name.startsWith("$ACTION") && !/password/i.test(name)) values[name] = sent.join("\n");
  }
  const errors: Record<string, string> = {};
  for (const { field, message } of invalid) {
    const place = form.has(field) && !hidden.includes(field) ? field : "";
    errors[place] = errors[place] ? `${errors[place]} ${message}` : message;
  }
  return { values, errors };
}

/** A span of time as a sentence says it, rounded up. */
export function spoken(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
