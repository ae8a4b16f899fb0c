import type { Read } from "@/lib/db";

export interface ContentCounts {
  published: number;
  drafts: number;
  /** Published, with a draft that differs. */
  differing: number;
  scheduled: number;
  /** Scheduled, and waiting for someone who may publish. */
  held: number;
}

export async function contentCounts(read: Read): Promise<ContentCounts> {
  const [counts] = await read<ContentCounts>(
    `SELECT (count(*) FILTER (WHERE state = 'published'))::int AS published,
       (count(*) FILTER (WHERE state = 'draft'))::int AS drafts,
       (count(*) FILTER (WHERE publish_at IS NOT NULL AND NOT publish_held))::int AS scheduled,
       (count(*) FILTER (WHERE publish_at IS NOT NULL AND publish_held))::int AS held,
       (SELECT count(*)::int FROM article_drafts d JOIN articles a ON a.workspace_id = d.workspace_id AND a.id = d.id
        WHERE a.state = 'published') AS differing
     FROM articles`,
  );
  return counts ?? { published: 0, drafts: 0, differing: 0, scheduled: 0, held: 0 };
}

export interface FirstSteps {
  categorized: boolean;
  written: boolean;
  imported: boolean;
  dressed: boolean;
  invited: boolean;
}

export async function firstSteps(read: Read): Promise<FirstSteps> {
  const [steps] = await read<FirstSteps>(
    `SELECT EXISTS (SELECT FROM categories) AS categorized, EXISTS (SELECT FROM articles) AS written,
       EXISTS (SELECT FROM articles WHERE source_path IS NOT NULL) AS imported,
       EXISTS (SELECT FROM workspaces WHERE accent_color IS NOT NULL OR logo_upload_id IS NOT NULL) AS dressed,
       EXISTS (SELECT FROM invitations) OR (SELECT count(*) FROM (SELECT FROM members LIMIT 2) two) > 1 AS invited`,
  );
  return steps ?? { categorized: false, written: false, imported: false, dressed: false, invited: false };
}
