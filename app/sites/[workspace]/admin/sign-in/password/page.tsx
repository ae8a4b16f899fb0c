import type { Metadata } from "next";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { Field } from "@/components/ui/field";
import { Form, FormNewPassword } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { returnPath, signInPath } from "@/lib/http/return-path";
import { findLink } from "@/lib/members/sign-in-links";
import { anyWorkspace } from "@/lib/site";
import { addressWith, wordOf } from "../../_form";
import { AskForMail, CheckEmail } from "../_mail";
import type { Props } from "../_request";
import { submitAskForReset, submitReset } from "./actions";

// The referrer keeps the token from other sites.
export const metadata: Metadata = { title: "Choose a password", referrer: "same-origin", robots: { index: false } };

/** Asks for the email, and is the target of the link to a new password. Opening it does not use up the link. */
export default async function PasswordPage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const { token, done, to, email: sent } = await searchParams;
  const email = wordOf(sent, 254);
  const link =
    typeof token === "string"
      ? await readWorkspace(workspace.id, (read) => findLink(read, "password_reset", token))
      : undefined;
  if (link && typeof token === "string") {
    return (
      <EntryPage
        workspace={workspace}
        title="Choose a password"
        about={<p>Choosing a password signs you out on all other devices and removes your passkeys.</p>}
      >
        <Form action={submitReset} submit="Set password" busy="Saving…">
          <input type="hidden" name="token" value={token} />
          {/* Password managers store the password with the email for sign-in. */}
          <Field label="Email" type="email" autoComplete="username" value={link.email} readOnly />
          <FormNewPassword label="New password" />
        </Form>
      </EntryPage>
    );
  }
  const back = <EntryLink href={signInPath(returnPath(to))}>Back to sign in</EntryLink>;
  if (done === "sent")
    return (
      <CheckEmail
        workspace={workspace}
        email={email}
        again={addressWith("/admin/sign-in/password", { email })}
        back={back}
      />
    );
  return (
    <AskForMail
      workspace={workspace}
      title="Reset your password"
      about="We'll email you a link to reset your password."
      isSpent={link === null}
      email={email}
      back={back}
      action={submitAskForReset}
    />
  );
}
