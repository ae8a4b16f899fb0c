import { z } from "zod";
import type { ArticleState } from "@/lib/articles/articles";
import { writerName } from "@/lib/articles/versions";
import type { Read } from "@/lib/db";
import { textQuery } from "@/lib/search/query";

export interface WrittenArticle {
  id: string;
  slug: string;
  title: string;
  state: ArticleState;
  hasChanges: boolean;
  publishAt: Date | null;
  /** On hold: it is not published until someone with publishing rights reviews it. */
  publishHeld: boolean;
  category: { id: string; name: string };
  author: string;
  /** Who changed the draft last, otherwise who made the last version. null for programs and imports. */
  editor: string | null;
  /** The last change of the live text or the draft. */
  changedAt: Date;
  views: number;
}

/** "changed" is published with unpublished changes; "scheduled" has a time; "held" waits for a review. */
export const writtenStates = ["draft", "published", "changed", "scheduled", "held"] as const;
export type WrittenState = (typeof writtenStates)[number];

export const untouchedBy = ["views", "feedback"] as const;
export type UntouchedBy = (typeof untouchedBy)[number];

export type WrittenSort = "changed" | "title" | "views";

export interface WrittenFilter {
  /** Words that must each begin a word of the title or text. */
  search?: string | undefined;
  state?: WrittenState | undefined;
  /** Includes subcategories. */
  categoryId?: string | undefined;
  authorId?: string | undefined;
  tagId?: string | undefined;
  /** Published articles without a view, or without feedback. */
  without?: UntouchedBy | undefined;
}

const changedAt = "greatest(a.updated_at, d.updated_at)";

const orders: Record<WrittenSort, [column: string, direction: "ASC" | "DESC"]> = {
  changed: [changedAt, "DESC"],
  title: ["a.title", "ASC"],
  views: ["a.unique_views_count", "DESC"],
};

const states: Record<WrittenState, string> = {
  draft: "a.state = 'draft'",
  published: "a.state = 'published'",
  changed: "d.id IS NOT NULL",
  scheduled: "a.publish_at IS NOT NULL AND NOT a.publish_held",
  held: "a.publish_at IS NOT NULL AND a.publish_held",
};

const without: Record<UntouchedBy, string> = {
  views: "a.state = 'published' AND a.unique_views_count = 0",
  feedback:
    "a.state = 'published' AND NOT EXISTS (SELECT FROM feedback f WHERE f.workspace_id = a.workspace_id AND f.article_id = a.id)",
};

const drafts =
  "LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'published'";

/** SQL of a filter. Null if it matches nothing. */
async function matching(
  read: Read,
  workspaceId: string,
  filter: WrittenFilter,
): Promise<{ where: string; value: (parameter: unknown) => string; values: unknown[] } | null> {
  const values: unknown[] = [workspaceId];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions = ["a.workspace_id = $1"];
  if (filter.search) {
    const query = textQuery(workspaceId, filter.search);
    if (!query) return null;
    // One search serves the page and its total.
    const [found] = await read<{ ids: string[] }>("SELECT ARRAY(SELECT search_filter($1::tsquery))::text[] AS ids", [
      query,
    ]);
    conditions.push(`a.id = ANY(${value(found?.ids ?? [])}::uuid[])`);
  }
  for (const id of [filter.categoryId, filter.authorId, filter.tagId]) {
    if (id && !z.guid().safeParse(id).success) return null;
  }
  if (filter.state) conditions.push(states[filter.state]);
  if (filter.without) conditions.push(without[filter.without]);
  if (filter.authorId) conditions.push(`a.author_id = ${value(filter.authorId)}::uuid`);
  if (filter.tagId) {
    conditions.push(
      `a.id IN (SELECT article_id FROM article_tags x WHERE x.workspace_id = $1 AND x.tag_id = ${value(filter.tagId)}::uuid)`,
    );
  }
  if (filter.categoryId) {
    conditions.push(`a.category_id IN (
      WITH RECURSIVE below AS (
        SELECT id FROM categories WHERE workspace_id = $1 AND id = ${value(filter.categoryId)}::uuid
        UNION SELECT c.id FROM below JOIN categories c ON c.workspace_id = $1 AND c.parent_id = below.id
      ) SELECT id FROM below)`);
  }
  return { where: `WHERE ${conditions.join(" AND ")}`, value, values };
}

