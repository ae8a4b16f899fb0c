"use client";

import { useActionState, useId, useState } from "react";
import { Field } from "@/components/ui/field";
import { FormFrame } from "@/components/ui/form";
import { useHydrated } from "@/components/ui/hydrated";
import { colourOf } from "@/lib/colors";
import { submitColour } from "./actions";
import { Samples } from "./sample";

/**
 * Chooses the colour, and shows what readers would see of it. Without scripts, that is shown once it is saved.
 * @param saved `#rrggbb`; null for the product's own
 */
export function ColourForm({ saved, name }: { saved: string | null; name: string }) {
  const [state, action, pending] = useActionState(submitColour, { values: {}, errors: {} });
  const [typed, type] = useState(state.values.colour ?? saved ?? "");
  const isAlive = useHydrated();
  const picker = useId();
  const colour = colourOf(typed);
  return (
    <div className="grid gap-6">
      <FormFrame state={state} action={action} pending={pending} submit="Save colour" busy="Saving …">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <Field
              label="Colour"
              name="colour"
              value={typed}
              onChange={({ target }) => type(target.value)}
              error={state.errors.colour}
              hint="As # and six digits, such as #155e63. Links, buttons and what is current are drawn in it."
              placeholder="#155e63"
              maxLength={20}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          {isAlive && (
            <div className="grid gap-1.5">
              <label htmlFor={picker} className="font-medium">
                Pick
              </label>
              <input
                id={picker}
                type="color"
                value={colour ?? saved ?? "#155e63"}
                onChange={({ target }) => type(target.value)}
                className="h-11 w-14 cursor-pointer rounded-sm border border-border-field bg-surface-raised p-1 md:h-10"
              />
            </div>
          )}
        </div>
      </FormFrame>
      <div aria-live="polite">
        <Samples colour={colour ?? saved} name={name} />
      </div>
    </div>
  );
}
