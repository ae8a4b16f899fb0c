import { FormField } from "@/components/ui/form";

/**
 * Confirms the password, so that a browser left open is not enough for a sensitive change.
 * @param withPassword false for members who sign in by email link
 * @param withCode for members with two-step verification
 */
export function CurrentPassword({
  label = "Current password",
  withPassword,
  withCode,
}: {
  label?: string;
  withPassword: boolean;
  withCode: boolean;
}) {
  return (
    <>
      {withPassword && (
        <FormField
          label={label}
          name="currentPassword"
          type="password"
          required
          maxLength={1000}
          autoComplete="current-password"
        />
      )}
      {withCode && (
        <FormField
          label="Two-step code"
          name="code"
          hint="From your authenticator app, or a recovery code."
          required
          maxLength={100}
          autoComplete="one-time-code"
        />
      )}
    </>
  );
}
