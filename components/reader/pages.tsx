import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";

/** Numbered links to the first, last and nearest pages of a list. */
export function Pages({
  page,
  pages,
  address,
  words,
}: {
  page: number;
  pages: number;
  address: (page: number) => string;
  words: Words;
}) {
  if (pages === 1) return null;
  const { language, pager, region } = words;
  const near = [1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  const link =
    "flex h-11 min-w-11 items-center justify-center rounded-sm px-2.5 tabular-nums no-underline hover:bg-highlight md:h-9 md:min-w-9";
  return (
    <nav aria-label={pager.label} className="mt-6 flex flex-wrap items-center justify-center gap-1 text-sm" {...region}>
      {page > 1 && (
        <a href={address(page - 1)} rel="prev" className={link}>
          {pager.previous}
        </a>
      )}
      {shown.flatMap((one, index) => [
        one - (shown[index - 1] ?? 0) > 1 && (
          <span key={-one} aria-hidden="true" className="text-text-muted">
            …
          </span>
        ),
        <a
          key={one}
          href={address(one)}
          aria-label={say(language, pager.page, { page: one })}
          aria-current={one === page ? "page" : undefined}
          className={`${link} ${one === page ? "bg-highlight font-semibold" : "text-text-muted"}`}
        >
          {one.toLocaleString(language)}
        </a>,
      ])}
      {page < pages && (
        <a href={address(page + 1)} rel="next" className={link}>
          {pager.next}
        </a>
      )}
    </nav>
  );
}
