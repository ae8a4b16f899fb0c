import { readWorkspace } from "@/lib/db";
import type { CategorySettings } from "@/lib/import/front-matter";
import { findMemberByEmail, firstAdministrator, type Member } from "@/lib/members";

/** What a file said of its article when it was last imported, as far as people may change that here. */
export interface ArticleSource {
  /** Absent where nobody knows: of what was imported before it was written down. */
  state?: "draft" | "published";
  /** As the file said it, or the place that the import gave. */
  sequence?: number;
  slug?: string;
  /** ISO 8601. */
  publishAt?: string;
}

export interface ExistingArticle {
  id: string;
  slug: string;
  permalink: string;
  sourcePath: string | null;
  sourceHash: Buffer | null;
  /** Null where nobody knows. */
  sourceSettings: ArticleSource | null;
  categoryId: string;
  sequence: number;
  state: "draft" | "published";
  updatedAt: Date;
}

export interface ExistingCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  sourcePath: string | null;
  /** What the folder's file said when it was last imported; null where nobody knows. A `visibility` may be unknown too. */
  sourceSettings: CategorySettings | null;
  description: string | null;
  sequence: number | null;
  visibility: "inherit" | "everyone" | "members";
}

/** The most that reading for an import may take: a workspace may be large, and nobody waits for an answer. */
export const READ_SECONDS = 60;

/** What a workspace has before an import, as far as the import must know it. */
export interface Existing {
  articles: ExistingArticle[];
  categories: ExistingCategory[];
  /** Former addresses that lead to an article or a category. */
  redirects: { path: string; id: string }[];
  /** Folders whose category was merged into another one, or, where that is null, deleted. */
  folders: { path: string; categoryId: string | null }[];
  /** Whether only members read what no category says otherwise of. */
  isClosed: boolean;
}

/** Reads it in one snapshot: a row of a few words for each article and category. */
export function readExisting(workspaceId: string): Promise<Existing> {
  return readWorkspace(
    workspaceId,
    async (read) => ({
      articles: await read<ExistingArticle>(
        `SELECT id, slug, permalink, source_path AS "sourcePath", source_hash AS "sourceHash",
           source_settings AS "sourceSettings", category_id AS "categoryId", sequence, state, updated_at AS "updatedAt"
         FROM articles`,
      ),
      categories: await read<ExistingCategory>(
        `SELECT id, parent_id AS "parentId", name, slug, source_path AS "sourcePath", source_settings AS "sourceSettings",
         description, sequence, visibility
       FROM categories`,
      ),
      redirects: await read<{ path: string; id: string }>(
        `SELECT from_path AS path, coalesce(article_id, category_id) AS id FROM redirects
       WHERE kind IN ('article', 'category')`,
      ),
      folders: await read<Existing["folders"][number]>(`SELECT path, category_id AS "categoryId" FROM former_folders`),
      isClosed: (await read("SELECT FROM workspaces WHERE visibility = 'members'")).length > 0,
    }),
    READ_SECONDS,
  );
}

/**
 * Who is the author of articles that name none.
 * @param email of a member; the first administrator when absent
 * @throws Error with a sentence when there is no such person
 */
export async function defaultAuthor(workspaceId: string, email: string | undefined): Promise<Member> {
  const member = await readWorkspace(workspaceId, (read) =>
    email ? findMemberByEmail(read, email) : firstAdministrator(read),
  );
  if (member) return member;
  throw new Error(
    email
      ? `No member of this workspace has the e-mail address ${email}, so nobody can be the author: add the member first, or name another with --author.`
      : "This workspace has no active administrator, so nobody can be the author: name a member with --author.",
  );
}

/** The members with these e-mail addresses, whatever their case. */
export async function membersByEmail(workspaceId: string, emails: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set([...emails].map((email) => email.toLowerCase()))];
  const found = new Map<string, string>();
  if (wanted.length === 0) return found;
  const rows = await readWorkspace(
    workspaceId,
    (read) =>
      read<{ id: string; email: string }>(
        "SELECT id, email_folded AS email FROM members WHERE email_folded = ANY($1::text[])",
        [wanted],
      ),
    READ_SECONDS,
  );
  for (const { id, email } of rows) found.set(email, id);
  return found;
}