interface WrittenOrder {
  sort?: WrittenSort;
  backwards?: boolean;
}

function orderOf({ sort = "changed", backwards = false }: WrittenOrder): string {
  const [column, direction] = orders[sort];
  return `${column} ${(direction === "ASC") === backwards ? "DESC" : "ASC"}, a.id`;
}

/** The ids of the articles that the list finds, in its order. */
export async function findWrittenIds(
  read: Read,
  workspaceId: string,
  filter: WrittenFilter,
  { limit, ...order }: WrittenOrder & { limit: number },
): Promise<string[]> {
  const matches = await matching(read, workspaceId, filter);
  if (!matches) return [];
  const { where, value, values } = matches;
  const rows = await read<{ id: string }>(
    `SELECT a.id::text FROM articles a ${drafts} ${where} ORDER BY ${orderOf(order)} LIMIT ${value(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

export async function listWrittenArticles(
  read: Read,
  workspaceId: string,
  filter: WrittenFilter,
  page: WrittenOrder & { limit: number; offset: number },
): Promise<{ articles: WrittenArticle[]; total: number }> {
  const matches = await matching(read, workspaceId, filter);
  if (!matches) return { articles: [], total: 0 };
  const { where, value, values } = matches;
  const counted = filter.state === "changed" ? drafts : "";
  const [count] = await read<{ total: number }>(
    `SELECT count(*)::int AS total FROM articles a ${counted} ${where}`,
    values,
  );
  const { sort = "changed", limit, offset } = page;
  const order = orderOf(page);
  // Names are joined for the rows of the page alone.
  const articles = await read<WrittenArticle>(
    `SELECT a.id::text, a.slug, a.title, a.state, d.id IS NOT NULL AS "hasChanges", a.publish_at AS "publishAt", a.publish_held AS "publishHeld",
       json_build_object('id', c.id, 'name', c.name) AS category, concat_ws(' ', m.first_name, m.last_name) AS author,
       (SELECT ${writerName("e", "k")}
        FROM (SELECT d.updated_by, d.updated_by_key, 1 AS rank WHERE num_nonnulls(d.updated_by, d.updated_by_key) > 0
          UNION ALL (SELECT v.created_by, v.created_by_key, 2 FROM article_versions v
            WHERE v.workspace_id = $1 AND v.article_id = a.id ORDER BY v.number DESC LIMIT 1)
          ORDER BY rank LIMIT 1) w
        LEFT JOIN members e ON e.workspace_id = $1 AND e.id = w.updated_by
        LEFT JOIN api_keys k ON k.workspace_id = $1 AND k.id = w.updated_by_key) AS editor,
       ${changedAt} AS "changedAt", a.unique_views_count AS views
     FROM (
       SELECT a.id FROM articles a ${sort === "changed" || filter.state === "changed" ? drafts : ""} ${where}
       ORDER BY ${order} LIMIT ${value(limit)} OFFSET ${value(offset)}
     ) page
     JOIN articles a ON a.workspace_id = $1 AND a.id = page.id ${drafts}
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
     ORDER BY ${order}`,
    values,
  );
  return { articles, total: count?.total ?? 0 };
}

/** By name, at most 200. */
export function listAuthors(read: Read): Promise<{ id: string; name: string }[]> {
  return read(
    `SELECT m.id::text, concat_ws(' ', m.first_name, m.last_name) AS name FROM members m
     WHERE EXISTS (SELECT FROM articles a WHERE a.workspace_id = m.workspace_id AND a.author_id = m.id)
     ORDER BY 2, 1 LIMIT 200`,
  );
}
