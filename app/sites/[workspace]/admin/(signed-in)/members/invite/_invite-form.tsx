"use client";

import { type ReactNode, useActionState } from "react";
import { FormFrame } from "@/components/ui/form";
import { submitInvite } from "../actions";

/** A form that reports for each email whether the invitation was sent. */
export function InviteForm({ children }: { children: ReactNode }) {
  const [state, action, pending] = useActionState(submitInvite, { values: {}, errors: {}, refused: [], invited: [] });
  return (
    <FormFrame
      state={state}
      action={action}
      pending={pending}
      submit="Send invitations"
      busy="Sending…"
      cancel="/admin/members"
    >
      {state.refused.length > 0 && (
        <div role="alert" className="rounded-sm border border-danger px-3 py-2.5">
          {state.invited.length > 0 && <p className="mb-1.5">Invited: {state.invited.join(", ")}.</p>}
          <p className="font-medium text-danger">Not invited:</p>
          <ul className="grid gap-1">
            {state.refused.map(({ email, reason }) => (
              <li key={email} className="break-words">
                {email} {reason}.
              </li>
            ))}
          </ul>
        </div>
      )}
      {children}
    </FormFrame>
  );
}
