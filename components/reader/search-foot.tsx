import { countOf } from "@/components/ui/count";
import { SearchKeySwitch } from "./search-key";

export function SearchFoot({
  text,
  total,
  message,
  onAll,
}: {
  text: string;
  total: number | null;
  message: string | null;
  onAll: () => void;
}) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-border px-5 py-2 text-sm text-text-muted">
      {text ? (
        <p>{message ?? (total === null ? "" : countOf(total, "article"))}</p>
      ) : (
        <p aria-hidden="true" className="hidden md:block">
          ↑ ↓ to choose, Enter to open, Esc to close
        </p>
      )}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-x-5">
        {text && (
          <a
            href={`/search?${new URLSearchParams({ q: text }).toString()}`}
            onClick={onAll}
            className="flex min-h-9 items-center hover:text-text"
          >
            See all results
          </a>
        )}
        <SearchKeySwitch />
      </div>
    </div>
  );
}

export function SearchNothing({ text, categories }: { text: string; categories: { name: string; url: string }[] }) {
  return (
    <div className="px-5 pt-3 pb-5 text-sm">
      <p className="text-base font-semibold wrap-anywhere">Nothing found for “{text}”</p>
      <p className="mt-1 text-text-muted">Try another word for the same thing, or the beginning of a long word.</p>
      {categories.length > 0 && (
        <>
          <p className="mt-4 font-medium">Look in a category</p>
          <ul className="mt-1 grid sm:grid-cols-2 sm:gap-x-6">
            {categories.map(({ name, url }) => (
              <li key={url}>
                <a href={url} className="flex min-h-10 items-center wrap-anywhere no-underline hover:underline">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
