import type { Breadcrumb } from "@/lib/reader/published-categories";

/** @param path without the page itself */
export function Breadcrumbs({ path }: { path: Breadcrumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="text-sm text-text-muted print:hidden">
      <ol className="flex flex-wrap gap-x-2 gap-y-1">
        <li>
          <a href="/" className="no-underline hover:text-text hover:underline">
            Home
          </a>
        </li>
        {path.map(({ slug, name }) => (
          <li key={slug} className="flex min-w-0 gap-x-2">
            <span aria-hidden="true">/</span>
            <a
              href={`/categories/${slug}`}
              className="min-w-0 break-words no-underline hover:text-text hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
