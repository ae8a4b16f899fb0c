"use client";

import { type ChangeEvent, type KeyboardEvent, useId, useState } from "react";
import { useFocusAfterRemoval } from "./focus";

/**
 * A list of short texts. Enter or a comma adds the typed text, even if a suggestion starts with it. Choosing a
 * suggestion adds it. A text's button, or Backspace in the empty field, removes a text.
 * @param suggestions choices. Other texts can be typed too.
 */
export function Tokens({
  label,
  hint,
  values,
  suggestions = [],
  maxLength,
  onChange,
}: {
  label: string;
  hint?: string;
  values: string[];
  suggestions?: string[];
  maxLength: number;
  onChange: (values: string[]) => void;
}) {
  const id = useId();
  const { idOf, moveOn } = useFocusAfterRemoval(id);
  const [typed, setTyped] = useState("");
  const add = (texts: string[]) => {
    const added = texts.map((one) => one.trim()).filter((one) => one !== "" && !values.includes(one));
    setTyped("");
    if (added.length > 0) onChange([...values, ...new Set(added)]);
  };
  const addTyped = () => add(typed.split(","));
  const onInput = ({ target: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    // Adds a suggestion with a comma as one text.
    if (isChoice(nativeEvent) && suggestions.includes(value)) add([value]);
    else setTyped(value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" || (event.key === "," && typed.trim() !== "")) {
      event.preventDefault();
      addTyped();
    } else if (event.key === "Backspace" && typed === "" && values.length > 0) onChange(values.slice(0, -1));
  };
  return (
    <div className="grid min-w-0 gap-1.5 text-sm">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {values.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {values.map((value, place) => (
            <li
              key={value}
              className="flex min-w-0 items-center gap-1 rounded-sm border border-border bg-surface-raised pl-2 wrap-anywhere"
            >
              {value}
              <button
                id={idOf(place)}
                type="button"
                aria-label={`Remove ${value}`}
                onClick={() => {
                  onChange(values.filter((other) => other !== value));
                  moveOn(place, values.length);
                }}
                className="flex size-11 shrink-0 cursor-pointer items-center justify-center text-text-muted hover:text-text md:size-7"
              >
                <svg viewBox="0 0 8 8" aria-hidden="true" className="size-2 stroke-current">
                  <path d="M1 1l6 6M7 1l-6 6" strokeWidth="1.3" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        value={typed}
        list={`${id}-list`}
        maxLength={maxLength}
        autoComplete="off"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={onInput}
        onKeyDown={onKeyDown}
        onBlur={addTyped}
        className="h-11 w-full min-w-0 rounded-sm border border-border-field bg-surface-raised px-3 text-base md:h-9 md:text-sm"
      />
      <datalist id={`${id}-list`}>
        {suggestions
          .filter((one) => !values.includes(one))
          .map((one) => (
            <option key={one} value={one} />
          ))}
      </datalist>
      {hint && (
        <p id={`${id}-hint`} className="text-text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Whether the user chose a suggestion. Browsers report a choice in two ways and typing in neither. */
function isChoice(event: Event): boolean {
  return !(event instanceof InputEvent) || event.inputType === "" || event.inputType === "insertReplacementText";
}
