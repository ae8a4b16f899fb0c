"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { movedBy } from "./list-keys";
import { type PaletteEntry, ranked } from "./palette-rank";

/** A search throws this to show a message instead of entries. */
export class PaletteRefusal extends Error {}

/** Idle time before searching, in milliseconds. */
const PAUSE = 120;

/**
 * The command palette: finds any page or action by part of its name. An ARIA combobox. Enter takes the marked entry, at
 * first the best match.
 * @param find searches beyond the entries. A new search cancels the previous one. May throw a PaletteRefusal.
 */
export function Palette<Entry extends PaletteEntry>({
  label,
  entries,
  find,
  onChoose,
  onClose,
}: {
  label: string;
  entries: Entry[];
  find: (text: string, signal: AbortSignal) => Promise<Entry[]>;
  onChoose: (entry: Entry) => void;
  onClose: () => void;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  /** While an input method composes a word, the field's text is not final. */
  const [composing, setComposing] = useState(false);
  const [answer, setAnswer] = useState<{ to: string; found: Entry[] | null; why?: string }>({ to: "", found: [] });
  const [marked, mark] = useState<string | null>(null);
  const term = text.trim();

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (term === "" || composing) return;
    const stop = new AbortController();
    const tell = (found: Entry[] | null, why?: string) =>
      !stop.signal.aborted && setAnswer({ to: term, found, ...(why !== undefined && { why }) });
    const refuse = (error: unknown) => tell(null, error instanceof PaletteRefusal ? error.message : undefined);
    const timer = setTimeout(() => void find(term, stop.signal).then(tell, refuse), PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [term, composing, find]);

  const isAnswered = term === "" || answer.to === term;
  const groups = ranked(entries, isAnswered && term !== "" ? (answer.found ?? []) : [], text);
  const shown = groups.flatMap((group) => group.entries);
  const active = Math.max(
    0,
    shown.findIndex((entry) => entry.id === marked),
  );
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    dialog.current?.close();
    onChoose(entry);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
    const next = movedBy(event.key, active, shown.length);
    if (next !== null) {
      event.preventDefault();
      // Wraps around, because the text field is not a stop.
      const at = next >= 0 ? next : event.key === "ArrowUp" ? shown.length - 1 : 0;
      mark(shown[at]?.id ?? null);
      document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(shown[active]);
    }
  };
  const says = !isAnswered
    ? "Searching…"
    : term !== "" && answer.found === null
      ? (answer.why ?? "Search is unavailable.")
      : shown.length === 0
        ? "No results"
        : "";

  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      className="mx-auto mt-[10vh] w-[min(36rem,92vw)] overflow-hidden rounded-md border border-border bg-surface-raised text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)] backdrop:bg-[oklch(0.2_0.01_70/0.45)]"
    >
      <input
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[active] && `${id}-${active}`}
        value={text}
        maxLength={200}
        onChange={({ target }) => {
          setText(target.value);
          mark(null);
        }}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        onKeyDown={onKey}
        placeholder={`${label}…`}
        autoComplete="off"
        spellCheck={false}
        className="h-12 w-full border-b border-border bg-transparent px-4 text-base outline-offset-[-4px] placeholder:text-text-muted"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className={`max-h-[50vh] overflow-y-auto ${shown.length > 0 ? "p-1.5" : ""}`}
      >
        {groups.map(({ group, entries }) => (
          <div key={group} role="group" aria-label={group} className="not-first:mt-2">
            <p aria-hidden="true" className="px-3 pt-1 pb-1 text-code font-medium text-text-muted">
              {group}
            </p>
            {entries.map((entry) => (
              <div
                key={entry.id}
                id={`${id}-${shown.indexOf(entry)}`}
                role="option"
                aria-selected={entry === shown[active]}
                tabIndex={-1}
                onPointerMove={() => mark(entry.id)}
                onClick={() => choose(entry)}
                className={`flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 md:min-h-9 ${entry === shown[active] ? "bg-highlight" : ""}`}
              >
                <span className="min-w-0 truncate">{entry.name}</span>
                {entry.note && <span className="max-w-[50%] shrink-0 truncate text-text-muted">{entry.note}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={says ? "border-t border-border px-4 py-3 text-text-muted first:border-0" : ""}>
        {says}
      </p>
    </dialog>
  );
}
