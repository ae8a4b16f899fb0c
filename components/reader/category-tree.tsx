import type { NavCategory } from "@/lib/reader/published-categories";

/**
 * The tree is on every page, so its links have no classes to keep pages small (app/tree.css styles them).
 * @param all the page of all categories of this level, linked when some are left out
 */
export function CategoryTree({
  nav,
  current = {},
  all = { href: "/categories", name: "All categories" },
}: {
  nav: NavCategory[];
  current?: { category?: string; article?: string };
  all?: { href: string; name: string };
}) {
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
              <small>
                {count.toLocaleString("en")}
                <span className="sr-only"> {count === 1 ? "article" : "articles"}</span>
              </small>
            </a>
            {(children.length > 0 || articles.length > 0) && (
              <div>
                {children.length > 0 && (
                  <CategoryTree nav={children} current={current} all={{ href, name: `All categories of ${name}` }} />
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
                    {articles.length < own && (
                      <More href={href} name={`All ${own.toLocaleString("en")} articles of ${name}`} />
                    )}
                  </ul>
                )}
              </div>
            )}
          </li>
        );
      })}
      {nav.at(-1)?.cut && <More {...all} />}
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
