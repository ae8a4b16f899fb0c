import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { env } from "@/lib/env";
import { type Site, siteOfHost } from "@/lib/http/host";
import { currentRequest } from "@/lib/http/request";
import { closedWorkspaceAt, openWorkspaceAt, type PublicWorkspace } from "@/lib/workspaces/public-workspace";

export type { PublicWorkspace };

/** Queried once per request. */
export const findPublicWorkspace = cache(openWorkspaceAt);

export const findClosedWorkspace = cache(closedWorkspaceAt);

/** The reader's door, or a 404. Admin pages of a closed workspace redirect to where administrators restore it. */
export async function publicWorkspace(subdomain: string): Promise<PublicWorkspace> {
  const workspace = await findPublicWorkspace(subdomain);
  if (workspace) return workspace;
  if (currentRequest()?.path.startsWith("/admin") && (await findClosedWorkspace(subdomain))) redirect("/admin/closing");
  notFound();
}

/** For signing in, closed or not. A closed workspace serves no files, so no logo. */
export async function anyWorkspace(subdomain: string): Promise<PublicWorkspace> {
  const open = await findPublicWorkspace(subdomain);
  if (open) return open;
  const closed = (await findClosedWorkspace(subdomain)) ?? notFound();
  return { ...closed, logo: null };
}

/** For actions and 404 pages, which have no `[workspace]` in their path. */
export async function requestedSite(): Promise<Site> {
  return siteOfHost((await headers()).get("host"), env().baseUrl);
}
