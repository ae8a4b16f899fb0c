export const periods = {
  "7": { name: "7 days", before: "the previous 7 days", bar: "day", bars: 7 },
  "30": { name: "30 days", before: "the previous 30 days", bar: "day", bars: 30 },
  "90": { name: "90 days", before: "the previous 90 days", bar: "day", bars: 90 },
  "12m": { name: "12 months", before: "the previous 12 months", bar: "month", bars: 12 },
} as const;

export type PeriodName = keyof typeof periods;

export interface Span {
  period: PeriodName;
  bar: "day" | "month";
  /** Ascending, such as "2026-11-22": the days of the previous period, then those of the period. */
  days: string[];
  /** Bars in each of the two. */
  bars: number;
}

export function periodOf(value: string | string[] | undefined): PeriodName {
  return typeof value === "string" && Object.hasOwn(periods, value) ? (value as PeriodName) : "30";
}

/** Today, in the time zone, is the last day. */
export function spanOf(period: PeriodName, timeZone: string, now: Date): Span {
  const { bar, bars } = periods[period];
  const [year = 0, month = 1, day = 1] = dayIn(timeZone, now).split("-").map(Number);
  const days = Array.from({ length: 2 * bars }, (_, index) => {
    const back = 2 * bars - 1 - index;
    const first = bar === "day" ? Date.UTC(year, month - 1, day - back) : Date.UTC(year, month - 1 - back, 1);
    return new Date(first).toISOString().slice(0, 10);
  });
  return { period, bar, bars, days };
}

export function firstDay({ days, bars }: Span): string {
  return days[bars] as string;
}

export function beginnings({ days }: Span, timeZone: string): Date[] {
  return days.map((day) => midnight(day, timeZone));
}

function dayIn(timeZone: string, at: Date): string {
  return new Date(at.getTime() + offset(timeZone, at.getTime())).toISOString().slice(0, 10);
}

function midnight(day: string, timeZone: string): Date {
  const there = Date.parse(`${day}T00:00Z`);
  // The offset belongs to the moment in question: approximate first, exact the second time.
  const near = there - offset(timeZone, there);
  return new Date(there - offset(timeZone, near));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function offset(timeZone: string, at: number): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const part = "numeric";
    const parts = { year: part, month: part, day: part, hour: part, minute: part, second: part } as const;
    clock = new Intl.DateTimeFormat("en", { timeZone, hourCycle: "h23", ...parts });
    clocks.set(timeZone, clock);
  }
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

export interface Compared {
  now: number;
  /** Null unless the whole previous period is known. */
  before: number | null;
}

export function comparison({ now, before }: Compared, period: PeriodName): string {
  const then = periods[period].before;
  if (before === null) return "Not enough data to compare yet.";
  if (now === before) return `Same as ${then}.`;
  if (before === 0) return `None in ${then}.`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (percent === 0) return `About the same as ${then}.`;
  return `${percent.toLocaleString("en")}% ${now > before ? "more" : "less"} than ${then}.`;
}
