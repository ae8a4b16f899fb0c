import type { Metadata } from "next";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { Form } from "@/components/ui/form";
import { SubmitOnLoad } from "@/components/ui/submit-on-load";
import { readWorkspace } from "@/lib/db";
import { returnPath, signInPath } from "@/lib/http/return-path";
import { findLink } from "@/lib/members/sign-in-links";
import { anyWorkspace } from "@/lib/site";
import { addressWith, wordOf } from "../../_form";
import { AskForMail, CheckEmail } from "../_mail";
import type { Props } from "../_request";
import { submitAskForLink, submitLink } from "./actions";

// The referrer keeps the token from other sites.
export const metadata: Metadata = {
  title: "Email me a sign-in link",
  referrer: "same-origin",
  robots: { index: false },
};

/** Asks for the email, and is the target of the link. Opening it does not use up the link, because link scanners open it too. */
export default async function LinkPage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const { token, done, to: target, email: sent } = await searchParams;
  const to = returnPath(target);
  const email = wordOf(sent, 254);
  const hidden = to && <input type="hidden" name="to" value={to} />;
  const link =
    typeof token === "string"
      ? await readWorkspace(workspace.id, (read) => findLink(read, "sign_in", token))
      : undefined;
  // The form on the bare domain leads here, and no mail, so no scanner opens it.
  const isNew = done === "created";
  if (link && typeof token === "string") {
    return (
      <EntryPage
        workspace={workspace}
        title={isNew ? `${workspace.name} is ready` : `Sign in to ${workspace.name}`}
        about={<p className="wrap-anywhere">You're signing in as {link.email}.</p>}
      >
        <Form action={submitLink} submit={isNew ? "Continue" : "Sign in"} busy="Signing in…">
          {isNew && <SubmitOnLoad />}
          <input type="hidden" name="token" value={token} />
          {hidden}
        </Form>
      </EntryPage>
    );
  }
  const back = <EntryLink href={signInPath(to)}>Sign in with a password</EntryLink>;
  if (done === "sent")
    return (
      <CheckEmail
        workspace={workspace}
        email={email}
        again={addressWith("/admin/sign-in/link", { to, email })}
        back={back}
      />
    );
  return (
    <AskForMail
      workspace={workspace}
      title="Email me a sign-in link"
      about="We'll email you a link to sign in without a password."
      isSpent={link === null}
      email={email}
      back={back}
      action={submitAskForLink}
    >
      {hidden}
    </AskForMail>
  );
}
