"use client";

import { type ReactNode, useEffect, useState } from "react";
import { useHydrated } from "@/components/ui/hydrated";

const boxesOf = (form: HTMLFormElement | null | undefined) =>
  [...document.querySelectorAll<HTMLInputElement>("input[name=id][type=checkbox]:enabled")].filter(
    (box) => box.form === form,
  );

/**
 * Bulk actions, with the number of selected rows. Works without scripts.
 * @param formId the form with the checkboxes
 */
export function BulkBar({
  formId,
  label = "With the chosen articles",
  children,
}: {
  formId: string;
  label?: string;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState({ some: 0, all: 0 });
  useEffect(() => {
    const form = document.getElementById(formId) as HTMLFormElement | null;
    const count = () => {
      const boxes = boxesOf(form);
      setChosen({ some: boxes.filter((box) => box.checked).length, all: boxes.length });
    };
    count();
    // The checkboxes can be outside the form.
    document.addEventListener("change", count);
    return () => document.removeEventListener("change", count);
  }, [formId]);
  const chooseAll = (checked: boolean) => {
    const form = document.getElementById(formId) as HTMLFormElement | null;
    for (const box of boxesOf(form)) box.checked = checked;
    form?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return (
    <fieldset className="mb-4 flex flex-wrap items-end gap-x-3 gap-y-2 rounded-md border border-border bg-surface-raised px-3 py-2.5">
      <legend className="sr-only">{label}</legend>
      {hydrated ? (
        <label className="flex h-11 cursor-pointer items-center gap-2.5 pr-2 md:h-8">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.all > 0 && chosen.some === chosen.all}
            ref={(box) => {
              if (box) box.indeterminate = chosen.some > 0 && chosen.some < chosen.all;
            }}
            onChange={({ target }) => chooseAll(target.checked)}
          />
          <span aria-live="polite">{chosen.some === 0 ? "Choose all on this page" : `${chosen.some} chosen`}</span>
        </label>
      ) : (
        <span className="flex h-11 items-center pr-2 md:h-8">With the chosen:</span>
      )}
      {/* On a phone, the actions fill a third of the screen and do nothing until a row is selected. */}
      <div className={hydrated && chosen.some === 0 ? "hidden md:contents" : "contents"}>{children}</div>
    </fieldset>
  );
}
