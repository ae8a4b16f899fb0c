"use client";

import { useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
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
      {state.error && (
        <p role="alert" className="rounded-sm border border-danger px-3 py-2.5 text-sm text-danger">
          {state.error}
        </p>
      )}
      {to && <input type="hidden" name="to" value={to} />}
      <Field
        label="E-mail"
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
        {pending ? "Signing in …" : "Sign in"}
      </Button>
    </form>
  );
}
