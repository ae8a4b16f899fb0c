"use client";

import { useActionState } from "react";
import { FormField, FormFrame } from "@/components/ui/form";
import { type FindState, submitFind } from "./actions";

export function FindForm() {
  const [state, action, pending] = useActionState<FindState, FormData>(submitFind, { values: {}, errors: {} });
  return (
    <>
      {state.sentTo ? (
        <div role="status" className="grid gap-4">
          <p>
            If <strong className="break-words">{state.sentTo}</strong> belongs to a member, we’ve sent a list of their
            knowledge bases.
          </p>
          <p>Didn’t get it? Check your spam folder, or try another email.</p>
        </div>
      ) : (
        <p>We’ll email you the URLs of your knowledge bases.</p>
      )}
      <FormFrame state={state} action={action} pending={pending} submit="Send email" busy="Sending…">
        <FormField label="Email" name="email" type="email" autoComplete="email" required maxLength={254} />
      </FormFrame>
    </>
  );
}
