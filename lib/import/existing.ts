import { readWorkspace } from "@/lib/db";
import { findMemberByEmail, firstAdministrator, type Member } from "@/lib/members";

export interface ExistingArticle {
  id: string;
  slug: string;
  sourcePath: string | null;
  sourceHash: Buffer | null;
  updatedAt: Date;
}

export interface ExistingCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  sourcePath: string | null;
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
}

/** Reads it in one snapshot: a row of a few words for each article and category. */
export function readExisting(workspaceId: string): Promise<Existing> {
  return readWorkspace(
    workspaceId,
    async (read) => ({
      articles: await read<ExistingArticle>(
        `SELECT id, slug, source_path AS "sourcePath", source_hash AS "sourceHash", updated_at AS "updatedAt" FROM articles`,
      ),
      categories: await read<ExistingCategory>(
        `SELECT id, parent_id AS "parentId", name, slug, source_path AS "sourcePath", description, sequence, visibility
       FROM categories`,
      ),
      redirects: await read<{ path: string; id: string }>(
        `SELECT from_path AS path, coalesce(article_id, category_id) AS id FROM redirects
       WHERE kind IN ('article', 'category')`,
      ),
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
