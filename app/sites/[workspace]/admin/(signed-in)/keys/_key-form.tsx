"use client";

import { type ComponentProps, useActionState } from "react";
import { CreatedKey } from "@/components/admin/created-key";
import { FormFrame } from "@/components/ui/form";
import type { KeyState } from "./actions";

/** A form that creates a key, and then shows the key in its position. */
export function KeyForm({
  action,
  ...rest
}: { action: (previous: KeyState, form: FormData) => Promise<KeyState> } & Pick<
  ComponentProps<typeof FormFrame>,
  "submit" | "busy" | "children"
>) {
  const [state, formAction, pending] = useActionState(action, { values: {}, errors: {} });
  if (state.created) return <CreatedKey {...state.created} />;
  return <FormFrame state={state} action={formAction} pending={pending} {...rest} />;
}
