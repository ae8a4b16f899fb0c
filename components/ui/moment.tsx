import { formatTime } from "./format-time";

const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/**
 * A relative time, such as "3 hours ago", with the exact time as a tooltip.
 * @param now the time of rendering
 * @param timeZone an IANA name
 */
export function Moment({ at, now, timeZone }: { at: Date; now: Date; timeZone: string }) {
  return (
    <time dateTime={at.toISOString()} title={`${formatTime(timeZone, at)}, ${timeZone}`} className="whitespace-nowrap">
      {spokenTime(at, now)}
    </time>
  );
}

/** Past times round down to whole units. Future times round to the nearest unit. */
function spokenTime(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const [unit, size] = steps.find(([, least]) => Math.abs(ms) >= least) ?? [];
  if (!unit || !size) return ms > 0 ? "in less than a minute" : "just now";
  return relative.format(ms > 0 ? Math.round(ms / size) : Math.trunc(ms / size), unit);
}
