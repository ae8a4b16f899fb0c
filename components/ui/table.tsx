import type { ReactNode } from "react";

/**
 * A dense table. On phones, each row is a card with the column names beside the values. ARIA roles keep it a table for
 * screen readers.
 * @param columns an empty name is a column of buttons
 * @param dense on phones, the first cell has its own line and the others share as few lines as possible. Only the
 *   columns named here keep their names, because their values need them.
 */
export function Table({
  label,
  columns,
  dense,
  rows,
}: {
  label: string;
  columns: string[];
  dense?: string[];
  rows: { key: string; cells: ReactNode[] }[];
}) {
  return (
    <table role="table" aria-label={label} className="block w-full border-collapse text-left md:table">
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-border">
          {columns.map((column, index) => (
            <th
              key={index}
              role="columnheader"
              scope="col"
              className="h-9 pr-4 align-middle font-medium whitespace-nowrap text-text-muted last:pr-0"
            >
              {column || <span className="sr-only">Actions</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-3 md:table-row-group">
        {rows.map(({ key, cells }) => (
          <tr
            key={key}
            role="row"
            className={`${dense ? "flex flex-wrap items-baseline gap-x-4 gap-y-1" : "grid gap-1.5"} rounded-md border border-border bg-surface-raised p-3.5 md:table-row md:rounded-none md:border-0 md:border-b md:bg-transparent md:p-0 md:hover:bg-surface-raised`}
          >
            {cells.map((cell, index) => (
              <td
                key={index}
                role="cell"
                className={`${dense ? `flex gap-1.5 ${index === 0 ? "basis-full" : ""}` : "grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3"} min-w-0 items-baseline break-words md:table-cell md:h-10 md:py-1 md:pr-4 md:align-middle md:last:pr-0`}
              >
                {(!dense || dense.includes(columns[index] ?? "")) && (
                  <span aria-hidden="true" className="text-text-muted md:hidden">
                    {columns[index]}
                  </span>
                )}
                <span className="min-w-0">{cell}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
