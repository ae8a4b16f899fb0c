import type { Metadata } from "next";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { returnPath, signInPath } from "@/lib/http/return-path";
import { findLink } from "@/lib/members/sign-in-links";
import { anyWorkspace } from "@/lib/site";
import { AskForMail, LookIntoMail } from "../_mail";
import type { Props } from "../_request";
import { submitAskForLink, submitLink } from "./actions";

// The referrer keeps the token from other sites.
export const metadata: Metadata = { title: "Sign in by a link", referrer: "same-origin", robots: { index: false } };

/** Asks for the email, and is the target of the link. Opening it does not use up the link, because link scanners open it too. */
export default async function LinkPage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const { token, done, to: target } = await searchParams;
  const to = returnPath(target);
  const hidden = to && <input type="hidden" name="to" value={to} />;
  const link =
    typeof token === "string"
      ? await readWorkspace(workspace.id, (read) => findLink(read, "sign_in", token))
      : undefined;
  if (link && typeof token === "string") {
    return (
      <EntryPage
        workspace={workspace}
        title={`Sign in to ${workspace.name}`}
        about={<p className="wrap-anywhere">You sign in as {link.email}.</p>}
      >
        <Form action={submitLink} submit="Sign in" busy="Signing in …">
          <input type="hidden" name="token" value={token} />
          {hidden}
        </Form>
      </EntryPage>
    );
  }
  const back = <EntryLink href={signInPath(to)}>Sign in with your password</EntryLink>;
  if (done === "sent") return <LookIntoMail workspace={workspace} again={signInPath(to, "/link")} back={back} />;
  return (
    <AskForMail
      workspace={workspace}
      title="Sign in by a link in a mail"
      about="You get a mail with a link that signs you in. You need no password for it."
      isSpent={link === null}
      back={back}
      action={submitAskForLink}
    >
      {hidden}
    </AskForMail>
  );
}
