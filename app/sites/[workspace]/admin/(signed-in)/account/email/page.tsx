import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { findLink } from "@/lib/members/sign-in-links";
import { requireMember } from "@/lib/session";
import type { Query } from "../../../_form";
import { submitConfirmEmail } from "../actions";

// The referrer keeps the token from other sites.
export const metadata: Metadata = { title: "Confirm your email", referrer: "same-origin" };

/** The target of the link that confirms a new email. Opening it changes nothing. */
export default async function ConfirmEmailPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember();
  const { token } = await searchParams;
  const link =
    typeof token === "string"
      ? await readWorkspace(workspace.id, (read) => findLink(read, "email_change", token))
      : null;
  if (typeof token !== "string" || link?.memberId !== member.id) {
    return (
      <AdminPage title="Invalid link">
        <p>This link has expired, was already used, or belongs to an account other than {member.email}.</p>
        <p className="mt-5">
          <ButtonLink href="/admin/account" look="plain">
            Password and sessions
          </ButtonLink>
        </p>
      </AdminPage>
    );
  }
  return (
    <AdminPage
      title="Confirm your email"
      about={
        <p className="break-words">
          You'll sign in with {link.newEmail} instead of {member.email}. Confirming signs you out everywhere.
        </p>
      }
    >
      <Form action={submitConfirmEmail} submit="Confirm email" busy="Confirming…" cancel="/admin/account">
        <input type="hidden" name="token" value={token} />
      </Form>
    </AdminPage>
  );
}
