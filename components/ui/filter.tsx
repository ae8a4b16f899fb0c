import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "./button";
import { FoldMark } from "./fold";

/**
 * A list's filter. Its fields are in the URL, so that a filtered list can be bookmarked and shared.
 * @param action the list's URL
 * @param columns the grid columns for the fields and the button
 * @param more fields that are folded on a phone, where they would fill the screen
 * @param inUse the number of folded fields with a value, shown while folded
 * @param isFiltered whether a filter is set and can be cleared
 */
export function Filter({
  action,
  columns,
  more,
  inUse = 0,
  isFiltered = false,
  children,
}: {
  action: string;
  columns: string;
  more?: ReactNode;
  inUse?: number;
  isFiltered?: boolean;
  children: ReactNode;
}) {
  return (
    <form action={action} role="search" className={`mb-5 grid items-end gap-3 ${columns}`}>
      {children}
      {more && (
        <details className="details-content:grid details-content:gap-3 supports-[selector(::details-content)]:md:contents supports-[selector(::details-content)]:md:details-content:contents supports-[selector(::details-content)]:md:details-content:[content-visibility:visible]">
          <summary className="flex h-11 items-start gap-2.5 py-2.5 supports-[selector(::details-content)]:md:hidden">
            <FoldMark /> More to filter by{inUse > 0 && `: ${inUse} in use`}
          </summary>
          {more}
        </details>
      )}
      <Button type="submit" look="plain">
        Filter
      </Button>
      {isFiltered && (
        <Link href={action} prefetch={false} className="col-span-full flex h-11 items-center justify-self-start md:h-6">
          Clear filters
        </Link>
      )}
    </form>
  );
}
