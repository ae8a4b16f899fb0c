"use client";

import { type ReactNode, useActionState } from "react";
import { FormFrame } from "@/components/ui/form";
import { Toast } from "@/components/ui/toast";
import { type Stayed, submitAddress } from "./actions";

// Forms that do not lead away and back: the page would be drawn anew, and a text that is being written on it would lose its
// undo.

/** What acts at once, beside the text. @param here the address of the page */
export function AddressForm({ here, children }: { here: string; children: ReactNode }) {
  const [state, action, pending] = useActionState(submitAddress, { values: {}, errors: {} });
  return (
    <>
      <FormFrame state={state} action={action} pending={pending} submit="Change" busy="Changing …" look="plain">
        {children}
      </FormFrame>
      <Done state={state} here={here} />
    </>
  );
}

/** What has come of a form. @param here the address of the page */
function Done({ state: { told, at }, here }: { state: Stayed; here: string }) {
  return told && <Toast key={at} text={told} close={here} />;
}
