import type { CategoryCard } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";

/** With more categories than this, a list is easier to read than cards. */
const MOST_CARDS = 12;

export function CategoryCards({
  label,
  categories,
  words,
}: {
  label: string;
  categories: CategoryCard[];
  words: Words;
}) {
  if (categories.length > MOST_CARDS) {
    return (
      <section aria-label={label} className="mt-8">
        <ul className="gap-x-10 border-t border-border sm:columns-2">
          {categories.map(({ slug, name, count }) => (
            <li key={slug} className="break-inside-avoid border-b border-border">
              <a
                href={`/categories/${slug}`}
                className="flex min-h-11 items-baseline justify-between gap-4 py-2.5 text-sm no-underline hover:underline"
              >
                <span className="min-w-0 break-words">{name}</span>
                <span className="shrink-0 text-text-muted tabular-nums">{count.toLocaleString(words.language)}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section aria-label={label} className="mt-8">
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
              <span className="shrink-0 text-sm text-text-muted tabular-nums" {...words.region}>
                {say(words.language, words.articles, { count })}
              </span>
            </div>
            {description && <p className="mt-1 line-clamp-3 text-sm text-text-muted">{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
