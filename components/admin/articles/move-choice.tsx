"use client";

import { useEffect, useRef } from "react";
import { smallField } from "./small-field";

/**
 * Picks the category to move articles to. There can be a thousand categories, so it copies the options of the filter
 * above instead of sending them twice.
 * @param options listed for pages without scripts
 */
export function MoveChoice({ options }: { options: { value: string; name: string }[] | null }) {
  const field = useRef<HTMLSelectElement>(null);
  const isFilled = options !== null;
  useEffect(() => {
    const filter = document.querySelector<HTMLSelectElement>("form[role=search] select[name=category]");
    if (isFilled || !filter) return;
    const taken = [...filter.options].filter(({ value }) => value !== "");
    const added = taken.map(({ text, value }) => new Option(text, value));
    field.current?.append(...added);
    return () => {
      for (const option of added) option.remove();
    };
  }, [isFilled]);
  return (
    <select
      ref={field}
      name="category"
      aria-label="Category to move to"
      defaultValue=""
      className={`w-40 ${smallField}`}
    >
      <option value="">Category …</option>
      {options?.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
