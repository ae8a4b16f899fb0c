import type { NavCategory } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";

const FEW_CATEGORIES = 30;

/** Whether there are too many categories to find one by looking. */
export function hasFilter(nav: NavCategory[]): boolean {
  return nav.reduce((sum, { below }) => sum + 1 + below, 0) > FEW_CATEGORIES;
}

/**
 * The tree is on every page, so its parts have no classes to keep pages small (app/tree.css styles them). Buttons open a
 * category in place (tree-aids.tsx). Without scripts, its link opens it on its own page.
 * @param above the category of this level, null at the top
 */
export function CategoryTree({
  nav,
  current = {},
  above = null,
  words,
}: {
  nav: NavCategory[];
  current?: { category?: string; article?: string };
  above?: { slug: string; name: string } | null;
  words: Words;
}) {
  const { language, tree } = words;
  return (
    <ul>
      {nav.map((category) => {
        const { slug, name, count, open, children, articles, own } = category;
        const isPage = slug === current.category && current.article === undefined;
        const href = `/categories/${slug}`;
        return (
          <li key={slug}>
            <a href={href} aria-current={isPage ? "page" : undefined} className={open ? "open" : undefined}>
              <span>{name}</span>
              {!above && <small>{count.toLocaleString(language)}</small>}
            </a>
            <button type="button" aria-expanded={open} aria-label={name} data-of={slug} />
            {open && (
              <div>
                {children.length > 0 && (
                  <CategoryTree nav={children} current={current} above={category} words={words} />
                )}
                {articles.length > 0 && (
                  <ul>
                    {articles.map((article) => (
                      <li key={article.slug}>
                        <a
                          href={`/articles/${article.slug}`}
                          aria-current={article.slug === current.article ? "page" : undefined}
                        >
                          <span>{article.title}</span>
                        </a>
                      </li>
                    ))}
                    {articles.length < own && <More href={href} name={say(language, tree.articles, { count: own })} />}
                  </ul>
                )}
              </div>
            )}
          </li>
        );
      })}
      {nav.at(-1)?.cut && (
        <More
          href={above ? `/categories/${above.slug}` : "/categories"}
          name={above ? say(language, tree.allOf, { name: above.name }) : tree.all}
        />
      )}
    </ul>
  );
}

function More({ href, name }: { href: string; name: string }) {
  return (
    <li>
      <a href={href} className="more">
        <span>{name}</span>
      </a>
    </li>
  );
}
