import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "./button";
import { FoldMark } from "./fold";

/**
 * The filter of a list. Its fields are in the address, so that a filtered list can be bookmarked and shared.
 * @param action the address of the list
 * @param columns of the grid that its fields and its button stand in
 * @param more fields that are folded on a phone, where they would fill the screen
 * @param inUse how many of those narrow the list: said while they are folded
 * @param isFiltered whether anything narrows it, and can be cleared
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
