"use client";

import { autoUpdate, computePosition, flip, offset, shift, size as sized } from "@floating-ui/dom";
import { ChevronDown, X } from "lucide-react";
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { type FieldSize, fieldLook } from "./field-look";
import { useHydrated } from "./hydrated";
import { movedBy } from "./list-keys";
import { matching } from "./match";
import { comboboxOf, SearchList, useFound } from "./search-list";
import { Select } from "./select";

export interface ComboboxOption {
  value: string;
  name: string;
  /** What tells options of the same name apart, such as the path to them. It is searched too. */
  note?: string;
}

/** The most options shown. */
const MOST = 100;

/**
 * Chooses one of many options by any of their words. Without scripts, a select.
 * @param value the chosen option's value, empty if none is chosen. Without it, the combobox keeps the choice itself,
 *   beginning with `defaultValue`, and again when that changes.
 * @param options every option. Or:
 * @param find searches for options
 * @param takesText whether a text without an option is a value too
 * @param none the label while nothing is chosen, if an option may be left out
 * @param onChange where a search found the option, it comes along
 */
export function Combobox({
  value: given,
  defaultValue = "",
  options,
  find,
  takesText = false,
  none,
  name,
  size = "normal",
  look = "",
  onChange,
  ...rest
}: {
  value?: string;
  defaultValue?: string;
  options?: readonly ComboboxOption[];
  find?: (text: string) => Promise<ComboboxOption[]>;
  takesText?: boolean;
  none?: string;
  name?: string;
  size?: FieldSize;
  look?: string;
  onChange?: (value: string, option: ComboboxOption | null) => void;
} & Pick<ComponentProps<"input">, "id" | "aria-label" | "aria-describedby" | "aria-invalid" | "placeholder">) {
  const listId = useId();
  const hydrated = useHydrated();
  const field = useRef<HTMLInputElement>(null);
  const hidden = useRef<HTMLInputElement>(null);
  const [own, setOwn] = useState(defaultValue);
  const [before, setBefore] = useState(defaultValue);
  if (before !== defaultValue) {
    setBefore(defaultValue);
    setOwn(defaultValue);
  }
  const value = given ?? own;
  /** null while nothing is being typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [marked, mark] = useState(0);
  const term = (typed ?? "").trim();
  const { found, isWaiting } = useFound(find && term !== "" ? term : null, find ?? nowhere);
  const chosen = options?.find((option) => option.value === value);
  const offered = find ? (found ?? []) : matching(options ?? [], term);
  const shown = isOpen ? offered.slice(0, MOST) : [];
  const active = Math.min(marked, shown.length - 1);
  // A text without an option is a value too, so its list only says that the search failed.
  const says =
    !isOpen || (takesText && (isWaiting || found !== null))
      ? ""
      : isWaiting
        ? "Searching…"
        : found === null
          ? "Search is unavailable"
          : term !== "" && offered.length === 0
            ? "No results"
            : "";

  const isChanged = useRef(false);
  // Forms hear of the choice, as they hear of a select's.
  useEffect(() => {
    if (isChanged.current) hidden.current?.dispatchEvent(new Event("change", { bubbles: true }));
    isChanged.current = false;
  }, [value]);

  const open = () => {
    if (isOpen) return;
    setOpen(true);
    const at = typed === null ? (options ?? []).findIndex((option) => option.value === value) : 0;
    mark(at < MOST ? Math.max(0, at) : 0);
  };
  const close = () => {
    setOpen(false);
    setTyped(null);
  };
  const set = (next: string, option: ComboboxOption | null) => {
    close();
    if (next === value) return;
    isChanged.current = true;
    setOwn(next);
    onChange?.(next, option);
  };
  const choose = (index: number) => {
    const option = shown[index];
    if (option) set(option.value, option);
  };
  const leave = () => {
    if (takesText && typed !== null) set(typed.trim(), null);
    else if (typed?.trim() === "" && none !== undefined) set("", null);
    else close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      // Without a list, Enter submits the form.
      if (!isOpen || (takesText && shown.length === 0)) return;
      if (typed?.trim() === "" && none !== undefined) set("", null);
      else choose(active);
    } else if (event.key === "Escape") {
      if (!isOpen) return;
      if (takesText) leave();
      else close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!isOpen) open();
      else {
        const next = movedBy(event.key, active, shown.length);
        // Arrows wrap around, so that Enter always has a marked option.
        if (next !== null) mark(next >= 0 ? next : event.key === "ArrowUp" ? shown.length - 1 : 0);
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (!hydrated && options && !takesText)
    return (
      <Select
        {...rest}
        name={name}
        size={size}
        look={look}
        defaultValue={value}
        options={[
          ...(none === undefined && chosen ? [] : [{ value: "", name: none ?? rest.placeholder ?? "" }]),
          ...options.map(({ value, name, note }) => ({ value, name: note ? `${note} / ${name}` : name })),
        ]}
      />
    );
  const isClearable = (hydrated || !takesText) && none !== undefined && value !== "";
  return (
    <span className="relative flex w-full min-w-0">
      {name !== undefined && (hydrated || !takesText) && (
        <input ref={hidden} type="hidden" name={name} value={takesText ? (typed ?? value) : value} />
      )}
      <input
        {...rest}
        ref={(input) => {
          field.current = input;
          // Keeps what was typed before scripts ran.
          if (input && !hydrated && takesText && input.value !== value) setTyped(input.value);
        }}
        {...(hydrated || !takesText ? comboboxOf(listId, shown.length, active) : { name })}
        value={typed ?? chosen?.name ?? (takesText ? value : "")}
        placeholder={none ?? rest.placeholder}
        title={typed === null && chosen?.note ? `${chosen.note} / ${chosen.name}` : undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          mark(0);
          setOpen(true);
        }}
        onFocus={({ target }) => target.select()}
        onClick={() => options && open()}
        onKeyDown={onKeyDown}
        onBlur={leave}
        maxLength={takesText ? 2_000 : 200}
        autoComplete="off"
        spellCheck={false}
        className={`w-full truncate pr-9 ${fieldLook[size]} ${look}`}
      />
      {isClearable ? (
        <button
          type="button"
          aria-label={`Clear ${rest["aria-label"] ?? "selection"}`}
          onClick={() => {
            set("", null);
            field.current?.focus();
          }}
          className="absolute inset-y-0 right-0 flex w-9 cursor-pointer items-center justify-center text-text-muted hover:text-text"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      ) : (
        options && (
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-text-muted"
          />
        )
      )}
      <Below field={field} isOpen={isOpen && (shown.length > 0 || says !== "")}>
        <SearchList
          id={listId}
          label={rest["aria-label"] ?? "Options"}
          options={shown.map(({ value, name, note = "" }) => ({ key: value, name, note }))}
          active={active}
          look=""
          onMark={mark}
          onChoose={choose}
        />
        <p role="status" className={says === "" ? "sr-only" : "px-4 py-2.5 text-text-muted"}>
          {says}
        </p>
        {offered.length > MOST && (
          <p className="border-t border-border px-4 py-2 text-text-muted">Type to narrow {offered.length} options</p>
        )}
      </Below>
    </span>
  );
}

const nowhere = () => Promise.resolve([]);

/** A list below its field and above everything else, also where the field's box would cut it off. */
function Below({
  field,
  isOpen,
  children,
}: {
  field: RefObject<HTMLInputElement | null>;
  isOpen: boolean;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [below, above] = [box.current, field.current];
    if (!isOpen || !below || !above) return;
    below.showPopover();
    const stop = autoUpdate(above, below, () => {
      void computePosition(above, below, {
        strategy: "fixed",
        placement: "bottom-start",
        middleware: [
          offset(4),
          flip({ padding: 8 }),
          shift({ padding: 8 }),
          sized({
            apply: ({ rects }) => {
              below.style.width = `${Math.min(innerWidth - 16, Math.max(rects.reference.width, 320))}px`;
            },
          }),
        ],
      }).then(({ x, y }) => {
        below.style.left = `${x}px`;
        below.style.top = `${y}px`;
      });
    });
    return () => {
      stop();
      below.hidePopover();
    };
  }, [isOpen, field]);
  return (
    <div
      ref={box}
      popover="manual"
      className="fixed inset-auto m-0 overflow-hidden rounded-md border border-border bg-surface-raised text-sm text-text shadow-[0_8px_24px_oklch(0_0_0/0.18)]"
    >
      {children}
    </div>
  );
}
