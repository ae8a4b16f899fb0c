"use server";

import { notFound, redirect } from "next/navigation";
import { signIn } from "@/lib/session";
import { requestedSite } from "@/lib/site";

/** What the form shows again: everything but the password. */
export interface SignInState {
  email: string;
  error?: string;
}

export async function submitSignIn(_before: SignInState, form: FormData): Promise<SignInState> {
  const site = await requestedSite();
  if (site.kind !== "subdomain") notFound();
  const email = textOf(form, "email").trim();
  const password = textOf(form, "password");
  if (!email || !password) return { email, error: "Enter your e-mail address and your password." };
  if (!(await signIn(site.subdomain, email, password))) {
    return {
      email,
      error:
        "The e-mail address and the password do not belong together here. Check both, and type the password again.",
    };
  }
  redirect("/admin");
}

/** A field that was sent as a file, or not at all, is empty. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
