import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { returnPath, signInPath } from "@/lib/http/return-path";
import { currentMember } from "@/lib/session";
import { anyWorkspace, findPublicWorkspace } from "@/lib/site";
import { wordOf } from "../_form";
import type { Props } from "./_request";
import { SignInForm } from "./_sign-in-form";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** The reason for the redirect, by the code in the URL. A message from another host cannot come as a cookie. */
const messages: Record<string, string> = {
  email: "Your e-mail address is changed, and you were signed out everywhere. Sign in with the new one.",
  everywhere: "You are signed out everywhere.",
  made: "Your knowledge base is made. Sign in with the password you have just chosen.",
  moved: "The knowledge base is at this address now. Sign in here from now on.",
};

const forMembers = "This knowledge base is for its members. If you have no account, ask one of them for an invitation.";

export default async function SignInPage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const query = await searchParams;
  const to = returnPath(query.to);
  if (await currentMember(workspace.subdomain)) redirect(to ?? "/admin");
  const isReader = workspace.visibility === "members" && to !== null && !/^\/admin([/?]|$)/.test(to);
  const isClosed = !(await findPublicWorkspace(workspace.subdomain));
  const about = isClosed
    ? "This knowledge base is closed and will be deleted. An administrator who signs in can take it back."
    : (messages[String(query.done)] ?? (isReader && forMembers));
  return (
    <EntryPage
      workspace={workspace}
      title={`Sign in to ${workspace.name}`}
      about={about && <p>{about}</p>}
      foot={
        <>
          <EntryLink href={signInPath(to, "/link")}>Sign in by a link in a mail</EntryLink>
          <EntryLink href={signInPath(to, "/password")}>Forgot your password?</EntryLink>
          {workspace.visibility === "everyone" && !isClosed && (
            <EntryLink href="/">Back to the knowledge base</EntryLink>
          )}
        </>
      }
    >
      <SignInForm to={to} email={wordOf(query.email)} />
    </EntryPage>
  );
}
