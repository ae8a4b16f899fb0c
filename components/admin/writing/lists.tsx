"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { sendUpload } from "@/components/admin/send-upload";
import { Button } from "@/components/ui/button";
import { useFocusAfterRemoval } from "@/components/ui/focus";
import { movedBy } from "@/components/ui/list-keys";
import { Refusal } from "@/components/ui/refusal";
import { comboboxOf, SearchList, useFound } from "@/components/ui/search-list";
import { sizeOf } from "@/components/ui/size";
import { findArticles } from "./find-articles";

const look =
  "h-11 w-full min-w-0 rounded-sm border border-border-field bg-surface-raised px-3 text-base md:h-9 md:text-sm";

/** Chosen items, each with a remove button. @param field the id of the field that adds items */
function Chosen({
  label,
  field,
  items,
  onRemove,
}: {
  label: string;
  field: string;
  items: { id: string; name: string; note?: string }[];
  onRemove: (id: string) => void;
}) {
  const { idOf, moveOn } = useFocusAfterRemoval(field);
  if (items.length === 0) return null;
  return (
    <ul aria-label={label} className="rounded-sm border border-border">
      {items.map(({ id, name, note }, place) => (
        <li
          key={id}
          className="flex items-center justify-between gap-2 border-b border-border py-1 pr-1 pl-3 last:border-0"
        >
          <span className="min-w-0 wrap-anywhere">
            {name}
            {note && <span className="block text-text-muted">{note}</span>}
          </span>
          <Button
            id={idOf(place)}
            type="button"
            look="plain"
            size="small"
            aria-label={`Remove ${name}`}
            onClick={() => {
              onRemove(id);
              moveOn(place, items.length);
            }}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Related articles, chosen with a search. */
export function RelatedList({
  articleId,
  known,
  ids,
  onChange,
}: {
  articleId: string;
  known: { id: string; title: string; published: boolean }[];
  ids: string[];
  onChange: (ids: string[]) => void;
}) {
  const id = useId();
  const [added, setAdded] = useState<typeof known>([]);
  const titles = new Map([...known, ...added].map((one) => [one.id, one]));
  const [words, setWords] = useState("");
  const [marked, mark] = useState(0);
  const term = words.trim();
  const { found, isWaiting } = useFound(term === "" ? null : term, findArticles);
  const offered = (found ?? []).filter((one) => one.id !== articleId && !ids.includes(one.id));
  const active = Math.min(marked, offered.length - 1);
  const type = (typed: string) => {
    setWords(typed);
    mark(0);
  };
  const choose = (index: number) => {
    const article = offered[index];
    if (!article) return;
    setAdded((before) => [...before, { ...article, published: true }]);
    onChange([...ids, article.id]);
    type("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || words === "") return;
    const next = event.key.startsWith("Arrow") ? movedBy(event.key, active, offered.length) : null;
    if (event.key === "Enter") choose(active);
    else if (event.key === "Escape") type("");
    // Arrows wrap around, so that Enter always has a marked article.
    else if (next !== null) mark(next >= 0 ? next : event.key === "ArrowUp" ? offered.length - 1 : 0);
    else return;
    event.preventDefault();
  };
  const says =
    term === ""
      ? ""
      : isWaiting
        ? "Searching …"
        : found === null
          ? "Articles cannot be searched at the moment."
          : offered.length === 0
            ? "No published article has these words."
            : `${offered.length} found. Enter adds the marked one.`;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        Related articles
      </label>
      <Chosen
        label="Related articles"
        field={id}
        items={ids.map((one) => {
          const article = titles.get(one);
          return {
            id: one,
            name: article?.title ?? "An article",
            ...(article?.published === false && { note: "Not published" }),
          };
        })}
        onRemove={(one) => onChange(ids.filter((other) => other !== one))}
      />
      <input
        id={id}
        {...comboboxOf(`${id}-list`, offered.length, active)}
        value={words}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        maxLength={200}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        className={look}
      />
      <SearchList
        id={`${id}-list`}
        label="Articles that were found"
        options={offered.map((article) => ({ key: article.id, name: article.title, note: article.category }))}
        active={active}
        look="rounded-sm border border-border"
        onMark={mark}
        onChoose={choose}
      />
      <p id={`${id}-hint`} className="text-text-muted">
        <span role="status">{says}</span>
        {says === "" && "Words of a title find it. Where you choose none, those with the same tags are shown."}
      </p>
    </div>
  );
}

/** Files that readers can download, uploaded as soon as they are chosen. */
export function AttachmentList({
  known,
  ids,
  onChange,
}: {
  known: { id: string; filename: string; byteSize: number }[];
  ids: string[];
  onChange: (ids: string[]) => void;
}) {
  const id = useId();
  const [added, setAdded] = useState<typeof known>([]);
  const files = new Map([...known, ...added].map((one) => [one.id, one]));
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const latest = useRef(ids);
  useEffect(() => {
    latest.current = ids;
  }, [ids]);
  async function send(chosen: File[]) {
    setError(null);
    for (const file of chosen) {
      setShare(0);
      try {
        const upload = await sendUpload(file, { as: "attachment" }, { progress: setShare });
        setAdded((before) => [...before, upload]);
        latest.current = [...latest.current, upload.id];
        onChange(latest.current);
      } catch (thrown) {
        setError(`${file.name}: ${(thrown as Error).message}`);
      }
    }
    setShare(null);
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        Attachments
      </label>
      {error && <Refusal>{error}</Refusal>}
      <Chosen
        label="Attachments"
        field={id}
        items={ids.map((one) => {
          const file = files.get(one);
          return { id: one, name: file?.filename ?? "A file", ...(file && { note: sizeOf(file.byteSize) }) };
        })}
        onRemove={(one) => onChange(ids.filter((other) => other !== one))}
      />
      <input
        id={id}
        type="file"
        multiple
        disabled={share !== null}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])];
          currentTarget.value = "";
          void send(chosen);
        }}
        className="w-full min-w-0 rounded-sm border border-border-field bg-surface-raised p-1.5 text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-sm file:border file:border-border-field file:bg-surface file:px-2.5 file:font-medium file:text-text"
      />
      {share !== null && <progress aria-label="Sent" value={share} className="h-1.5 w-full accent-accent" />}
    </div>
  );
}
