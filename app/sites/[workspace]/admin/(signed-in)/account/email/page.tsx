import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { findLink } from "@/lib/members/sign-in-links";
import { requireMember } from "@/lib/session";
import type { Query } from "../../../_form";
import { submitConfirmEmail } from "../actions";

// The referrer keeps the token from other sites.
export const metadata: Metadata = { title: "Confirm your address", referrer: "same-origin" };

/** The target of the link that confirms a new email. Opening it changes nothing. */
export default async function ConfirmEmailPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember();
  const { token } = await searchParams;
  const link =
    typeof token === "string"
      ? await readWorkspace(workspace.id, (read) => findLink(read, "email_change", token))
      : null;
  const path = [{ href: "/admin/account", name: "Sign-in and sessions" }];
  if (typeof token !== "string" || link?.memberId !== member.id) {
    return (
      <AdminPage title="This link is not good" path={path}>
        <p>
          It was used, is too old, another was asked for since, or it is for another account than {member.email}, with
          which you are signed in.
        </p>
        <p className="mt-5">
          <ButtonLink href="/admin/account" look="plain">
            Go to your account
          </ButtonLink>
        </p>
      </AdminPage>
    );
  }
  return (
    <AdminPage
      title="Confirm your address"
      path={path}
      about={
        <p className="break-words">
          From then on you sign in with {link.newEmail}, and no longer with {member.email}. You are signed out
          everywhere, and both addresses get a mail.
        </p>
      }
    >
      <Form action={submitConfirmEmail} submit="Confirm" busy="Confirming …">
        <input type="hidden" name="token" value={token} />
      </Form>
    </AdminPage>
  );
}
