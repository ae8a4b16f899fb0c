/**
 * Parses a form's day and time, such as "2026-11-22T14:30", in a time zone. A time that clocks skip in spring becomes
 * one hour later.
 * @returns null for an invalid time
 */
export function timeIn(timeZone: string, typed: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(typed)) return null;
  const wanted = Date.parse(`${typed}:00Z`);
  if (Number.isNaN(wanted)) return null;
  // The offset from UTC depends on the time itself, so the second lookup uses the corrected time.
  let at = wanted - offset(timeZone, wanted);
  at = wanted - offset(timeZone, at);
  return new Date(at);
}

/** Formats a time for the form field. */
export function typedTime(timeZone: string, at: Date): string {
  return new Date(at.getTime() + offset(timeZone, at.getTime())).toISOString().slice(0, 16);
}

/** The offset of a time zone from UTC at a time, in milliseconds. */
function offset(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return shown - Math.floor(at / 1_000) * 1_000;
}
