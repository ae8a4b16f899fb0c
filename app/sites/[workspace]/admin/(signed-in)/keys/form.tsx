"use client";

import { type ComponentProps, useActionState } from "react";
import { MadeKey } from "@/components/admin/made-key";
import { FormFrame } from "@/components/ui/form";
import type { KeyState } from "./actions";

/** A form of which comes a key, shown in its place. */
export function KeyForm({
  action,
  ...rest
}: { action: (before: KeyState, form: FormData) => Promise<KeyState> } & Pick<
  ComponentProps<typeof FormFrame>,
  "submit" | "busy" | "children"
>) {
  const [state, formAction, pending] = useActionState(action, { values: {}, errors: {} });
  if (state.made) return <MadeKey {...state.made} />;
  return <FormFrame state={state} action={formAction} pending={pending} {...rest} />;
}
