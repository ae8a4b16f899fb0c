import type { FormState } from "@/components/ui/form";
import { spoken, textOf } from "@/lib/form";
import { checkPassword, type requireActor } from "@/lib/session";
import { refusedFor } from "./_form";

/**
 * Whether the field `currentPassword` holds the password of whoever acts, for what a browser that was left open must not be
 * enough for. Tries are counted like those of a sign-in.
 * @returns why not, if not
 */
export async function wrongPassword(
  { workspace, member }: Awaited<ReturnType<typeof requireActor>>,
  form: FormData,
): Promise<FormState | null> {
  const why = await checkPassword(workspace, member, textOf(form, "currentPassword"));
  if (!why) return null;
  const said = why.isEarly
    ? "There were too many tries, so this one was not looked at."
    : "This is not your password here.";
  const when = why.seconds > 0 ? ` Try again in ${spoken(why.seconds)}.` : " Type it again.";
  return refusedFor(form, "currentPassword", said + when);
}
