import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { type Site, siteOfHost } from "@/lib/host";
import { noteOfRequest } from "@/lib/request";

/** What the reader's door gives: a workspace as its pages need it. */
export interface PublicWorkspace {
  id: string;
  subdomain: string;
  name: string;
  /** A BCP 47 language tag, for `<html lang>`. */
  language: string;
}

/** The workspace at a subdomain, or null. Asked once a request, however many parts of a page ask. */
export const findPublicWorkspace = cache(async (subdomain: string): Promise<PublicWorkspace | null> => {
  const [found] = await acrossWorkspaces.query<PublicWorkspace>(
    "SELECT id, subdomain, name, language FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL",
    [subdomain],
  );
  if (found) noteOfRequest({ workspaceId: found.id });
  return found ?? null;
});

/**
 * The reader's door: the workspace at a subdomain.
 * @throws what makes Next answer 404, when there is none
 */
export async function publicWorkspace(subdomain: string): Promise<PublicWorkspace> {
  return (await findPublicWorkspace(subdomain)) ?? notFound();
}

/** What the host of the current request names: for what has no `[workspace]` in its path (actions, 404 pages). */
export async function requestedSite(): Promise<Site> {
  return siteOfHost((await headers()).get("host"), env().baseUrl);
}
