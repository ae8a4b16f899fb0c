"use client";

import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { countOf } from "@/components/ui/count";
import { movedBy } from "@/components/ui/list-keys";
import { forgetRecentSearches, keepRecentSearch, recentSearches } from "./recent-searches";
import { useAnswers } from "./search-answers";
import { SearchFoot, SearchNothing } from "./search-foot";
import { useSearchLog } from "./search-history";
import { Section } from "./search-section";

/** Delay before screen readers announce results, so that they do not interrupt typing. */
const ANNOUNCE_MS = 400;

/**
 * Results while typing, in an ARIA combobox.
 * @param field the page's search field, whose text and cursor are taken over
 */
export function SearchDialog({ field, onClose }: { field: HTMLInputElement | null; onClose: (text: string) => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(field?.value ?? "");
  const [active, setActive] = useState(-1);
  const [recent, setRecent] = useState(recentSearches);
  const { found, waits, problem } = useAnswers(text);
  const isEmpty = text.trim() === "";
  const options = isEmpty ? recent.length : (found?.results.length ?? 0);
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
    setActive(-1);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = movedBy(event.key, active, options);
    if (next !== null) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      dialog.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    }
  };
  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: "option",
    "aria-selected": index === active,
    onPointerMove: () => setActive(index),
    className: `block w-full cursor-pointer rounded-sm px-3 py-2.5 text-left no-underline ${index === active ? "bg-highlight" : ""}`,
  });

  return (
    <dialog
      ref={dialog}
      aria-label="Search"
      onClose={() => {
        log.leave();
        onClose(text);
      }}
      // A click on the backdrop.
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      className="m-0 h-dvh max-h-none w-full max-w-none overflow-hidden bg-surface-raised text-text backdrop:bg-[oklch(0.2_0.01_70/0.45)] md:mx-auto md:mt-[10vh] md:h-fit md:w-[42rem] md:rounded-md md:border md:border-border md:shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
    >
      <div className="flex max-h-full flex-col md:max-h-[76vh]">
        <form
          action="/search"
          onSubmit={() => {
            // The results page logs the search.
            log.drop();
            keepRecentSearch(text.trim());
          }}
          className="flex items-center gap-2 border-b border-border pr-2"
        >
          <input
            ref={input}
            name="q"
            role="combobox"
            aria-label="Search"
            aria-autocomplete="list"
            aria-expanded={options > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            value={text}
            onChange={({ target }) => type(target.value)}
            onKeyDown={onKey}
            placeholder="Search the articles"
            required
            maxLength={200}
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="h-14 min-w-0 flex-1 rounded-sm bg-transparent px-4 text-base outline-offset-[-4px] placeholder:text-text-muted"
          />
          <button
            type="button"
            onClick={() => dialog.current?.close()}
            className="h-11 shrink-0 cursor-pointer rounded-sm px-3 text-sm text-text-muted hover:text-text"
          >
            Close
          </button>
        </form>
        <div aria-busy={waits !== "no"} className="min-h-0 overflow-y-auto overscroll-contain">
          {!isEmpty && found?.correctedTerm && (
            <p className="px-5 pt-4 text-sm text-text-muted">
              Showing results for “<b className="font-semibold text-text">{found.correctedTerm}</b>”
            </p>
          )}
          {isEmpty && recent.length > 0 && (
            <div className="flex items-center justify-between gap-4 px-5 pt-3 text-sm text-text-muted">
              <p>Recent searches, in this browser alone</p>
              <button
                type="button"
                onClick={() => {
                  forgetRecentSearches();
                  setRecent([]);
                  setActive(-1);
                  input.current?.focus();
                }}
                className="h-9 shrink-0 cursor-pointer rounded-sm px-2 underline underline-offset-[0.2em] hover:text-text"
              >
                Clear
              </button>
            </div>
          )}
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={isEmpty ? "Recent searches" : "Results"}
            className="marked px-2 py-2 empty:p-0"
          >
            {isEmpty
              ? recent.map((one, index) => (
                  <div
                    key={one}
                    {...option(index)}
                    onClick={() => {
                      type(one);
                      input.current?.focus();
                    }}
                  >
                    <span className="block text-sm wrap-anywhere">{one}</span>
                  </div>
                ))
              : found?.results.map(({ url, titleHtml, sectionHtml, category, excerptHtml }, index) => (
                  <a
                    key={url}
                    {...option(index)}
                    href={url}
                    tabIndex={-1}
                    onClick={({ currentTarget }) => {
                      log.open(found.text, url);
                      keepRecentSearch(found.text);
                      // A section of the open page loads no page.
                      if (currentTarget.pathname === location.pathname) dialog.current?.close();
                    }}
                  >
                    <span
                      className="block text-sm font-semibold wrap-anywhere"
                      dangerouslySetInnerHTML={{ __html: titleHtml }}
                    />
                    <span className="block text-sm wrap-anywhere text-text-muted">{category}</span>
                    {sectionHtml && <Section html={sectionHtml} className="block" />}
                    <span
                      className="mt-0.5 line-clamp-2 text-sm wrap-anywhere"
                      dangerouslySetInnerHTML={{ __html: excerptHtml }}
                    />
                  </a>
                ))}
          </div>
          {!isEmpty && found?.total === 0 && <SearchNothing text={found.text} categories={found.categories} />}
        </div>
        <SearchFoot
          text={isEmpty ? "" : text.trim()}
          total={isEmpty ? null : (found?.total ?? null)}
          message={problem ?? (waits === "long" ? "Searching …" : null)}
          onAll={() => {
            log.drop();
            keepRecentSearch(text.trim());
          }}
        />
      </div>
      <Announcement text={isEmpty ? "" : (problem ?? (found && waits === "no" ? announcementOf(found) : ""))} />
    </dialog>
  );
}

function announcementOf({
  total,
  correctedTerm,
  text,
}: {
  total: number;
  correctedTerm: string | null;
  text: string;
}): string {
  if (total === 0) return `Nothing found for ${text}.`;
  const count = countOf(total, "result");
  return correctedTerm ? `${count}, for ${correctedTerm} too.` : `${count}.`;
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
