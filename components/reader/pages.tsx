export function Pages({ path, page, pages }: { path: string; page: number; pages: number }) {
  if (pages === 1) return null;
  const link = "inline-flex min-h-11 items-center";
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-between gap-4 text-sm">
      {page > 1 ? (
        <a href={page > 2 ? `${path}?page=${page - 1}` : path} rel="prev" className={link}>
          Previous page
        </a>
      ) : (
        <span />
      )}
      <span className="text-text-muted tabular-nums">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <a href={`${path}?page=${page + 1}`} rel="next" className={link}>
          Next page
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
