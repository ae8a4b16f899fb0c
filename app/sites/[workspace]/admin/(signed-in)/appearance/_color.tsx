"use client";

import { useActionState, useId, useState } from "react";
import { Field } from "@/components/ui/field";
import { FormFrame } from "@/components/ui/form";
import { useHydrated } from "@/components/ui/hydrated";
import { parseColor } from "@/lib/settings/colors";
import { Samples } from "./_sample";
import { submitColor } from "./actions";

/**
 * Chooses the color with a preview of the reader pages. Without scripts, the preview follows the saved color.
 * @param saved `#rrggbb`; null for the product's own
 */
export function ColorForm({ saved, name }: { saved: string | null; name: string }) {
  const [state, action, pending] = useActionState(submitColor, { values: {}, errors: {} });
  const [typed, type] = useState(state.values.color ?? saved ?? "");
  const isAlive = useHydrated();
  const picker = useId();
  const color = parseColor(typed);
  return (
    <div className="grid gap-6">
      <FormFrame state={state} action={action} pending={pending} submit="Save color" busy="Saving…">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <Field
              label="Color"
              name="color"
              value={typed}
              onChange={({ target }) => type(target.value)}
              error={state.errors.color}
              hint="Used for links and buttons."
              placeholder="#155e63"
              maxLength={20}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          {isAlive && (
            <div className="grid gap-1.5">
              <label htmlFor={picker} className="font-medium">
                Color picker
              </label>
              <input
                id={picker}
                type="color"
                value={color ?? saved ?? "#155e63"}
                onChange={({ target }) => type(target.value)}
                className="h-11 w-14 cursor-pointer rounded-sm border border-border-field bg-surface-raised p-1 md:h-10"
              />
            </div>
          )}
        </div>
      </FormFrame>
      <div aria-live="polite">
        <Samples color={color ?? saved} name={name} />
      </div>
    </div>
  );
}
