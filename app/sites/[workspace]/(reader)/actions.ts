"use server";

import { redirect } from "next/navigation";
import { signOut } from "@/lib/session";

/** As the admin pages do it, and leads to the start page. */
export async function submitSignOut(): Promise<void> {
  await signOut();
  redirect("/");
}
