"use client";

import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "@/components/ui/button";
import { number } from "@/components/ui/count";
import { useHydrated } from "@/components/ui/hydrated";

const formOf = (id: string) => document.getElementById(id) as HTMLFormElement | null;

/** The rows' checkboxes, which can be outside the form. */
const boxesOf = (form: HTMLFormElement | null) =>
  [...document.querySelectorAll<HTMLInputElement>("input[name=id][type=checkbox]:enabled")].filter(
    (box) => box.form === form,
  );

function choose(formId: string, isChosen: (box: HTMLInputElement, index: number) => boolean): void {
  const form = formOf(formId);
  for (const [index, box] of boxesOf(form).entries()) box.checked = isChosen(box, index);
  form?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Selects this row alone and opens the bar's combobox. */
export function moveOne(formId: string, id: string): void {
  choose(formId, (box) => box.value === id);
  // The bar appears first.
  requestAnimationFrame(() => {
    const field = formOf(formId)?.querySelector<HTMLInputElement>("[role=combobox]");
    field?.focus();
    field?.click();
  });
}

/** The number of selected rows of a form, and of all its rows on the page. */
function useChosen(formId: string): { some: number; all: number } {
  const [chosen, setChosen] = useState({ some: 0, all: 0 });
  useEffect(() => {
    const count = () => {
      const boxes = boxesOf(formOf(formId));
      const some = boxes.filter((box) => box.checked).length;
      setChosen((now) => (now.some === some && now.all === boxes.length ? now : { some, all: boxes.length }));
    };
    count();
    // The boxes are reset after the event.
    const onReset = () => requestAnimationFrame(count);
    document.addEventListener("change", count);
    document.addEventListener("reset", onReset);
    return () => {
      document.removeEventListener("change", count);
      document.removeEventListener("reset", onReset);
    };
  });
  return chosen;
}

/** Selects every row of the page. Hidden without scripts. */
export function SelectAll({ formId }: { formId: string }) {
  const hydrated = useHydrated();
  const chosen = useChosen(formId);
  return (
    <input
      type="checkbox"
      aria-label="Select all on this page"
      className={`mr-2.5 size-4 align-middle accent-accent ${hydrated ? "" : "invisible"}`}
      checked={chosen.all > 0 && chosen.some === chosen.all}
      ref={(box) => {
        if (box) box.indeterminate = chosen.some > 0 && chosen.some < chosen.all;
      }}
      onChange={({ target }) => choose(formId, () => target.checked)}
    />
  );
}

/**
 * Bulk actions over the page's end, while rows are selected. Shift selects a range. Without scripts, they are always
 * there, before the list. With scripts, they take no room before hydration, which would move the rows under a click.
 * @param formId the form with the checkboxes
 * @param everything rows of this and the other pages, with a name such as "all 452 results". The form then sends `all`
 */
export function BulkBar({
  formId,
  label = "Selected articles",
  everything,
  children,
}: {
  formId: string;
  label?: string;
  everything?: { total: number; name: string };
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const { some, all } = useChosen(formId);
  const [wantsEverything, setEverything] = useState(false);
  const isPageChosen = some === all && all > 0;
  if (wantsEverything && !isPageChosen) setEverything(false);
  const { pending } = useFormStatus();
  useEffect(() => {
    let last: HTMLInputElement | null = null;
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      const boxes = boxesOf(formOf(formId));
      if (!(target instanceof HTMLInputElement) || !boxes.includes(target)) return;
      if (shiftKey && last) {
        const [from = 0, to = 0] = [boxes.indexOf(last), boxes.indexOf(target)].sort((a, b) => a - b);
        choose(formId, (box, index) => (index >= from && index <= to ? target.checked : box.checked));
      }
      last = target;
    };
    // After a choice by `choose`, such as a single row to move, rows of other pages are no longer meant.
    const onChoice = ({ target }: Event) => target === formOf(formId) && setEverything(false);
    document.addEventListener("click", onClick);
    document.addEventListener("change", onChoice);
    return () => {
      document.removeEventListener("click", onClick);
      document.removeEventListener("change", onChoice);
    };
  }, [formId]);
  const isFloating = hydrated && (some > 0 || pending);
  const place = isFloating
    ? "max-md:flex-nowrap max-md:overflow-x-auto max-md:*:shrink-0 fixed inset-x-2 bottom-2 z-10 mx-auto w-fit max-w-[calc(100vw-1rem)] shadow-[0_8px_24px_oklch(0_0_0/0.18)] md:bottom-6 md:left-[calc(var(--menu)+0.5rem)] md:max-w-[calc(100vw-var(--menu)-1rem)]"
    : "mb-4";
  return (
    <fieldset
      hidden={hydrated && !isFloating}
      aria-busy={pending}
      data-floating-bar={isFloating || undefined}
      className={`min-w-0 flex-wrap items-center gap-1.5 rounded-md border border-border bg-surface-raised px-3 py-2 ${place} ${hydrated ? (isFloating ? "flex" : "") : "hidden noscript:flex"}`}
    >
      <legend className="sr-only">{label}</legend>
      {hydrated ? (
        <>
          <span aria-live="polite" className="px-1 font-medium">
            {number(wantsEverything && everything ? everything.total : some)} selected
          </span>
          {wantsEverything && <input type="hidden" name="all" value="1" />}
          {some < all && (
            <Button type="button" look="plain" size="small" onClick={() => choose(formId, () => true)}>
              Select all {all}
            </Button>
          )}
          {everything && isPageChosen && !wantsEverything && (
            <Button type="button" look="plain" size="small" onClick={() => setEverything(true)}>
              Select {everything.name}
            </Button>
          )}
        </>
      ) : (
        <>
          <span className="px-1">{label}</span>
          {everything && (
            <label className="flex items-center gap-2 px-1">
              <input type="checkbox" name="all" value="1" className="size-4 accent-accent" />
              Select {everything.name}
            </label>
          )}
        </>
      )}
      {children}
      {hydrated && (
        <Button type="button" look="plain" size="small" onClick={() => choose(formId, () => false)}>
          Clear
        </Button>
      )}
    </fieldset>
  );
}

/** One of the bar's actions. While one runs, it says so and none starts again. */
export function BulkButton({
  name,
  value,
  busy,
  ...rest
}: Omit<ComponentProps<typeof Button>, "type" | "size" | "onClick"> & { name: string; value: string; busy: string }) {
  const { pending, data } = useFormStatus();
  const isMine = pending && data.get(name) === value;
  return (
    <Button
      type="submit"
      look="plain"
      size="small"
      name={name}
      value={value}
      aria-disabled={pending}
      onClick={(event) => pending && event.preventDefault()}
      {...rest}
    >
      {isMine ? busy : rest.children}
    </Button>
  );
}
