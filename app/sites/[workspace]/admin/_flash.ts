import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type Flash, flashCookie, readFlash, type Undo } from "@/lib/session/flash";

/** Ends an action: redirects to a page, which reports the result and offers to undo it. */
export async function redirectWith(path: string, message: string, undo?: Undo): Promise<never> {
  (await cookies()).set(flashCookie((await headers()).get("host") ?? "", message, undo));
  redirect(path);
}

/** The message of the action that led to this page. */
export async function requestedFlash(): Promise<Flash | null> {
  const sent = await headers();
  return readFlash(sent.get("host") ?? "", sent.get("x-flash"));
}
