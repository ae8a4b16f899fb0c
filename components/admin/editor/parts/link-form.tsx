"use client";

import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { movedBy } from "@/components/ui/list-keys";
import { comboboxOf, SearchList, useFound } from "@/components/ui/search-list";
import { AskBox, askField } from "./ask-box";
import { addressOf, linkAt, removeLink, setLink } from "./links";

export interface LinkTarget {
  title: string;
  href: string;
  category: string;
}

export type FindArticles = (query: string) => Promise<LinkTarget[]>;

/** Asks for a link target: an article, found by its title, or any URL. */
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
      ? [{ title: address.href, href: address.href, category: "Address", text: term }]
      : [];
  const named = articles.map((article) => ({ ...article, text: article.title }));
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
    else
      refuse(`No article is called “${term}”, and it is no address. An address begins with https://, mailto:, / or #.`);
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
      ? "Searching …"
      : answered === null
        ? "Articles cannot be searched at the moment. An address can be pasted."
        : isSearched && found.length === 0
          ? `No article is called “${term}”.`
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
          aria-label="Article or address"
          aria-invalid={refusal !== "" || undefined}
          aria-describedby={`${id}-says`}
          value={text}
          maxLength={2000}
          placeholder="Find an article, or paste an address"
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
        label="Articles"
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
