import Link from "next/link";
import { number } from "./count";

/**
 * Navigation for a paged list. Hidden when there is only one page.
 * @param page from 1
 * @param address returns a page's URL and keeps the other parameters
 */
export function Pager({
  page,
  size,
  total,
  address,
}: {
  page: number;
  size: number;
  total: number;
  address: (page: number) => string;
}) {
  if (total <= size && page === 1) return null;
  const first = Math.min((page - 1) * size + 1, total);
  const link =
    "flex h-11 items-center rounded-sm border border-border-field px-3 no-underline hover:border-text-muted md:h-8";
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-between gap-4 text-text-muted">
      <p>
        {number(first)}–{number(Math.min(page * size, total))} of {number(total)}
      </p>
      <div className="flex gap-2 text-text">
        {page > 1 && (
          <Link href={address(page - 1)} prefetch={false} rel="prev" className={link}>
            Previous
          </Link>
        )}
        {page * size < total && (
          <Link href={address(page + 1)} prefetch={false} rel="next" className={link}>
            Next
          </Link>
        )}
      </div>
    </nav>
  );
}
