"use server";

import { redirect } from "next/navigation";
import { signOut } from "@/lib/sign-in/sign-in";

export async function submitSignOut(): Promise<void> {
  await signOut();
  redirect("/");
}
