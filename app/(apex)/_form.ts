import type { FormState } from "@/components/ui/form";

/** What a form shows after it was refused: what was typed, but for passwords, and why. */
export function refusedWith(form: FormData, invalid: { field: string; message: string }[]): FormState {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (!name.startsWith("$ACTION") && !/password/i.test(name) && typeof value === "string") values[name] = value;
  }
  const errors: Record<string, string> = {};
  for (const { field, message } of invalid) {
    const place = form.has(field) ? field : "";
    errors[place] = errors[place] ? `${errors[place]} ${message}` : message;
  }
  return { values, errors };
}

/** A field of a form as text, without NUL, which the database refuses: empty when it was sent as a file, or not at all. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "") : "";
}

/** How long to wait, as people say it. */
export function inWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
