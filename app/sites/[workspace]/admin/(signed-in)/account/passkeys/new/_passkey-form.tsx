"use client";

import { startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { type ReactNode, useActionState } from "react";
import { FormField, FormFrame, type FormState } from "@/components/ui/form";
import { textOf } from "@/lib/http/form";
import { useHasPasskeys } from "../../../../_passkeys";
import { startAdding, submitNewPasskey } from "../actions";

/** Confirms the member first, then asks the browser for a passkey. */
async function add(_before: FormState, form: FormData): Promise<FormState> {
  const started = await startAdding(form);
  if ("errors" in started) return started;
  const name = textOf(form, "name");
  const sent = new FormData();
  sent.set("name", name);
  try {
    sent.set("answer", JSON.stringify(await startRegistration({ optionsJSON: started })));
  } catch (error) {
    const isThere = error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
    const why = isThere
      ? "This device or password manager already has a passkey for your account. Use a different device or password manager."
      : "No passkey was created. Try again.";
    return { values: { name }, errors: { "": why } };
  }
  return submitNewPasskey(sent);
}

/** @param children the fields that confirm the change */
export function PasskeyForm({ name, longest, children }: { name: string; longest: number; children: ReactNode }) {
  const [state, action, pending] = useActionState(add, { values: {}, errors: {} });
  if (!useHasPasskeys()) return <p>Passkeys need JavaScript, HTTPS, and a current browser.</p>;
  return (
    <FormFrame
      state={state}
      action={action}
      pending={pending}
      submit="Add passkey"
      busy="Adding…"
      cancel="/admin/account"
    >
      <FormField
        label="Name"
        name="name"
        hint="Helps you tell your passkeys apart."
        defaultValue={name}
        required
        maxLength={longest}
        autoComplete="off"
      />
      {children}
    </FormFrame>
  );
}
