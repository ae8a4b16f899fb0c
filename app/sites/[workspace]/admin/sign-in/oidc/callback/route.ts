import { headers } from "next/headers";
import { takeLimit } from "@/lib/counters";
import { type Db, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { signInPath } from "@/lib/http/return-path";
import { type Failure, memberOf, NoMemberError, verifiedEmail } from "@/lib/identity-provider/members";
import { identityFrom, ProviderError } from "@/lib/identity-provider/protocol";
import { logSecurity } from "@/lib/log";
import { findMemberByEmail, tellOfNewBrowser } from "@/lib/members/members";
import { requestOrigin } from "@/lib/session";
import { forgetProviderStep, hashOfIssuer, pendingProviderStep } from "@/lib/sign-in/provider-step";
import { signInBy } from "@/lib/sign-in/sign-in";
import { requestedWorkspace } from "../../_request";
import { countedProvider, failed, noteFailure, redirected, redirectUri } from "../_answer";

/**
 * Where the identity provider sends the browser back. OpenID Connect makes this the one URL that signs someone in when it is
 * opened. It does so only in the browser that asked, within minutes. The state has to be that of the browser's cookie, which is
 * then cleared, and the provider accepts a code once.
 */
export async function GET(request: Request): Promise<Response> {
  const workspace = await requestedWorkspace();
  const step = await pendingProviderStep(workspace.id);
  if (!step) return failed("expired", null);
  const { to } = step;
  const answer = new URL(redirectUri(workspace));
  answer.search = new URL(request.url).search;
  if (answer.searchParams.get("state") !== step.state) {
    await noteRefusal(workspace.id, "The state belongs to another sign-in.");
    return failed("expired", to);
  }
  await forgetProviderStep();
  const provider = await countedProvider(workspace, "Answer");
  if (typeof provider === "string") return failed(provider === "none" ? "expired" : provider, to);
  if (hashOfIssuer(provider) !== step.issuer) return failed("expired", to);
  try {
    const identity = await identityFrom(provider, answer, step);
    const email = verifiedEmail(identity);
    const isMember = await readWorkspace(workspace.id, (read) => findMemberByEmail(read, email));
    if (
      !isMember &&
      provider.newMemberRole &&
      (await takeLimit("joinByProvider", { workspace: workspace.id })) !== null
    )
      return failed("full", to);
    const from = await requestOrigin();
    const prove = (db: Db) => memberOf(db, identity, { provider, timeZone: workspace.timeZone }, from);
    const outcome = await signInBy(workspace, "identity_provider", prove, tellOfNewBrowser, identity.authenticatedAt);
    if (!outcome) return failed("no_member", to);
    // The provider may or may not have asked for a second factor. What it says about that is not comparable between providers, so
    // the member's own second step stays.
    return redirected(outcome === "code_needed" ? signInPath(to, "/code") : (to ?? "/admin"));
  } catch (error) {
    const failure = failureOf(error);
    if (failure === "unreachable") noteFailure(workspace, error);
    else if (failure !== "canceled") await noteRefusal(workspace.id, (error as Error).message);
    return failed(failure, to);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof ProviderError) return error.kind;
  if (error instanceof NoMemberError) return error.reason;
  // The role was deleted, or someone else took the email, at the same moment.
  if (error instanceof InvalidError) return "refused";
  throw error;
}

async function noteRefusal(workspaceId: string, reason: string): Promise<void> {
  const client = (await headers()).get("x-forwarded-for");
  logSecurity("sign_in.failed", { workspace_id: workspaceId, client, by: "identity_provider", reason });
}
