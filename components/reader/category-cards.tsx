import { countOf } from "@/components/ui/count";
import type { CategoryCard } from "@/lib/reader/published-categories";

export function CategoryCards({ label, categories }: { label: string; categories: CategoryCard[] }) {
  return (
    <section aria-label={label} className="mt-10">
      <ul className="grid gap-4 sm:grid-cols-2">
        {categories.map(({ slug, name, description, count }) => (
          <li key={slug} className="relative rounded-md border border-border p-4 hover:border-border-field">
            <div className="flex items-baseline justify-between gap-4">
              <h2 className="min-w-0 text-base leading-snug font-semibold tracking-normal break-words">
                {/* The whole card is clickable. Screen readers read only the name. */}
                <a
                  href={`/categories/${slug}`}
                  className="no-underline after:absolute after:inset-0 after:rounded-md hover:underline"
                >
                  {name}
                </a>
              </h2>
              <span className="shrink-0 text-sm text-text-muted tabular-nums">{countOf(count, "article")}</span>
            </div>
            {description && <p className="mt-1 line-clamp-3 text-sm text-text-muted">{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
