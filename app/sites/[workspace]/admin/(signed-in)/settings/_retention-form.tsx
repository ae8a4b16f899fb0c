"use client";

import { type ReactNode, useActionState } from "react";
import { FormFrame, type FormState } from "@/components/ui/form";
import { Refusal } from "@/components/ui/refusal";

/** Saves, or first says what would be deleted. */
export function RetentionForm({
  action,
  children,
}: {
  action: (before: FormState, form: FormData) => Promise<FormState>;
  children: ReactNode;
}) {
  const [state, submit, pending] = useActionState(action, { values: {}, errors: {} });
  const { entries, ips, confirmed } = state.values;
  const losses = state.errors.confirmed;
  return (
    <FormFrame
      state={state}
      action={submit}
      pending={pending}
      submit={losses ? "Delete and save" : "Change retention"}
      busy="Saving…"
      look={losses ? "danger" : "plain"}
    >
      {children}
      {losses && <Refusal>{losses}</Refusal>}
      <input type="hidden" name="confirmed" value={losses ? `${entries} ${ips}` : (confirmed ?? "")} />
    </FormFrame>
  );
}
