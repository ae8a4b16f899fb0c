import { FormField } from "@/components/ui/form";

/** Asks for the password of who is signed in, before what a browser that was left open must not be enough for. */
export function CurrentPassword() {
  return (
    <FormField
      label="Current password"
      name="currentPassword"
      type="password"
      required
      maxLength={1000}
      autoComplete="current-password"
    />
  );
}
