"use client";

import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "./button";

/**
 * The button of a form without its own state. Prevents double submission. Forms that show errors have their own button
 * (form.tsx).
 * @param busy the label while sending
 */
export function Submit({
  busy,
  children,
  ...rest
}: Omit<ComponentProps<typeof Button>, "type" | "onClick"> & { busy: string }) {
  const { pending } = useFormStatus();
  return (
    // Enter in a field also submits.
    <Button type="submit" aria-disabled={pending} onClick={(event) => pending && event.preventDefault()} {...rest}>
      {pending ? busy : children}
    </Button>
  );
}
