"use client";

import { useEffect, useId, useRef, useState } from "react";
import { sendUpload } from "@/components/admin/send-upload";
import { Button } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { sizeOf } from "@/components/ui/size";
import { findArticles } from "./find-articles";

const look =
  "h-11 w-full min-w-0 rounded-sm border border-border-field bg-surface-raised px-3 text-base md:h-9 md:text-sm";

/** Things that were chosen, each with a button that takes it away. */
function Chosen({
  label,
  items,
  onRemove,
}: {
  label: string;
  items: { id: string; name: string; note?: string }[];
  onRemove: (id: string) => void;
}) {
  if (items.length === 0) return null;
  return (
    <ul aria-label={label} className="rounded-sm border border-border">
      {items.map(({ id, name, note }) => (
        <li
          key={id}
          className="flex items-center justify-between gap-2 border-b border-border py-1 pr-1 pl-3 last:border-0"
        >
          <span className="min-w-0 wrap-anywhere">
            {name}
            {note && <span className="block text-text-muted">{note}</span>}
          </span>
          <Button type="button" look="plain" size="small" aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Articles to read next, chosen by a search. */
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
  const [found, setFound] = useState<{ of: string; articles: Awaited<ReturnType<typeof findArticles>> }>({
    of: "",
    articles: [],
  });
  useEffect(() => {
    const asked = words.trim();
    if (asked === "") return;
    let isOver = false;
    const timer = setTimeout(() => {
      void findArticles(asked).then((articles) => !isOver && setFound({ of: asked, articles }));
    }, 200);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words]);
  const offered =
    words.trim() === "" ? [] : found.articles.filter((one) => one.id !== articleId && !ids.includes(one.id));
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        Related articles
      </label>
      <Chosen
        label="Related articles"
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
        type="search"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        maxLength={200}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        className={look}
      />
      {offered.length > 0 && (
        <ul aria-label="Articles that were found" className="rounded-sm border border-border">
          {offered.map((article) => (
            <li key={article.id} className="border-b border-border last:border-0">
              <button
                type="button"
                onClick={() => {
                  setAdded((before) => [...before, { ...article, published: true }]);
                  onChange([...ids, article.id]);
                  setWords("");
                }}
                className="min-h-11 w-full cursor-pointer px-3 py-1.5 text-left wrap-anywhere hover:bg-highlight md:min-h-8"
              >
                {article.title}
                <span className="block text-text-muted">{article.category}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p id={`${id}-hint`} className="text-text-muted" aria-live="polite">
        {words.trim() !== "" && found.of === words.trim() && offered.length === 0
          ? "No published article has these words."
          : "Words of a title find it. Where you choose none, those with the same tags are shown."}
      </p>
    </div>
  );
}

/** Files that readers can save, sent as soon as they are chosen. */
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
