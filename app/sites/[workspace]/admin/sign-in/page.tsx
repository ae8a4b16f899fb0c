import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { returnPath } from "@/lib/http/return-path";
import { mustSetUp, signedInMember, TWO_STEP_PATH } from "@/lib/session";
import { anyWorkspace, findPublicWorkspace } from "@/lib/site";
import { wordOf } from "../_form";
import type { Props } from "./_request";
import { SignInForm } from "./_sign-in-form";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** The reason for the redirect, by the code in the URL. A message from another host cannot come as a cookie. */
const messages: Record<string, string> = {
  email: "Email changed. Sign in with the new one.",
  everywhere: "You're signed out everywhere.",

  moved: "This is the new URL. Sign in again.",
};

const forMembers = "This knowledge base is private. Ask a member for an invitation.";

export default async function SignInPage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const query = await searchParams;
  const to = returnPath(query.to);
  const member = await signedInMember(workspace.subdomain);
  if (member) redirect(mustSetUp(member) ? TWO_STEP_PATH : (to ?? "/admin"));
  const isReader = workspace.visibility === "members" && to !== null && !/^\/admin([/?]|$)/.test(to);
  const isClosed = !(await findPublicWorkspace(workspace.subdomain));
  const about = isClosed
    ? "This knowledge base is scheduled for deletion. Administrators can sign in to restore it."
    : (messages[String(query.done)] ?? (isReader && forMembers));
  return (
    <EntryPage
      workspace={workspace}
      title={`Sign in to ${workspace.name}`}
      about={about && <p>{about}</p>}
      foot={workspace.visibility === "everyone" && !isClosed && <EntryLink href="/">Back to the site</EntryLink>}
    >
      <SignInForm to={to} email={wordOf(query.email, 254)} />
    </EntryPage>
  );
}
