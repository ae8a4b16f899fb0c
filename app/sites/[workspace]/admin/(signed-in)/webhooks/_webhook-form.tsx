"use client";

import { type ComponentProps, useActionState } from "react";
import { CreatedSecret } from "@/components/admin/created-secret";
import { FormFrame } from "@/components/ui/form";
import type { WebhookState } from "./actions";

/** A form that makes a secret, and then shows the secret in its position. */
export function WebhookForm({
  action,
  ...rest
}: { action: (previous: WebhookState, form: FormData) => Promise<WebhookState> } & Pick<
  ComponentProps<typeof FormFrame>,
  "submit" | "busy" | "children"
>) {
  const [state, formAction, pending] = useActionState(action, { values: {}, errors: {} });
  if (state.created) return <CreatedSecret {...state.created} />;
  return <FormFrame state={state} action={formAction} pending={pending} {...rest} />;
}
