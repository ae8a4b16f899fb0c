"use client";

import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "./button";

/**
 * The button of a form without a state of its own: what it sends is sent once however often it is pressed. Forms that show
 * what was refused have theirs (form.tsx).
 * @param busy what it says while it is sent
 */
export function Submit({
  busy,
  children,
  ...rest
}: Omit<ComponentProps<typeof Button>, "type" | "onClick"> & { busy: string }) {
  const { pending } = useFormStatus();
  return (
    // Enter in a field presses it, too.
    <Button type="submit" aria-disabled={pending} onClick={(event) => pending && event.preventDefault()} {...rest}>
      {pending ? busy : children}
    </Button>
  );
}
