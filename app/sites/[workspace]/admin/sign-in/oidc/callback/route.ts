import { headers } from "next/headers";
import type { Db } from "@/lib/db";
import { signInPath } from "@/lib/http/return-path";
import { memberOf, NoMemberError, verifiedEmail } from "@/lib/identity-provider/members";
import { identityFrom, ProviderError } from "@/lib/identity-provider/protocol";
import { logSecurity } from "@/lib/log";
import { tellOfNewBrowser } from "@/lib/members/members";
import { requestOrigin } from "@/lib/session";
import { takeProviderStep } from "@/lib/sign-in/provider-step";
import { signInBy } from "@/lib/sign-in/sign-in";
import { requestedWorkspace } from "../../_request";
import { countedProvider, failed, noteFailure, redirected, redirectUri } from "../_answer";

/**
 * Where the identity provider sends the browser back. OpenID Connect makes this the one URL that signs someone in when it is
 * opened. It does so once, in the browser that asked, within minutes: the state has to be that of the browser's cookie.
 */
export async function GET(request: Request): Promise<Response> {
  const workspace = await requestedWorkspace();
  const step = await takeProviderStep(workspace.id);
  if (!step) return failed("expired", null);
  const { to } = step;
  const answer = new URL(redirectUri(workspace));
  answer.search = new URL(request.url).search;
  if (answer.searchParams.get("state") !== step.state) return failed("expired", to);
  const provider = await countedProvider(workspace);
  if (typeof provider === "string") return failed(provider === "none" ? "expired" : provider, to);
  if (provider.issuer !== step.issuer) return failed("expired", to);
  try {
    const identity = await identityFrom(provider, answer, step);
    verifiedEmail(identity);
    const from = await requestOrigin();
    const newMember = { role: provider.newMemberRole, timeZone: workspace.timeZone };
    const prove = (db: Db) => memberOf(db, identity, newMember, from);
    const outcome = await signInBy(workspace, "identity_provider", prove, tellOfNewBrowser, identity.authenticatedAt);
    if (!outcome) return failed("no_member", to);
    // The provider may or may not have asked for a second factor. What it says about that is not comparable between providers, so
    // the member's own second step stays.
    return redirected(outcome === "code_needed" ? signInPath(to, "/code") : (to ?? "/admin"));
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "unreachable") noteFailure(workspace, error);
    else if (error instanceof ProviderError || error instanceof NoMemberError) await noteRefusal(workspace.id, error);
    else throw error;
    return failed(error instanceof ProviderError ? error.kind : error.reason, to);
  }
}

async function noteRefusal(workspaceId: string, { message }: Error): Promise<void> {
  const client = (await headers()).get("x-forwarded-for");
  logSecurity("sign_in.failed", { workspace_id: workspaceId, client, by: "identity_provider", reason: message });
}
