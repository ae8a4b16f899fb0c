import type { InvalidField } from "@/lib/errors";

/** Without NUL, which the database refuses. Empty if missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}

/** The values and errors to show after a refusal. The empty name holds errors of `hidden` fields and of no field. */
export function refusedWith(
  form: FormData,
  invalid: readonly Pick<InvalidField, "field" | "message">[],
  hidden: readonly string[] = [],
): { values: Record<string, string>; errors: Record<string, string> } {
  const values: Record<string, string> = {};
  for (const name of new Set(form.keys())) {
    const sent = form.getAll(name).filter((value) => typeof value === "string");
    if (!name.startsWith("$ACTION") && !/password|secret/i.test(name)) values[name] = sent.join("\n");
  }
  const errors: Record<string, string> = {};
  for (const { field, message } of invalid) {
    const place = form.has(field) && !hidden.includes(field) ? field : "";
    errors[place] = errors[place] ? `${errors[place]} ${message}` : message;
  }
  return { values, errors };
}

export function spoken(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
