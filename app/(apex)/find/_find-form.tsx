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
            If <strong className="break-words">{state.sentTo}</strong> belongs to a member of a knowledge base, we've
            emailed you.
          </p>
          <p>Didn't get it? Check your spam folder, or try the email you were invited with.</p>
        </div>
      ) : (
        <p>Enter your email, and we'll send you links to your knowledge bases.</p>
      )}
      <FormFrame state={state} action={action} pending={pending} submit="Send email" busy="Sending…">
        <FormField label="Email" name="email" type="email" autoComplete="email" required maxLength={254} />
      </FormFrame>
    </>
  );
}
