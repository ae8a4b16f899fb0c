import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { type Site, siteOfHost } from "@/lib/host";
import { languageTag } from "@/lib/languages";
import { noteOfRequest } from "@/lib/request";

/** What the reader's door gives: a workspace as its pages need it. */
export interface PublicWorkspace {
  id: string;
  subdomain: string;
  name: string;
  /** A BCP 47 language tag, for `<html lang>`. */
  language: string;
  timeZone: string;
  /** Whether articles are for everyone or for members, where their categories do not say it themselves (lib/visibility.ts). */
  visibility: "everyone" | "members";
  /** `#rrggbb`, as it was chosen: its contrast is seen to where it is shown. */
  accentColor: string | null;
  logoUploadId: string | null;
  feedbackEnabled: boolean;
  searchLogEnabled: boolean;
}

/** The workspace at a subdomain, or null. Asked once a request, however many parts of a page ask. */
export const findPublicWorkspace = cache(async (subdomain: string): Promise<PublicWorkspace | null> => {
  const [found] = await acrossWorkspaces.query<PublicWorkspace>(
    `SELECT id, subdomain, name, language, time_zone AS "timeZone", visibility, accent_color AS "accentColor",
       logo_upload_id AS "logoUploadId", feedback_enabled AS "feedbackEnabled", search_log_enabled AS "searchLogEnabled"
     FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL`,
    [subdomain],
  );
  if (found) noteOfRequest({ workspaceId: found.id });
  return found ? { ...found, language: languageTag(found.language) } : null;
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
