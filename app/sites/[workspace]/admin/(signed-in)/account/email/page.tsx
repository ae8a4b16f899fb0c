import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { findLink } from "@/lib/member-links";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { submitConfirmEmail } from "../actions";

// Whatever is asked for from here is not told the token.
export const metadata: Metadata = { title: "Confirm your address", referrer: "same-origin" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Where the link to a new address leads. Looking at it changes nothing. */
export default async function ConfirmEmailPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain);
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
