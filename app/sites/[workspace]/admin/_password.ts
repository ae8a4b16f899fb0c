import type { FormState } from "@/components/ui/form";
import { spoken, textOf } from "@/lib/http/form";
import type { requireMember } from "@/lib/session";
import { checkPassword } from "@/lib/sign-in/sign-in";
import { refusedFor } from "./_form";

/**
 * Checks the member's own password in the field `currentPassword`, for actions that an unattended browser must not do.
 * Attempts count like those of a sign-in.
 * @returns the form's state if it is wrong
 */
export async function wrongPassword(
  { workspace, member }: Awaited<ReturnType<typeof requireMember>>,
  form: FormData,
): Promise<FormState | null> {
  const why = await checkPassword(workspace, member, textOf(form, "currentPassword"));
  if (!why) return null;
  const said = why.isEarly ? "Too many attempts." : "Incorrect password.";
  const when = why.seconds > 0 ? ` Try again in ${spoken(why.seconds)}.` : "";
  return refusedFor(form, "currentPassword", said + when);
}
