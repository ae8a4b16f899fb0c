import type { Read } from "@/lib/db";

export interface ContentCounts {
  published: number;
  drafts: number;
  /** Published, with a draft that differs. */
  differing: number;
}

export async function contentCounts(read: Read): Promise<ContentCounts> {
  const [counts] = await read<ContentCounts>(
    `SELECT (count(*) FILTER (WHERE state = 'published'))::int AS published,
       (count(*) FILTER (WHERE state = 'draft'))::int AS drafts,
       (SELECT count(*)::int FROM article_drafts d JOIN articles a ON a.workspace_id = d.workspace_id AND a.id = d.id
        WHERE a.state = 'published') AS differing
     FROM articles`,
  );
  return counts ?? { published: 0, drafts: 0, differing: 0 };
}

export interface FirstSteps {
  written: boolean;
  dressed: boolean;
  invited: boolean;
  keyed: boolean;
  seen: boolean;
}

export async function firstSteps(read: Read): Promise<FirstSteps> {
  const [steps] = await read<FirstSteps>(
    `SELECT EXISTS (SELECT FROM articles) AS written,
       EXISTS (SELECT FROM workspaces WHERE accent_color IS NOT NULL OR logo_upload_id IS NOT NULL) AS dressed,
       EXISTS (SELECT FROM invitations) OR (SELECT count(*) FROM (SELECT FROM members LIMIT 2) two) > 1 AS invited,
       EXISTS (SELECT FROM api_keys) AS keyed,
       EXISTS (SELECT FROM article_view_months) AS seen`,
  );
  return steps ?? { written: false, dressed: false, invited: false, keyed: false, seen: false };
}
