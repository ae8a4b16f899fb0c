"use client";

import { FileText, Folder, History, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { movedBy } from "@/components/ui/list-keys";
import { say } from "@/lib/say";
import type { Contact } from "./contact";
import { forgetRecentSearches, keepRecentSearch, recentSearches } from "./recent-searches";
import { type Link, useAnswers, useStart } from "./search-answers";
import { SearchFoot, SearchNothing } from "./search-foot";
import { useSearchLog } from "./search-history";
import { Section } from "./search-section";
import type { SearchWords } from "./search-words";

/** Delay before screen readers announce results, so that they do not interrupt typing. */
const ANNOUNCE_MS = 400;

const groupLook = "flex min-h-8 items-center px-3 text-sm text-text-muted";

/** A line of the list. Only a recent search has no URL. */
interface Option {
  group: string;
  name: string;
  url?: string;
}

/**
 * Results while typing, in an ARIA combobox. The first one is marked when it answers what is typed.
 * @param field the page's search field, whose text and cursor are taken over
 */
export function SearchDialog({
  field,
  words,
  contact,
  onType,
  onClose,
}: {
  field: HTMLInputElement | null;
  words: SearchWords;
  contact: Contact | null;
  onType: (text: string) => void;
  onClose: () => void;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(field?.value ?? "");
  /** Null until a reader marks another option. */
  const [marked, setMarked] = useState<number | null>(null);
  const [recent, setRecent] = useState(recentSearches);
  const start = useStart();
  const { found, waits, problem } = useAnswers(text, words.failed);
  const isEmpty = text.trim() === "";
  const offered: Option[] = [
    ...recent.map((name) => ({ group: words.recent, name })),
    ...start.popular.map((link) => ({ group: words.popular, ...link })),
    ...start.categories.map((link) => ({ group: words.categories, ...link })),
  ];
  const results = isEmpty ? [] : (found?.results ?? []);
  const options = isEmpty ? offered.length : results.length;
  const active = marked ?? (!isEmpty && waits === "no" && options > 0 ? 0 : -1);
  const log = useSearchLog(found?.text ?? null, text);

  // A layout effect, so that the next key already goes to the dialog.
  useLayoutEffect(() => {
    const isTyping = field !== null && document.activeElement === field;
    dialog.current?.showModal();
    if (!isTyping) return input.current?.select();
    input.current?.setSelectionRange(field.selectionStart, field.selectionEnd);
  }, [field]);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const type = (typed: string) => {
    setText(typed);
    onType(typed);
    setMarked(null);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = movedBy(event.key, active, options);
    if (next !== null) {
      event.preventDefault();
      setMarked(next);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      dialog.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    }
  };
  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: "option",
    "aria-selected": index === active,
    onPointerMove: () => setMarked(index),
    className: `w-full cursor-pointer rounded-sm px-3 text-start no-underline ${index === active ? "bg-highlight" : ""}`,
  });

  return (
    <dialog
      ref={dialog}
      aria-label={words.label}
      onClose={() => {
        log.leave();
        onClose();
      }}
      // A click on the backdrop.
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      className="m-0 h-dvh max-h-none w-full max-w-none overflow-hidden bg-surface-raised text-text backdrop:bg-[oklch(0.2_0.01_70/0.45)] md:mx-auto md:mt-[10vh] md:h-[34rem] md:max-h-[78vh] md:w-[42rem] md:rounded-md md:border md:border-border md:shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
    >
      <div className="flex h-full flex-col">
        <form
          action="/search"
          onSubmit={() => {
            // The results page logs the search.
            log.drop();
            keepRecentSearch(text.trim());
          }}
          className="flex shrink-0 items-center border-b border-border ps-4 pe-2.5"
        >
          <Search aria-hidden="true" className="size-5 shrink-0 text-text-muted" />
          <input
            ref={input}
            name="q"
            role="combobox"
            aria-label={words.label}
            aria-autocomplete="list"
            aria-expanded={options > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            value={text}
            onChange={({ target }) => type(target.value)}
            onKeyDown={onKey}
            placeholder={words.placeholder}
            required
            maxLength={200}
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            // The dialog holds nothing else to type into, and the cursor shows the focus.
            className="h-14 min-w-0 flex-1 bg-transparent px-3 text-base outline-none placeholder:text-text-muted"
          />
          <button
            type="button"
            aria-label={words.leave}
            onClick={() => dialog.current?.close()}
            className="flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:text-text md:h-8 md:w-auto md:px-1.5"
          >
            <X aria-hidden="true" className="size-5 md:hidden" />
            <kbd
              aria-hidden="true"
              className="hidden rounded-sm border border-border px-1.5 font-sans text-[0.75rem]/5 md:block"
            >
              esc
            </kbd>
          </button>
        </form>
        <div aria-busy={waits !== "no"} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
          {!isEmpty && found?.correctedTerm && (
            <p className="px-5 pt-3 text-sm text-text-muted">
              {say(words.language, words.corrected, { term: found.correctedTerm })}
            </p>
          )}
          {!isEmpty && problem && <p className="px-5 pt-4 text-sm">{problem}</p>}
          {isEmpty && recent.length > 0 && (
            <div className="flex items-center justify-between gap-4 px-2 pt-2">
              <p title={words.recentNote} className={groupLook}>
                {words.recent}
              </p>
              <button
                type="button"
                onClick={() => {
                  forgetRecentSearches();
                  setRecent([]);
                  setMarked(null);
                  input.current?.focus();
                }}
                className="h-8 shrink-0 cursor-pointer rounded-sm px-3 text-sm text-text-muted hover:text-text"
              >
                {words.clear}
              </button>
            </div>
          )}
          <div id={`${id}-list`} role="listbox" aria-label={words.label} className="marked px-2 py-2 empty:p-0">
            {isEmpty
              ? groupsOf(offered).map(({ name, first, options }) => (
                  <div key={name} role="group" aria-label={name} className="mb-2">
                    {name !== words.recent && (
                      <div aria-hidden="true" className={groupLook}>
                        {name}
                      </div>
                    )}
                    {options.map(({ name: text, url }, index) => {
                      const { className, ...rest } = option(first + index);
                      const Icon = url === undefined ? History : name === words.popular ? FileText : Folder;
                      const content = (
                        <>
                          <Icon aria-hidden="true" className="size-4 shrink-0 text-text-muted" />
                          <span className="min-w-0 truncate">{text}</span>
                        </>
                      );
                      const look = `flex items-center gap-2.5 text-sm min-h-11 md:min-h-9 ${className}`;
                      return url === undefined ? (
                        <div
                          key={text}
                          {...rest}
                          className={look}
                          onClick={() => {
                            type(text);
                            input.current?.focus();
                          }}
                        >
                          {content}
                        </div>
                      ) : (
                        <a key={url} {...rest} href={url} tabIndex={-1} className={look}>
                          {content}
                        </a>
                      );
                    })}
                  </div>
                ))
              : results.map(({ url, titleHtml, sectionHtml, category, excerptHtml }, index) => {
                  const { className, ...rest } = option(index);
                  return (
                    <a
                      key={url}
                      {...rest}
                      className={`block py-2.5 ${className}`}
                      href={url}
                      tabIndex={-1}
                      onClick={({ currentTarget }) => {
                        log.open(found?.text ?? "", url);
                        keepRecentSearch(found?.text ?? "");
                        // A section of the open page loads no page.
                        if (currentTarget.pathname === location.pathname) dialog.current?.close();
                      }}
                    >
                      <span
                        className="marked-title block text-sm font-semibold wrap-anywhere"
                        dangerouslySetInnerHTML={{ __html: titleHtml }}
                      />
                      <span className="block truncate text-sm text-text-muted">{category}</span>
                      {sectionHtml && <Section html={sectionHtml} className="" />}
                      <span
                        className="mt-0.5 line-clamp-2 text-sm wrap-anywhere"
                        dangerouslySetInnerHTML={{ __html: excerptHtml }}
                      />
                    </a>
                  );
                })}
          </div>
          {!isEmpty && found?.total === 0 && (
            <SearchNothing text={found.text} categories={found.categories} contact={contact} words={words} />
          )}
        </div>
        <SearchFoot
          text={isEmpty ? "" : text.trim()}
          total={isEmpty ? null : (found?.total ?? null)}
          isWaiting={waits === "long"}
          words={words}
          onAll={() => {
            log.drop();
            keepRecentSearch(text.trim());
          }}
        />
      </div>
      <Announcement text={isEmpty ? "" : (problem ?? (found && waits === "no" ? announcementOf(found, words) : ""))} />
    </dialog>
  );
}

function groupsOf(options: Option[]): { name: string; first: number; options: (Option & Partial<Link>)[] }[] {
  const names = [...new Set(options.map(({ group }) => group))];
  return names.map((name) => ({
    name,
    first: options.findIndex(({ group }) => group === name),
    options: options.filter(({ group }) => group === name),
  }));
}

function announcementOf(
  { total, correctedTerm, text }: { total: number; correctedTerm: string | null; text: string },
  words: SearchWords,
): string {
  const { language } = words;
  if (total === 0) return say(language, words.nothing, { text });
  const count = say(language, words.count, { count: total });
  return correctedTerm ? `${count}. ${say(language, words.corrected, { term: correctedTerm })}` : count;
}

function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}
