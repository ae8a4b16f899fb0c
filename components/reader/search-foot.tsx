import { say } from "@/lib/say";
import { type Contact, ContactLine } from "./contact";
import type { SearchWords } from "./search-words";

export function SearchFoot({
  text,
  total,
  isWaiting,
  words,
  onAll,
}: {
  text: string;
  total: number | null;
  isWaiting: boolean;
  words: SearchWords;
  onAll: () => void;
}) {
  const keys = [
    ["↑↓", words.navigate],
    ["↵", words.open],
    ["esc", words.close],
  ];
  return (
    <div className="flex min-h-11 shrink-0 items-center justify-between gap-x-6 border-t border-border px-4 text-sm text-text-muted">
      {isWaiting ? (
        <p>{words.searching}</p>
      ) : (
        <p aria-hidden="true" className="hidden gap-4 md:flex">
          {keys.map(([key, name]) => (
            <span key={key}>
              <kbd className="rounded-sm border border-border px-1 font-sans text-[0.75rem]/5">{key}</kbd> {name}
            </span>
          ))}
        </p>
      )}
      {text && total !== null && total > 0 && (
        <p className="ms-auto flex flex-wrap items-center justify-end gap-x-4">
          <span className="tabular-nums">{say(words.language, words.count, { count: total })}</span>
          <a
            href={`/search?${new URLSearchParams({ q: text }).toString()}`}
            onClick={onAll}
            className="flex min-h-9 items-center hover:text-text"
          >
            {words.all}
          </a>
        </p>
      )}
    </div>
  );
}

export function SearchNothing({
  text,
  categories,
  contact,
  words,
}: {
  text: string;
  categories: { name: string; url: string }[];
  contact: Contact | null;
  words: SearchWords;
}) {
  return (
    <div className="px-5 pt-3 pb-5 text-sm">
      <p className="text-base font-semibold wrap-anywhere">{say(words.language, words.nothing, { text })}</p>
      <p className="mt-1 text-text-muted">{words.hint}</p>
      <ContactLine contact={contact} prompt={words.contact} />
      {categories.length > 0 && (
        <>
          <p className="mt-4 font-medium">{words.browse}</p>
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
