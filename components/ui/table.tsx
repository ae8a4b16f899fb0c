import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

interface Column {
  name: string;
  /** A control before the name. */
  before?: ReactNode;
  /** Sorts by this column. */
  sort?: { href: string; direction: "ascending" | "descending" | null };
  /** Numbers align at their ends. */
  align?: "end";
  /** Takes the room that is left, and cuts off what does not fit. */
  clip?: boolean;
  /** One icon button, on phones at the end of the card's first line. */
  menu?: boolean;
}

/**
 * A dense table, whose head stays in view. On phones, each row is a card with the column names beside the values. ARIA
 * roles keep it a table for screen readers.
 * @param columns an empty name is a column of buttons
 * @param dense on phones, cells share as few lines as possible. If there are more than three columns, the first cell has its
 *   own line. Only the columns listed here show their names, because their values need them.
 */
export function Table({
  label,
  columns: given,
  dense,
  rows,
}: {
  label: string;
  columns: (string | Column)[];
  dense?: string[];
  rows: { key: string; cells: ReactNode[] }[];
}) {
  const columns = given.map((column): Column => (typeof column === "string" ? { name: column } : column));
  const hasMenu = columns.some(({ menu }) => menu);
  return (
    <table
      role="table"
      aria-label={label}
      className="block w-full border-separate border-spacing-0 text-left md:table [&_tbody_a]:no-underline [&_tbody_a:hover]:underline"
    >
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row">
          {columns.map(({ name, before, sort, align, clip }, index) => (
            <th
              key={index}
              role="columnheader"
              scope="col"
              aria-sort={sort?.direction ?? undefined}
              className={`sticky top-0 z-1 h-9 border-b border-border bg-surface px-2 align-middle first:pl-0 last:pr-0 text-code font-medium whitespace-nowrap text-text-muted ${align === "end" ? "text-right" : ""} ${clip ? "w-full" : ""}`}
            >
              {before}
              {sort ? (
                <Link
                  href={sort.href}
                  prefetch={false}
                  replace
                  scroll={false}
                  className={`group -mx-1 inline-flex items-center gap-1 rounded-sm px-1 py-1 no-underline hover:text-text ${sort.direction ? "text-text" : ""} ${align === "end" ? "flex-row-reverse" : ""}`}
                >
                  {name}
                  <SortMark direction={sort.direction} />
                </Link>
              ) : (
                name || <span className="sr-only">Actions</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-3 md:table-row-group">
        {rows.map(({ key, cells }) => (
          <tr
            key={key}
            role="row"
            className={`${dense ? "flex flex-wrap items-baseline gap-x-4 gap-y-1" : "grid gap-1.5"} relative rounded-md border border-border bg-surface-raised p-3.5 md:table-row md:border-0 md:bg-transparent md:p-0 md:focus-within:bg-highlight md:hover:bg-surface-raised md:has-checked:bg-highlight`}
          >
            {cells.map((cell, index) => {
              const { name, align, clip, menu } = columns[index] ?? { name: "" };
              return (
                <td
                  key={index}
                  role="cell"
                  className={`${dense ? `flex gap-1.5 ${index === 0 ? (columns.length > 3 ? "basis-full" : "grow") : ""} ${name === "" ? "max-md:ml-auto" : ""}` : "grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3"} min-w-0 items-baseline break-words md:table-cell md:h-10 md:border-b md:border-border md:px-2 md:py-1 md:align-middle md:first:pl-0 md:last:pr-0 ${align === "end" ? "tabular-nums md:text-right" : ""} ${clip ? "md:max-w-0" : ""} ${menu ? "max-md:absolute max-md:top-1 max-md:right-1" : ""} ${hasMenu && index === 0 ? "max-md:pr-9" : ""}`}
                >
                  {(!dense || dense.includes(name)) && (
                    <span aria-hidden="true" className="text-text-muted md:hidden">
                      {name}
                    </span>
                  )}
                  <span className="min-w-0">{cell}</span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SortMark({ direction }: { direction: "ascending" | "descending" | null }) {
  const Arrow = direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <Arrow
      aria-hidden="true"
      className={`size-3.5 ${direction ? "" : "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"}`}
    />
  );
}
