import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { returnPath, signInPath } from "@/lib/return-path";
import { currentMember } from "@/lib/session";
import { anyWorkspace, findPublicWorkspace } from "@/lib/site";
import { wordOf } from "../_form";
import type { Props } from "./_asked";
import { SignInForm } from "./form";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** What has brought somebody here, by the word of the address that says so. */
const told: Record<string, string> = {
  email: "Your e-mail address is changed, and you were signed out everywhere. Sign in with the new one.",
  everywhere: "You are signed out everywhere.",
  made: "Your knowledge base is made. Sign in with the password you have just chosen.",
  moved: "The knowledge base is at this address now. Sign in here from now on.",
};

const forMembers = "This knowledge base is for its members. If you have no account, ask one of them for an invitation.";

export default async function SignInPage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const asked = await searchParams;
  const to = returnPath(asked.to);
  if (await currentMember(workspace.subdomain)) redirect(to ?? "/admin");
  const isReader = workspace.visibility === "members" && to !== null && !/^\/admin([/?]|$)/.test(to);
  const isClosed = !(await findPublicWorkspace(workspace.subdomain));
  const about = isClosed
    ? "This knowledge base is closed and will be deleted. An administrator who signs in can take it back."
    : (told[String(asked.done)] ?? (isReader && forMembers));
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
      <SignInForm to={to} email={wordOf(asked.email)} />
    </EntryPage>
  );
}
