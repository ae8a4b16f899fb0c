/** Articles with what tells of them. */
export function ArticleList({
  label,
  articles,
}: {
  label: string;
  articles: readonly { slug: string; title: string; summary: string }[];
}) {
  return (
    <section aria-label={label} className="mt-10">
      <ul className="border-t border-border">
        {articles.map(({ slug, title, summary }) => (
          <li key={slug} className="border-b border-border py-4">
            <h2 className="text-base leading-snug font-semibold tracking-normal break-words">
              <a href={`/articles/${slug}`} className="no-underline hover:underline">
                {title}
              </a>
            </h2>
            {summary && <p className="mt-1 line-clamp-2 text-sm break-words text-text-muted">{summary}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
