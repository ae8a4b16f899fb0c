import { ChevronRight } from "lucide-react";
import type { Breadcrumb } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";

/**
 * One line. On phones only the last category is named.
 * @param path without the page itself
 */
export function Breadcrumbs({ path, words }: { path: Breadcrumb[]; words: Words }) {
  const link = "block min-w-0 truncate no-underline hover:text-text hover:underline";
  return (
    <nav aria-label={words.frame.breadcrumbs} className="text-sm text-text-muted print:hidden">
      <ol className="flex min-w-0 items-center gap-x-1.5">
        <li className="shrink-0">
          <a href="/" className={link} {...words.region}>
            {words.frame.home}
          </a>
        </li>
        {path.map(({ slug, name }, index) => (
          <li
            key={slug}
            className={`min-w-0 items-center gap-x-1.5 ${index === path.length - 1 ? "flex" : "hidden shrink-[4] sm:flex"}`}
          >
            <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 rtl:-scale-x-100" />
            <a href={`/categories/${slug}`} className={link}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
