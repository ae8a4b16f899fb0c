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
            If <strong className="break-words">{state.sentTo}</strong> is a member anywhere here, a mail is on its way
            that says where. It takes a minute at most.
          </p>
          <p>No mail? Look among the junk, or try the address that you were invited with:</p>
        </div>
      ) : (
        <p>
          Type the e-mail address that you sign in with. We send you a mail with the addresses of your knowledge bases.
        </p>
      )}
      <FormFrame state={state} action={action} pending={pending} submit="Send me the mail" busy="Sending …">
        <FormField label="E-mail" name="email" type="email" autoComplete="email" required maxLength={254} />
      </FormFrame>
    </>
  );
}
