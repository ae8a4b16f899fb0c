import { FormField } from "@/components/ui/form";

/** Confirms the password, so that a browser left open is not enough for a sensitive change. */
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
