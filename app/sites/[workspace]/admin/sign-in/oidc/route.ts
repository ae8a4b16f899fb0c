import { returnPath, signInPath } from "@/lib/http/return-path";
import { startAt } from "@/lib/identity-provider/protocol";
import { signedInMember } from "@/lib/session";
import { hashOfIssuer, rememberProviderStep } from "@/lib/sign-in/provider-step";
import { requestedWorkspace } from "../_request";
import { countedProvider, failed, noteFailure, redirected, redirectUri } from "./_answer";

/**
 * Sends the browser to the identity provider. A link, because our form-action policy keeps forms from redirecting to another host
 * (middleware.ts).
 */
export async function GET(request: Request): Promise<Response> {
  const workspace = await requestedWorkspace();
  const to = returnPath(new URL(request.url).searchParams.get("to"));
  // Another site could otherwise sign a browser in again after its member signed out.
  const from = request.headers.get("sec-fetch-site") ?? "none";
  if (from !== "same-origin" && from !== "none") return redirected(signInPath(to));
  // The sign-in page knows where signed-in members belong.
  if (await signedInMember(workspace.subdomain)) return redirected(signInPath(to));
  const provider = await countedProvider(workspace, "Start");
  if (provider === "none") return redirected(signInPath(to));
  if (typeof provider === "string") return failed(provider, to);
  try {
    const { url, challenge } = await startAt(provider, redirectUri(workspace));
    await rememberProviderStep({ workspace: workspace.id, issuer: hashOfIssuer(provider), ...challenge, to });
    return redirected(url);
  } catch (error) {
    noteFailure(workspace, error);
    return failed("unreachable", to);
  }
}
