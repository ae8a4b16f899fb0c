import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { type Site, siteOfHost } from "@/lib/http/host";
import { currentRequest } from "@/lib/http/request";
import { languageTag } from "@/lib/settings/languages";
import type { SiteSettings } from "@/lib/settings/site-fields";

export interface PublicWorkspace extends SiteSettings {
  id: string;
  subdomain: string;
  name: string;
  language: string;
  timeZone: string;
  /** For categories that don't set their own (lib/visibility.ts). */
  visibility: "everyone" | "members";
  /** `#rrggbb`, as chosen: pages adjust it for contrast. */
  accentColor: string | null;
  logo: { path: string; width: number; height: number } | null;
  feedbackEnabled: boolean;
  searchLogEnabled: boolean;
}

/** Awaiting deletion: only administrators find it. */
export interface ClosedWorkspace extends PublicWorkspace {
  deleteAfter: Date;
}

/** Queried once per request. */
export const findPublicWorkspace = cache((subdomain: string): Promise<PublicWorkspace | null> => {
  return findOne<PublicWorkspace>("w.subdomain = $1 AND w.delete_after IS NULL", subdomain);
});

export const findClosedWorkspace = cache((subdomain: string): Promise<ClosedWorkspace | null> => {
  return findOne<ClosedWorkspace>("w.subdomain = $1 AND w.delete_after > now()", subdomain);
});

async function findOne<W extends PublicWorkspace>(condition: string, subdomain: string): Promise<W | null> {
  const [found] = await acrossWorkspaces.query<W>(
    `SELECT w.id, w.subdomain, w.name, w.language, w.time_zone AS "timeZone", w.visibility, w.accent_color AS "accentColor",
       CASE WHEN u.width > 0 THEN json_build_object('path', '/uploads/' || u.id, 'width', u.width, 'height', u.height) END AS logo,
       w.feedback_enabled AS "feedbackEnabled", w.search_log_enabled AS "searchLogEnabled",
       w.home_headline AS "homeHeadline", w.home_text AS "homeText", w.contact, w.header_links AS "headerLinks", w.delete_after AS "deleteAfter"
     FROM workspaces w LEFT JOIN uploads u ON u.workspace_id = w.id AND u.id = w.logo_upload_id
     WHERE ${condition}`,
    [subdomain],
  );
  return found ? { ...found, language: languageTag(found.language) } : null;
}

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
