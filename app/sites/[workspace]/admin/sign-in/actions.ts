"use server";

import { redirect } from "next/navigation";
import { spoken, textOf } from "@/lib/http/form";
import { signIn } from "@/lib/sign-in/sign-in";
import { requestedWorkspace, targetOf } from "./_request";

/** The form's state: everything but the password. */
export interface SignInState {
  email: string;
  error?: string;
}

export async function submitSignIn(_before: SignInState, form: FormData): Promise<SignInState> {
  const { subdomain } = await requestedWorkspace();
  const email = textOf(form, "email").trim();
  const password = textOf(form, "password");
  if (!email || !password) return { email, error: "Enter your e-mail address and your password." };
  const refusal = await signIn(subdomain, email, password);
  if (!refusal) redirect(targetOf(form) ?? "/admin");
  const { isEarly, seconds } = refusal;
  if (isEarly) {
    return {
      email,
      error: `There were too many tries, so this one was not looked at. Try again in ${spoken(seconds)}, or sign in by a link in a mail.`,
    };
  }
  const said =
    "The e-mail address and the password do not belong together here. Check both, and type the password again.";
  return { email, error: seconds > 0 ? `${said} You can do that in ${spoken(seconds)}.` : said };
}
