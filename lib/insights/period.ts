// Which days insights are about, and how they compare with those before.

/** What can be chosen, as it stands in the address. */
export const periods = {
  "7": { name: "7 days", before: "the 7 days before", bar: "day", bars: 7 },
  "30": { name: "30 days", before: "the 30 days before", bar: "day", bars: 30 },
  "90": { name: "90 days", before: "the 90 days before", bar: "day", bars: 90 },
  "12m": { name: "12 months", before: "the 12 months before", bar: "month", bars: 12 },
} as const;

export type PeriodName = keyof typeof periods;

/** A period that ends now, and the one before it, in bars of a day or a calendar month each. */
export interface Span {
  period: PeriodName;
  bar: "day" | "month";
  /** The first days of the bars, such as "2026-11-22", ascending: those of the period before, then those of the period. */
  days: string[];
  /** How many of them are of each of the two. */
  bars: number;
}

/** The period that an address asks for: 30 days when it says nothing of use. */
export function periodOf(asked: string | string[] | undefined): PeriodName {
  return typeof asked === "string" && Object.hasOwn(periods, asked) ? (asked as PeriodName) : "30";
}

/**
 * The days of a period and of the one before it. Today is the last, as far as it has come.
 * @param timeZone an IANA name: whose today
 */
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

/** The first day of a span's period, not of the one before it. */
export function firstDay({ days, bars }: Span): string {
  return days[bars] as string;
}

/** When the bars of a span begin in a time zone, ascending. */
export function beginnings({ days }: Span, timeZone: string): Date[] {
  return days.map((day) => midnight(day, timeZone));
}

function dayIn(timeZone: string, at: Date): string {
  return new Date(at.getTime() + offset(timeZone, at.getTime())).toISOString().slice(0, 10);
}

function midnight(day: string, timeZone: string): Date {
  const there = Date.parse(`${day}T00:00Z`);
  // The offset is that of the moment which is looked for: near enough at first, exact the second time.
  const near = there - offset(timeZone, there);
  return new Date(there - offset(timeZone, near));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function offset(timeZone: string, at: number): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const part = "numeric";
    const parts = { year: part, month: part, day: part, hour: part, minute: part, second: part } as const;
    clock = new Intl.DateTimeFormat("en", { timeZone, hourCycle: "h23", ...parts });
    clocks.set(timeZone, clock);
  }
  const told = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = told;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** A number of a period, and what is known of the one before. */
export interface Compared {
  now: number;
  /** Null while nothing is known of the whole period before. */
  before: number | null;
}

/** How a number compares with the period before, in words. */
export function comparison({ now, before }: Compared, period: PeriodName): string {
  const then = periods[period].before;
  if (before === null) return `No comparison yet: there are no numbers of all of ${then}.`;
  if (now === before) return `As many as in ${then}.`;
  if (before === 0) return `None in ${then}.`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (percent === 0) return `About as many as in ${then}.`;
  return `${percent.toLocaleString("en")} % ${now > before ? "more" : "less"} than in ${then}.`;
}
