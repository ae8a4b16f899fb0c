"use client";

import { useEffect, useState } from "react";

/** Idle time before searching, in milliseconds. */
const PAUSE = 150;

/**
 * Searches shortly after the last key.
 * @param term null to search for nothing
 * @returns the results, null if the search failed, and whether a search is running
 */
export function useFound<Thing>(
  term: string | null,
  find: (text: string) => Promise<Thing[]>,
): { found: Thing[] | null; isWaiting: boolean } {
  const [answer, setAnswer] = useState<{ to: string | null; found: Thing[] | null }>({ to: null, found: [] });
  useEffect(() => {
    if (term === null) return;
    let isOver = false;
    const tell = (found: Thing[] | null) => !isOver && setAnswer({ to: term, found });
    const timer = setTimeout(() => void find(term).then(tell, () => tell(null)), PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [term, find]);
  const isAnswered = term !== null && answer.to === term;
  return { found: isAnswered ? answer.found : [], isWaiting: term !== null && !isAnswered };
}

/** The ARIA attributes of a combobox. @param active the marked entry, from 0 */
export function comboboxOf(id: string, count: number, active: number) {
  return {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": count > 0,
    "aria-controls": id,
    "aria-activedescendant": count > 0 ? `${id}-${active}` : undefined,
  } as const;
}

/** A combobox's list. The cursor stays in the field, and ARIA names the marked entry to screen readers. */
export function SearchList({
  id,
  label,
  options,
  active,
  look,
  onMark,
  onChoose,
}: {
  id: string;
  label: string;
  options: readonly { key: string; name: string; note: string }[];
  active: number;
  /** The list's classes while it has entries. */
  look: string;
  onMark: (index: number) => void;
  onChoose: (index: number) => void;
}) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className={options.length > 0 ? `max-h-72 overflow-y-auto p-1.5 ${look}` : "hidden"}
    >
      {options.map(({ key, name, note }, index) => (
        <div
          key={key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onPointerMove={() => onMark(index)}
          onClick={() => onChoose(index)}
          className={`flex min-h-11 cursor-pointer flex-col justify-center rounded-sm px-2.5 py-1 md:min-h-9 ${index === active ? "bg-highlight" : ""}`}
        >
          <span className="max-w-full truncate">{name}</span>
          {note && <span className="max-w-full truncate text-code text-text-muted">{note}</span>}
        </div>
      ))}
    </div>
  );
}
