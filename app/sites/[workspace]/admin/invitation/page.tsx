import type { Metadata } from "next";
import Link from "next/link";
import { NameFields } from "@/components/admin/person-fields";
import { Field } from "@/components/ui/field";
import { Form, FormNewPassword } from "@/components/ui/form";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { readWorkspace } from "@/lib/db";
import { findInvitation } from "@/lib/members/invitations";
import { publicWorkspace } from "@/lib/site";
import { submitAccept } from "./actions";

// The referrer keeps the token from other sites.
export const metadata: Metadata = { title: "Invitation", referrer: "same-origin", robots: { index: false } };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Opening it changes nothing, because link scanners open it too. */
export default async function InvitationPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { token } = await searchParams;
  const invitation =
    typeof token === "string" ? await readWorkspace(workspace.id, (read) => findInvitation(read, token)) : null;
  if (!invitation || typeof token !== "string") {
    return (
      <Notice title="This invitation is no longer valid">
        <p>The invitation was already used, was revoked, or has expired. Ask for a new invitation.</p>
        <p>
          <Link href="/admin/sign-in" prefetch={false}>
            Sign in
          </Link>
        </p>
      </Notice>
    );
  }
  return (
    <main className="mx-auto max-w-[24rem] px-5 py-16 md:py-24">
      <Mark name={workspace.name} image={workspace.logo} large />
      <h1 className="mt-6 mb-2 text-xl break-words">Join {workspace.name}</h1>
      <p className="mb-8 text-sm text-text-muted">You've been invited as {invitation.role}.</p>
      <Form action={submitAccept} submit="Accept invitation" busy="Accepting…">
        <input type="hidden" name="token" value={token} />
        {/* Password managers store the password with the email for sign-in. */}
        <Field label="Email" type="email" autoComplete="username" value={invitation.email} readOnly />
        <NameFields isOneself />
        <FormNewPassword />
      </Form>
    </main>
  );
}
