import { acrossWorkspaces } from "@/lib/db";
import { languageTag } from "@/lib/settings/languages";
import type { SiteSettings } from "@/lib/settings/site-fields";

export interface PublicWorkspace extends SiteSettings {
  id: string;
  subdomain: string;
  name: string;
  language: string;
  timeZone: string;
  /** Applies to categories that don't set their own visibility (lib/visibility.ts). */
  visibility: "everyone" | "members";
  /** `#rrggbb`, as chosen. Pages adjust the color for contrast. */
  accentColor: string | null;
  logo: { path: string; width: number; height: number } | null;
  feedbackEnabled: boolean;
  searchLogEnabled: boolean;
}

/** A workspace awaiting deletion. Only administrators can open it. */
export interface ClosedWorkspace extends PublicWorkspace {
  deleteAfter: Date;
}

export function openWorkspaceAt(subdomain: string): Promise<PublicWorkspace | null> {
  return findOne<PublicWorkspace>("w.subdomain = $1 AND w.delete_after IS NULL", subdomain);
}

export function closedWorkspaceAt(subdomain: string): Promise<ClosedWorkspace | null> {
  return findOne<ClosedWorkspace>("w.subdomain = $1 AND w.delete_after > now()", subdomain);
}

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
