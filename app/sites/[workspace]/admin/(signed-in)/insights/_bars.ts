import type { Span } from "@/lib/insights/period";

/** The name of a bar of a span's period, with a short one if there are few bars. */
export function barName({ days, bars, bar }: Span, index: number): { name: string; short?: string } {
  const day = new Date(`${days[bars + index]}T00:00Z`);
  const named = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en", { ...form, timeZone: "UTC" }).format(day);
  if (bar === "month")
    return { name: named({ month: "short", year: "numeric" }), short: named({ month: "short" }).slice(0, 3) };
  const name = named({ day: "numeric", month: "short" });
  return bars > 7 ? { name } : { name, short: named({ weekday: "short" }) };
}
