"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useTransition } from "react";
import { Button } from "./button";
import { Combobox } from "./combobox";
import { fieldLook } from "./field-look";
import { Select } from "./select";

/** Idle time before searching, in milliseconds. */
const PAUSE = 250;

/**
 * A list's filter, applied while one types and chooses. Its values are in the URL, so that a filtered list can be
 * bookmarked and shared. Without scripts, a form with a button.
 * @param action the list's URL
 * @param kept parameters of the URL that are no filters, such as the sort
 * @param isFiltered whether a filter is set and can be cleared
 * @param children FilterSearch, FilterChoice, FilterCombobox, FilterDate
 */
export function Filter({
  action,
  kept = {},
  isFiltered = false,
  children,
}: {
  action: string;
  kept?: Record<string, string>;
  isFiltered?: boolean;
  children: ReactNode;
}) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = useEffectEvent(() => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form.current))
      if (typeof value === "string" && value.trim() !== "") query.set(name, value.trim());
    const next = query.size > 0 ? `${action}?${query}` : action;
    if (next !== `${location.pathname}${location.search}`)
      startTransition(() => router.replace(next, { scroll: false }));
  });
  useEffect(() => {
    const filter = form.current;
    const onInput = ({ target }: Event) => {
      clearTimeout(timer.current);
      if (target instanceof HTMLInputElement && target.type === "search") timer.current = setTimeout(apply, PAUSE);
    };
    // Native events, because React tells nothing of a combobox's hidden field.
    const onChange = () => apply();
    const onSubmit = (event: Event) => {
      event.preventDefault();
      apply();
    };
    // What was filled in before the scripts came.
    if (filter && isUnapplied(filter)) apply();
    filter?.addEventListener("input", onInput);
    filter?.addEventListener("change", onChange);
    filter?.addEventListener("submit", onSubmit);
    return () => {
      clearTimeout(timer.current);
      filter?.removeEventListener("input", onInput);
      filter?.removeEventListener("change", onChange);
      filter?.removeEventListener("submit", onSubmit);
    };
  }, []);
  const cleared = new URLSearchParams(Object.entries(kept).filter(([, value]) => value !== "")).toString();
  return (
    <form
      ref={form}
      action={action}
      role="search"
      aria-busy={isPending}
      // On phones one row that scrolls. The margins keep its focus rings from being cut off.
      className="-mx-1 mb-3 flex items-center gap-2 overflow-x-auto px-1 py-1 *:shrink-0 md:mx-0 md:mb-4 md:flex-wrap md:overflow-visible md:p-0 md:*:shrink"
    >
      {Object.entries(kept).map(
        ([name, value]) => value !== "" && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
      {/* Shown before hydration, it would move the page under a click. */}
      <span className="hidden noscript:contents">
        <Button type="submit" look="plain">
          Filter
        </Button>
      </span>
      {isFiltered && (
        <Link
          href={cleared ? `${action}?${cleared}` : action}
          prefetch={false}
          className="flex h-11 items-center rounded-sm px-2 text-text-muted no-underline hover:text-text md:h-9"
        >
          Clear filters
        </Link>
      )}
    </form>
  );
}

function isUnapplied(form: HTMLFormElement): boolean {
  const applied = new URLSearchParams(location.search);
  return [...new FormData(form)].some(([name, value]) => value !== (applied.get(name) ?? ""));
}

/** A field that takes the value of the URL when that changes elsewhere, but keeps what is being typed. */
function useFieldOf<Element extends HTMLInputElement | HTMLSelectElement>(value: string) {
  const field = useRef<Element>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (field.current && field.current !== document.activeElement) field.current.value = value;
  }, [value]);
  return field;
}

const chip = (isSet: boolean) => (isSet ? "border-accent! bg-highlight! font-medium" : "");

/** The field that "/" focuses. */
export function FilterSearch({ label, name = "q", value }: { label: string; name?: string; value: string }) {
  const field = useFieldOf<HTMLInputElement>(value);
  return (
    <span className="relative flex min-w-56 flex-1 md:w-56 md:min-w-0 md:flex-none 2xl:w-72">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-text-muted"
      />
      <input
        ref={field}
        type="search"
        name={name}
        defaultValue={value}
        aria-label={label}
        placeholder={label}
        maxLength={100}
        autoComplete="off"
        className={`w-full pl-9 ${fieldLook.medium}`}
      />
    </span>
  );
}

/** @param any the label of the choice that filters nothing */
export function FilterChoice({
  label,
  name,
  value,
  any,
  options,
}: {
  label: string;
  name: string;
  value: string;
  any: string;
  options: ComponentProps<typeof Select>["options"];
}) {
  const field = useFieldOf<HTMLSelectElement>(value);
  return (
    <Select
      ref={field}
      fit
      size="medium"
      aria-label={label}
      name={name}
      defaultValue={value}
      options={[{ value: "", name: any }, ...options]}
      look={chip(value !== "")}
    />
  );
}

/** A choice of many. @param any the label while nothing is chosen */
export function FilterCombobox({
  label,
  name,
  value,
  any,
  options,
}: {
  label: string;
  name: string;
  value: string;
  any: string;
  options: NonNullable<ComponentProps<typeof Combobox>["options"]>;
}) {
  return (
    <span className="flex w-44 min-w-0 md:w-36 2xl:w-44">
      <Combobox
        aria-label={label}
        name={name}
        defaultValue={value}
        none={any}
        size="medium"
        options={options}
        look={chip(value !== "")}
      />
    </span>
  );
}

export function FilterDate({ label, name, value }: { label: string; name: string; value: string }) {
  const field = useFieldOf<HTMLInputElement>(value);
  return (
    <label className="flex items-center gap-2 text-text-muted">
      {label}
      <input
        ref={field}
        type="date"
        name={name}
        defaultValue={value}
        className={`text-text ${fieldLook.medium} ${chip(value !== "")}`}
      />
    </label>
  );
}
