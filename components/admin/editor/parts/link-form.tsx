"use client";

import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { movedBy } from "@/components/ui/list-keys";
import { comboboxOf, SearchList, useFound } from "@/components/ui/search-list";
import { addressOf } from "./addresses";
import { anchorsIn } from "./anchors";
import { AskBox, askField } from "./ask-box";
import { linkAt, removeLink, setLink } from "./links";

export interface LinkTarget {
  title: string;
  href: string;
  category: string;
}

export type FindArticles = (query: string) => Promise<LinkTarget[]>;

/** Asks for a link target: an article or a heading of this one, found by its words, or any URL. */
export function LinkForm({
  editor,
  findArticles,
  onClose,
}: {
  editor: Editor;
  findArticles: FindArticles;
  onClose: () => void;
}) {
  const id = useId();
  const [before] = useState(() => linkAt(editor) ?? "");
  const [text, setText] = useState(before);
  const [marked, mark] = useState(-1);
  const [refusal, refuse] = useState("");
  /** The writer pressed Enter before the articles arrived. */
  const isSent = useRef(false);
  const term = text.trim();
  const address = addressOf(term);
  const isSearched = term !== "" && term !== before && !address?.isSure;
  const { found: answered, isWaiting } = useFound(isSearched ? term : null, findArticles);

  const articles = answered ?? [];
  // A possible host that is also a word in an article's title counts as the title.
  const isNamed = articles.some(({ title }) => title.toLowerCase().includes(term.toLowerCase()));
  const own =
    address && isSearched && !isWaiting
      ? [{ title: address.href, href: address.href, category: "URL", text: term }]
      : [];
  const headings = isSearched ? headingsCalled(editor, term) : [];
  const named = [...headings, ...articles].map((target) => ({ ...target, text: target.title }));
  const found = isNamed ? [...named, ...own] : [...own, ...named];
  /** Enter takes the first article unless another one is marked. */
  const active = Math.max(0, marked);
  const close = () => {
    onClose();
    editor.commands.focus();
  };
  const set = (href: string, title?: string) => {
    setLink(editor, href, title);
    onClose();
  };
  const remove = () => {
    removeLink(editor);
    onClose();
  };
  const submit = () => {
    const chosen = found[active];
    if (term === "") remove();
    else if (address?.isSure) set(address.href);
    else if (term === before) close();
    else if (isWaiting) isSent.current = true;
    else if (chosen) set(chosen.href, chosen.text);
    else refuse("No results. Enter a full URL.");
  };
  const submitAgain = useEffectEvent(submit);
  useEffect(() => {
    if (!isSent.current || isWaiting) return;
    isSent.current = false;
    submitAgain();
  }, [isWaiting]);
  const onKey = ({ key }: KeyboardEvent) => {
    const next = key.startsWith("Arrow") ? movedBy(key, marked, found.length) : null;
    if (next !== null) mark(next);
    return next !== null;
  };
  const says =
    refusal ||
    (isWaiting
      ? "Searching…"
      : answered === null
        ? "Search is unavailable. You can paste a URL."
        : isSearched && found.length === 0
          ? "No results"
          : "");

  return (
    <AskBox editor={editor} label="Link" onKey={onKey} onClose={onClose}>
      {/* Not a form element: nested in the draft's form, it would submit and leave the page. */}
      <div className="flex items-center gap-1 p-1.5">
        <input
          {...comboboxOf(`${id}-list`, found.length, active)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
          aria-label="Article, heading, or URL"
          aria-invalid={refusal !== "" || undefined}
          aria-describedby={`${id}-says`}
          value={text}
          maxLength={2000}
          placeholder="Search, or paste a URL"
          onChange={({ target }) => {
            setText(target.value);
            mark(-1);
            isSent.current = false;
            refuse("");
          }}
          autoComplete="off"
          spellCheck={false}
          className={askField}
        />
        {before !== "" && (
          <button
            type="button"
            onClick={remove}
            className="h-11 shrink-0 cursor-pointer rounded-sm px-2.5 text-danger hover:bg-highlight md:h-8"
          >
            Remove link
          </button>
        )}
        <button
          type="button"
          onClick={submit}
          className="h-11 shrink-0 cursor-pointer rounded-sm px-2.5 font-medium text-accent hover:bg-highlight md:h-8"
        >
          Link
        </button>
      </div>
      <SearchList
        id={`${id}-list`}
        label="Link targets"
        options={found.map(({ href, title, category }) => ({ key: href, name: title, note: category }))}
        active={active}
        look="border-t border-border"
        onMark={mark}
        onChoose={(index) => {
          const chosen = found[index];
          if (chosen) set(chosen.href, chosen.text);
        }}
      />
      <p
        id={`${id}-says`}
        role="status"
        className={says && `border-t border-border px-4 py-2.5 ${refusal ? "text-danger" : "text-text-muted"}`}
      >
        {says}
      </p>
    </AskBox>
  );
}

/** The most headings offered. */
const MOST_HEADINGS = 5;

/** Headings of this article that contain all typed words. */
function headingsCalled(editor: Editor, typed: string): LinkTarget[] {
  const words = typed.toLowerCase().split(/\s+/);
  return anchorsIn(editor.state.doc)
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
    .slice(0, MOST_HEADINGS)
    .map(({ id, text }) => ({ title: text, href: `#${id}`, category: "In this article" }));
}
