"use client";

import { useCallback, useEffect, useId, useRef, useState } from "react";
import { sendUpload } from "@/components/admin/send-upload";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/combobox";
import { useFocusAfterRemoval } from "@/components/ui/focus";
import { Refusal } from "@/components/ui/refusal";
import { sizeOf } from "@/components/ui/size";
import { findArticles } from "./find-articles";

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
  const find = useCallback(
    async (text: string) =>
      (await findArticles(text))
        .filter((one) => one.id !== articleId && !ids.includes(one.id))
        .map((one) => ({ value: one.id, name: one.title, note: one.category })),
    [articleId, ids],
  );
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
      <Combobox
        id={id}
        value=""
        find={find}
        placeholder="Search articles"
        onChange={(_, option) => {
          if (!option) return;
          setAdded((before) => [...before, { id: option.value, title: option.name, published: true }]);
          onChange([...ids, option.value]);
        }}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className="text-text-muted">
        If you choose fewer than five, Lectern adds more for readers.
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
