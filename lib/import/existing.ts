import { type Read, readWorkspace } from "@/lib/db";
import { articleStates, categoryState } from "@/lib/import/edited";
import { findMemberByEmail, firstAdministrator, type Member } from "@/lib/members/members";

export interface ExistingArticle {
  id: string;
  slug: string;
  permalink: string;
  sourcePath: string | null;
  sourceHash: Buffer | null;
  /** The state after the last import (lib/import/edited.ts), or null without one. */
  sourceState: string | null;
  current: string;
  categoryId: string;
  sequence: number;
  state: "draft" | "published";
  /** Whether there is a draft beside or instead of the published text, by a member or an export. */
  hasDraft: boolean;
  updatedAt: Date;
}

export interface ExistingCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  sourcePath: string | null;
  /** The hash of the `_category.yml` that was last applied. */
  sourceHash: string | null;
  sourceState: string | null;
  current: string;
  description: string | null;
  sequence: number | null;
  visibility: "inherit" | "everyone" | "members";
}

/** Seconds: a workspace may be large, and nobody waits for an answer. */
export const READ_SECONDS = 60;

export interface Existing {
  articles: ExistingArticle[];
  categories: ExistingCategory[];
  redirects: { path: string; id: string }[];
  /** Members-only, if categories inherit it. */
  isClosed: boolean;
}

export function readExisting(workspaceId: string): Promise<Existing> {
  return readWorkspace(
    workspaceId,
    async (read) => ({
      articles: await readArticles(read),
      categories: await read<ExistingCategory>(
        `SELECT id, parent_id AS "parentId", name, slug, source_path AS "sourcePath", source_hash AS "sourceHash",
         source_state AS "sourceState", ${categoryState} AS current, description, sequence, visibility
       FROM categories`,
      ),
      redirects: await read<{ path: string; id: string }>(
        `SELECT from_path AS path, coalesce(article_id, category_id) AS id FROM redirects
       WHERE kind IN ('article', 'category')`,
      ),
      isClosed: (await read("SELECT FROM workspaces WHERE visibility = 'members'")).length > 0,
    }),
    READ_SECONDS,
  );
}

async function readArticles(read: Read): Promise<ExistingArticle[]> {
  const rows = await read<Omit<ExistingArticle, "current">>(
    `SELECT a.id, a.slug, a.permalink, a.source_path AS "sourcePath", a.source_hash AS "sourceHash",
       a.source_state AS "sourceState", a.category_id AS "categoryId", a.sequence, a.state, a.updated_at AS "updatedAt",
       num_nonnulls(d.updated_by, d.updated_by_key) > 0 AS "hasDraft"
     FROM articles a LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id`,
  );
  const states = await articleStates(read);
  return rows.map((row) => ({ ...row, current: states.get(row.id) ?? "" }));
}

/** By default the first administrator. Throws an Error to show when there is no such person. */
export async function defaultAuthor(workspaceId: string, email: string | undefined): Promise<Member> {
  const member = await readWorkspace(workspaceId, (read) =>
    email ? findMemberByEmail(read, email) : firstAdministrator(read),
  );
  if (member) return member;
  throw new Error(
    email
      ? `No member of this workspace has the email ${email}. Add the member first, or name another author with --author.`
      : "This workspace has no active administrator to use as the author. Name a member with --author.",
  );
}

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
