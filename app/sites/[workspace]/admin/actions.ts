"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { requireMember } from "@/lib/session";
import { signOut } from "@/lib/sign-in/sign-in";

export async function submitSignOut(): Promise<void> {
  await signOut();
  redirect("/admin/sign-in");
}

/** Hides the first steps in this browser. */
export async function submitHideSteps(): Promise<void> {
  await requireMember();
  (await cookies()).set("steps", "hidden", { path: "/admin", maxAge: 31_536_000, sameSite: "lax", httpOnly: true });
  redirect("/admin");
}
