import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { ButtonAnchor } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { readWorkspace } from "@/lib/db";
import { returnPath } from "@/lib/http/return-path";
import type { Failure } from "@/lib/identity-provider/members";
import { findProvider } from "@/lib/identity-provider/settings";
import { mustSetUp, signedInMember, TWO_STEP_PATH } from "@/lib/session";
import { anyWorkspace, findPublicWorkspace } from "@/lib/site";
import { addressWith, wordOf } from "../_form";
import type { Props } from "./_request";
import { SignInForm } from "./_sign-in-form";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** The reason for the redirect, by the code in the URL. A message from another host cannot come as a cookie. */
const messages: Record<string, string> = {
  email: "Email changed. Sign in with the new email.",
  everywhere: "You're signed out everywhere.",

  moved: "This is the new URL. Sign in again.",
};

/** Why signing in through the identity provider did not work. */
const failures: Record<Failure, (provider: string) => string> = {
  busy: () => "Too many sign-ins right now. Try again in a minute.",
  canceled: (provider) => `Signing in with ${provider} was canceled. Try again, or use your password.`,
  expired: () => "This sign-in expired or was already used. Try again.",
  full: () => "Too many people joined today. Try again tomorrow.",
  invited: () => "Accept the invitation in your email first.",
  no_member: (provider) => `No active member has the email you use at ${provider}. Ask an administrator to invite you.`,
  refused: (provider) => `Couldn't sign in with ${provider}. Try again, or ask an administrator for help.`,
  unreachable: (provider) => `${provider} isn't available right now. Try again later, or use your password.`,
  unverified: (provider) => `${provider} hasn't verified your email. Verify it there, then try again.`,
};

const isFailure = (text: unknown): text is Failure => typeof text === "string" && Object.hasOwn(failures, text);

const forMembers = "This knowledge base is private. Sign in, or ask an administrator for an invitation.";

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
  const provider = await readWorkspace(workspace.id, findProvider);
  return (
    <EntryPage
      workspace={workspace}
      title={`Sign in to ${workspace.name}`}
      about={about && <p>{about}</p>}
      foot={workspace.visibility === "everyone" && !isClosed && <EntryLink href="/">Back to the site</EntryLink>}
    >
      {provider && (
        <div className="mb-6 grid gap-6">
          {isFailure(query.failed) && <Refusal>{failures[query.failed](provider.name)}</Refusal>}
          <ButtonAnchor href={addressWith("/admin/sign-in/oidc", { to })} look="plain">
            Sign in with {provider.name}
          </ButtonAnchor>
          <p className="flex items-center gap-3 text-sm text-text-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
            or
          </p>
        </div>
      )}
      <SignInForm to={to} email={wordOf(query.email, 254)} />
    </EntryPage>
  );
}
