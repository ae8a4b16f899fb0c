import Link from "next/link";
import { type PeriodName, periods } from "@/lib/insights/period";

/** The choice of periods, with the current one. */
export function PeriodChoice({ path, period }: { path: string; period: PeriodName }) {
  return (
    <nav aria-label="Period">
      <ul className="flex flex-wrap gap-1.5">
        {Object.entries(periods).map(([value, { name }]) => (
          <li key={value}>
            <Link
              href={`${path}?period=${value}`}
              prefetch={false}
              aria-current={value === period ? "true" : undefined}
              className="flex h-11 items-center rounded-sm border border-border-field px-3 no-underline hover:border-text-muted aria-[current]:border-accent aria-[current]:bg-highlight aria-[current]:font-medium md:h-8"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
