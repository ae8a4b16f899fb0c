"use client";

import { startAuthentication } from "@simplewebauthn/browser";
import { startTransition, useActionState } from "react";
import { Button } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { useHasPasskeys } from "../_passkeys";
import { startPasskey, submitPasskey } from "./actions";

/** @param to the target after sign-in */
export function PasskeyButton({ to }: { to: string | null }) {
  const hasPasskeys = useHasPasskeys();
  const [error, signIn, pending] = useActionState(async () => {
    const optionsJSON = await startPasskey();
    const answer = await startAuthentication({ optionsJSON }).catch(() => null);
    if (!answer) return "Passkey sign-in didn't finish. Try again, or sign in another way.";
    const form = new FormData();
    form.set("answer", JSON.stringify(answer));
    if (to) form.set("to", to);
    return submitPasskey(form);
  }, "");
  if (!hasPasskeys) return null;
  return (
    <>
      <Button type="button" look="plain" aria-disabled={pending} onClick={() => pending || startTransition(signIn)}>
        {pending ? "Waiting for your passkey…" : "Sign in with a passkey"}
      </Button>
      {error && !pending && <Refusal>{error}</Refusal>}
    </>
  );
}
