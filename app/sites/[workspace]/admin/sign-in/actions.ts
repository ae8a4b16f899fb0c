"use server";

import { redirect } from "next/navigation";
import { spoken, textOf } from "@/lib/http/form";
import { signInPath } from "@/lib/http/return-path";
import { tellOfNewBrowser } from "@/lib/members/members";
import { askForPasskey, signInByPasskey } from "@/lib/sign-in/passkey";
import { signIn } from "@/lib/sign-in/sign-in";
import { mailLink } from "./_mailed";
import { requestedWorkspace, sentPath, targetOf } from "./_request";

/** The form's state: everything but the password. */
export interface SignInState {
  email: string;
  error?: string;
}

const purposes = ["sign_in", "password_reset"] as const;

/** Signs in, or mails a link to the email if a button asks for it. */
export async function submitSignIn(_before: SignInState, form: FormData): Promise<SignInState> {
  const workspace = await requestedWorkspace();
  const email = textOf(form, "email").trim();
  const instead = purposes.find((purpose) => purpose === textOf(form, "instead"));
  if (instead) {
    const page = instead === "sign_in" ? "/link" : "/password";
    if (!email) redirect(signInPath(targetOf(form), page));
    const refused = await mailLink(workspace, instead, form, instead === "sign_in" ? targetOf(form) : null);
    if (refused) return { email, error: Object.values(refused.errors)[0] };
    redirect(sentPath(page, targetOf(form), email));
  }
  const password = textOf(form, "password");
  if (!email || !password) return { email, error: "Enter your email and password." };
  const outcome = await signIn(workspace.subdomain, email, password, tellOfNewBrowser);
  if (outcome === "code_needed") redirect(signInPath(targetOf(form), "/code"));
  if (outcome === "signed_in") redirect(targetOf(form) ?? "/admin");
  const { isEarly, seconds } = outcome;
  if (isEarly) {
    return {
      email,
      error: `Too many attempts. Try again in ${spoken(seconds)}, or email yourself a sign-in link.`,
    };
  }
  const said = "Incorrect email or password.";
  return { email, error: seconds > 0 ? `${said} Try again in ${spoken(seconds)}.` : said };
}

export async function startPasskey() {
  return askForPasskey(await requestedWorkspace());
}

/** @returns the reason for a refusal */
export async function submitPasskey(form: FormData): Promise<string> {
  const outcome = await signInByPasskey(await requestedWorkspace(), textOf(form, "answer"), tellOfNewBrowser);
  if (typeof outcome === "string") redirect(targetOf(form) ?? "/admin");
  const { isEarly, seconds } = outcome;
  if (isEarly) return `Too many attempts. Try again in ${spoken(seconds)}, or sign in another way.`;
  return "Couldn't sign in with this passkey. Try again, or sign in another way.";
}
