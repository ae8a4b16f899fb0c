"use client";

import { useActionState } from "react";
import { FormFrame, FormText } from "@/components/ui/form";
import { submitSynonyms } from "../actions";

/** A pasted list. Rejected lines stay in the field, with the reasons above. */
export function PasteForm() {
  const [state, action, pending] = useActionState(submitSynonyms, { values: {}, errors: {}, refused: [], added: 0 });
  return (
    <FormFrame
      state={state}
      action={action}
      pending={pending}
      submit="Add synonyms"
      busy="Adding…"
      cancel="/admin/synonyms"
    >
      {state.refused.length > 0 && (
        <div role="alert" className="grid gap-1.5 rounded-sm border border-danger px-3 py-2.5">
          <p className="font-medium text-danger">
            {state.added > 0 && `${state.added} added. `} {state.refused.length} not added. Fix these lines below.
          </p>
          <ul className="grid max-h-80 gap-1.5 overflow-y-auto" tabIndex={0} aria-label="Lines not added">
            {state.refused.map(({ line, reasons }, index) => (
              <li key={index} className="break-words">
                <span className="font-medium">{line}</span>
                <span className="block text-text-muted">{reasons.join(" ")}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <FormText
        label="Synonyms"
        name="lines"
        hint="One per line: “sign in = log in” (two-way) or “PTO > vacation” (one-way)."
        required
        maxLength={300_000}
        rows={10}
        spellCheck={false}
      />
    </FormFrame>
  );
}
