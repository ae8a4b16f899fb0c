"use client";

import { type ReactNode, useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Refusal } from "@/components/ui/refusal";
import { PasskeyButton } from "./_passkey-button";
import { submitSignIn } from "./actions";

/**
 * Works with or without scripts. After a refusal, keeps the email and focuses the password.
 * @param to the target after sign-in
 */
export function SignInForm({ to, email }: { to: string | null; email: string }) {
  const [state, action, pending] = useActionState(submitSignIn, { email });
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state.error) password.current?.focus();
  }, [state]);
  return (
    <form action={action} className="grid gap-5">
      {state.error && <Refusal>{state.error}</Refusal>}
      {to && <input type="hidden" name="to" value={to} />}
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={state.email}
        required
        maxLength={254}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={1000}
        ref={password}
      />
      <Button type="submit" aria-disabled={pending}>
        {pending ? "Signing in…" : "Sign in"}
      </Button>
      <PasskeyButton to={to} />
      <div className="mt-1 grid justify-items-start">
        <Instead of="sign_in">Email me a sign-in link</Instead>
        <Instead of="password_reset">Forgot your password?</Instead>
      </div>
    </form>
  );
}

/** Asks for a mail to the typed email, without a password. */
function Instead({ of, children }: { of: "sign_in" | "password_reset"; children: ReactNode }) {
  return (
    <button
      type="submit"
      name="instead"
      value={of}
      formNoValidate
      className="min-h-11 cursor-pointer text-sm text-accent hover:underline md:min-h-8"
    >
      {children}
    </button>
  );
}
