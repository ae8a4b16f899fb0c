import { headers } from "next/headers";
import { takeLimit } from "@/lib/counters";
import { readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { signInPath } from "@/lib/http/return-path";
import type { Failure } from "@/lib/identity-provider/members";
import type { Client } from "@/lib/identity-provider/protocol";
import { openProvider, type ProviderSettings } from "@/lib/identity-provider/settings";
import { log } from "@/lib/log";
import type { PublicWorkspace } from "@/lib/site";

const CALLBACK_PATH = "/admin/sign-in/oidc/callback";

/** Where the provider sends the browser. It has to be registered there. */
export function redirectUri({ subdomain }: { subdomain: string }): string {
  return `${workspaceUrl(subdomain, env().baseUrl)}${CALLBACK_PATH}`;
}

/** The answer holds cookies and comes from a URL with a code, so nothing keeps it. */
export function redirected(to: string): Response {
  return new Response(null, { status: 303, headers: { Location: to, "Cache-Control": "no-store" } });
}

export function failed(failure: Failure, to: string | null): Response {
  const path = signInPath(to);
  return redirected(`${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ failed: failure })}`);
}

/** The workspace's provider for one step of a sign-in. Each step counts, because Lectern then waits for the provider. */
export async function countedProvider(
  workspace: PublicWorkspace,
  step: "Start" | "Answer",
): Promise<(ProviderSettings & Client) | "busy" | "none" | "unreachable"> {
  const network = (await headers()).get("x-forwarded-for");
  const wait =
    (await takeLimit(`provider${step}`, { workspace: workspace.id, network })) ??
    (await takeLimit(`provider${step}s`, { workspace: workspace.id }));
  if (wait !== null) return "busy";
  try {
    return (await readWorkspace(workspace.id, (read) => openProvider(read, workspace.id))) ?? "none";
  } catch (error) {
    noteFailure(workspace, error);
    return "unreachable";
  }
}

export function noteFailure({ id }: PublicWorkspace, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  log().warn({ workspace_id: id, reason }, "An identity provider can't be used.");
}
