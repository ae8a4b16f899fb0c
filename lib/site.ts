import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { type Site, siteOfHost } from "@/lib/host";
import { languageTag } from "@/lib/languages";
import { currentRequest, noteOfRequest } from "@/lib/request";
import { addressNow } from "@/lib/workspaces/former";

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
  /** A path at its host, and pixels. */
  logo: { path: string; width: number; height: number } | null;
  feedbackEnabled: boolean;
  searchLogEnabled: boolean;
}

/** A workspace that was closed: only its administrators find it, to take it back. */
export interface ClosedWorkspace extends PublicWorkspace {
  /** When it will be deleted. */
  deleteAfter: Date;
}

/**
 * The workspace at a subdomain, or null. Asked once a request, however many parts of a page ask. Who asks where a workspace
 * once was is led to where it is, whatever is answered then.
 */
export const findPublicWorkspace = cache(async (subdomain: string): Promise<PublicWorkspace | null> => {
  const found = await findOne<PublicWorkspace>("w.subdomain = $1 AND w.delete_after IS NULL", subdomain);
  if (!found) {
    const movedTo = await addressNow(subdomain);
    if (movedTo) noteOfRequest({ movedTo });
  }
  return found;
});

/** The workspace at a subdomain that will be deleted, or null: also when its time is over. Asked once a request. */
export const findClosedWorkspace = cache((subdomain: string): Promise<ClosedWorkspace | null> => {
  return findOne<ClosedWorkspace>("w.subdomain = $1 AND w.delete_after > now()", subdomain);
});

async function findOne<W extends PublicWorkspace>(condition: string, subdomain: string): Promise<W | null> {
  const [found] = await acrossWorkspaces.query<W>(
    `SELECT w.id, w.subdomain, w.name, w.language, w.time_zone AS "timeZone", w.visibility, w.accent_color AS "accentColor",
       CASE WHEN u.width > 0 THEN json_build_object('path', '/uploads/' || u.id, 'width', u.width, 'height', u.height) END AS logo,
       w.feedback_enabled AS "feedbackEnabled", w.search_log_enabled AS "searchLogEnabled", w.delete_after AS "deleteAfter"
     FROM workspaces w LEFT JOIN uploads u ON u.workspace_id = w.id AND u.id = w.logo_upload_id
     WHERE ${condition}`,
    [subdomain],
  );
  if (found) noteOfRequest({ workspaceId: found.id });
  return found ? { ...found, language: languageTag(found.language) } : null;
}

/**
 * The reader's door: the workspace at a subdomain. Of one that was closed nothing is there, but that members are led to
 * where administrators take it back.
 * @throws what makes Next answer 404, when there is none
 */
export async function publicWorkspace(subdomain: string): Promise<PublicWorkspace> {
  const workspace = await findPublicWorkspace(subdomain);
  if (workspace) return workspace;
  if (currentRequest()?.path.startsWith("/admin") && (await findClosedWorkspace(subdomain))) redirect("/admin/closing");
  notFound();
}

/**
 * The workspace at a subdomain, closed or not, for where people sign in. A closed one sends no file, so it has no logo.
 * @throws what makes Next answer 404, when there is none
 */
export async function anyWorkspace(subdomain: string): Promise<PublicWorkspace> {
  const open = await findPublicWorkspace(subdomain);
  if (open) return open;
  const closed = (await findClosedWorkspace(subdomain)) ?? notFound();
  return { ...closed, logo: null };
}

/** What the host of the current request names: for what has no `[workspace]` in its path (actions, 404 pages). */
export async function requestedSite(): Promise<Site> {
  return siteOfHost((await headers()).get("host"), env().baseUrl);
}
