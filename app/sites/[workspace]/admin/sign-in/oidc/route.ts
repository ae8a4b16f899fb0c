import { returnPath, signInPath } from "@/lib/http/return-path";
import { startAt } from "@/lib/identity-provider/protocol";
import { rememberProviderStep } from "@/lib/sign-in/provider-step";
import { requestedWorkspace } from "../_request";
import { countedProvider, failed, noteFailure, redirected, redirectUri } from "./_answer";

/** Sends the browser to the identity provider. A link, because browsers follow no form to another host (middleware.ts). */
export async function GET(request: Request): Promise<Response> {
  const workspace = await requestedWorkspace();
  const to = returnPath(new URL(request.url).searchParams.get("to"));
  const provider = await countedProvider(workspace);
  if (provider === "none") return redirected(signInPath(to));
  if (typeof provider === "string") return failed(provider, to);
  try {
    const { url, challenge } = await startAt(provider, redirectUri(workspace));
    await rememberProviderStep({ workspace: workspace.id, issuer: provider.issuer, ...challenge, to });
    return redirected(url);
  } catch (error) {
    noteFailure(workspace, error);
    return failed("unreachable", to);
  }
}
