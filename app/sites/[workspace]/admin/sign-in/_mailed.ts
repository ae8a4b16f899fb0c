import { headers } from "next/headers";
import { z } from "zod";
import type { FormState } from "@/components/ui/form";
import { takeLimit } from "@/lib/counters";
import { inWorkspace } from "@/lib/db";
import { spoken, textOf } from "@/lib/http/form";
import { askForLink } from "@/lib/members/sign-in-links";
import type { PublicWorkspace } from "@/lib/site";
import { refusedFor } from "../_form";

/**
 * Mails a link if the form's email is a member's. The answer is the same for every email.
 * @returns the reason for a refusal, if any
 */
export async function mailLink(
  workspace: PublicWorkspace,
  purpose: "sign_in" | "password_reset",
  form: FormData,
  to: string | null,
): Promise<FormState | null> {
  const email = z.email().safeParse(textOf(form, "email").trim().normalize("NFC"));
  if (!email.success || email.data.length > 254) {
    return refusedFor(form, "email", "Enter a valid email, such as name@example.com.");
  }
  const seconds = await countMailed("linkMail", workspace.id, email.data);
  if (seconds !== null) {
    return refusedFor(
      form,
      "email",
      `Too many emails requested. Use the latest one, or try again in ${spoken(seconds)}.`,
    );
  }
  // Queued jobs store URLs in plain text, so a URL with a token in it is left out.
  const plain = to && new URL(to, "http://here").searchParams.has("token") ? null : to;
  await inWorkspace(workspace.id, (db) => askForLink(db, purpose, email.data, plain));
  return null;
}

/**
 * Counts a mail that the current request has sent to an email.
 * @returns how many seconds to wait when the limit is reached, else null
 */
export async function countMailed(
  limit: "linkMail" | "memberMail",
  workspaceId: string,
  email: string,
): Promise<number | null> {
  return takeLimit(limit, { workspace: workspaceId, email, network: (await headers()).get("x-forwarded-for") });
}
