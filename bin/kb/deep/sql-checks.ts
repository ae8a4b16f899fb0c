import { textDiffers } from "@/lib/articles/article-text";
import { MOST_POINTS } from "@/lib/articles/versions";
import { arePartsEqual, partTables } from "@/lib/articles/write-parts";

export interface SqlCheck {
  name: string;
  remedy: string;
  /** SQL of the ids of wrong rows. PostgreSQL confines it to one workspace. */
  wrong: string;
}

const sameRow = (one: string, other: string) =>
  `${other}.workspace_id = ${one}.workspace_id AND ${other}.id = ${one}.id`;

/** The invariants of a workspace's rows, each as a query for the rows that break it. */
export const sqlChecks: SqlCheck[] = [
  {
    name: "published articles have live text, and no others do",
    remedy: "Restore the articles from a backup, or import them again.",
    wrong: `SELECT a.id FROM articles a LEFT JOIN article_live l ON ${sameRow("a", "l")}
      WHERE (a.state = 'published') <> (l.id IS NOT NULL)`,
  },
  {
    name: "unpublished articles have a draft",
    remedy: "Restore the articles from a backup, or import them again.",
    wrong: `SELECT a.id FROM articles a LEFT JOIN article_drafts d ON ${sameRow("a", "d")}
      WHERE a.state = 'draft' AND d.id IS NULL`,
  },
  {
    name: "drafts of published articles differ from the live text",
    remedy: "Discard these drafts on the pages of the articles.",
    wrong: `SELECT d.id FROM article_drafts d JOIN article_live l ON ${sameRow("d", "l")}
      WHERE NOT (${textDiffers("d", "l")}) AND ${arePartsEqual("d.id")}`,
  },
  {
    name: "articles have the same title as their text",
    remedy: "Open the articles, change something, and publish or save them.",
    wrong: `SELECT a.id FROM articles a LEFT JOIN article_live l ON ${sameRow("a", "l")}
        LEFT JOIN article_drafts d ON ${sameRow("a", "d")}
        CROSS JOIN LATERAL (SELECT CASE a.state WHEN 'published' THEN l.title ELSE d.title END AS title) t
      WHERE a.title <> t.title`,
  },
  {
    name: "tags, attachments, related articles, and links are live in published articles only, and the same on both sides without a draft",
    remedy: "Open the articles, change something, and publish or save them.",
    wrong: `SELECT DISTINCT x.article_id AS id FROM (${partTables
      .map((table) => `SELECT workspace_id, article_id, in_live, in_draft FROM ${table}`)
      .join(" UNION ALL ")}) x
        JOIN articles a ON a.workspace_id = x.workspace_id AND a.id = x.article_id
        LEFT JOIN article_drafts d ON ${sameRow("a", "d")}
      WHERE CASE WHEN a.state = 'draft' THEN x.in_live ELSE d.id IS NULL AND x.in_live <> x.in_draft END`,
  },
  {
    name: "tags, attachments, and related articles refer to things that exist",
    remedy:
      "As the database's administrator, delete these rows of article_tags, article_attachments, and related_articles.",
    wrong: `SELECT x.id FROM article_tags x WHERE NOT EXISTS (SELECT FROM tags t WHERE t.id = x.tag_id)
      UNION ALL SELECT x.id FROM article_attachments x WHERE NOT EXISTS (SELECT FROM uploads t WHERE t.id = x.upload_id)
      UNION ALL SELECT x.id FROM related_articles x
        WHERE x.related_id = x.article_id OR NOT EXISTS (SELECT FROM articles t WHERE t.id = x.related_id)`,
  },
  {
    // Only the oldest autosaves are deleted, so the numbers from the oldest one that is kept have no gap.
    name: "versions are numbered without gaps",
    remedy: "Restore the versions from a backup. Their other versions are intact.",
    wrong: `SELECT article_id AS id FROM (
        SELECT v.article_id, v.number, count(*) FILTER (WHERE v.kind = 'autosave') OVER article AS points,
          min(v.number) FILTER (WHERE v.kind = 'autosave') OVER article AS first_point
        FROM article_versions v JOIN articles a ON a.workspace_id = v.workspace_id AND a.id = v.article_id
        WINDOW article AS (PARTITION BY v.article_id)
      ) n
      WHERE points < ${MOST_POINTS} OR number >= first_point
      GROUP BY article_id, points, first_point
      HAVING count(*) <> max(number) - CASE WHEN points < ${MOST_POINTS} THEN 0 ELSE first_point - 1 END`,
  },
  {
    name: "every live text is kept as a version",
    remedy: "Publish the articles again.",
    wrong: `SELECT l.id FROM article_live l WHERE NOT EXISTS (SELECT FROM article_versions v
      WHERE v.workspace_id = l.workspace_id AND v.article_id = l.id AND NOT (${textDiffers("v", "l")}))`,
  },
  {
    name: "versions, views, and feedback belong to an article or to the trash",
    remedy: "As the database's administrator, delete them. No one can see them.",
    wrong: `SELECT id FROM (${["article_versions", "article_views", "feedback"]
      .map((table) => `SELECT DISTINCT article_id AS id FROM ${table}`)
      .join(" UNION ")}) x
      WHERE NOT EXISTS (SELECT FROM articles a WHERE a.id = x.id)
        AND NOT EXISTS (SELECT FROM trash t WHERE t.id = x.id AND t.kind = 'article')`,
  },
  {
    name: "nothing is both in the trash and in use",
    remedy: "Delete these entries in the trash.",
    wrong: `SELECT t.id FROM trash t WHERE (t.kind = 'article' AND EXISTS (SELECT FROM articles x WHERE x.id = t.id))
      OR (t.kind = 'category' AND EXISTS (SELECT FROM categories x WHERE x.id = t.id))
      OR (t.kind = 'redirect' AND EXISTS (SELECT FROM redirects x WHERE x.id = t.id))
      OR (t.kind = 'synonym' AND EXISTS (SELECT FROM synonyms x WHERE x.id = t.id))`,
  },
  {
    name: "categories form a tree of at most 6 levels",
    remedy: "Move these categories to a higher level.",
    wrong: `WITH RECURSIVE tree AS (
        SELECT id, 1 AS level FROM categories WHERE parent_id IS NULL
        UNION ALL SELECT c.id, t.level + 1 FROM tree t JOIN categories c ON c.parent_id = t.id WHERE t.level < 7
      )
      SELECT c.id FROM categories c LEFT JOIN tree t ON t.id = c.id WHERE t.id IS NULL OR t.level > 6`,
  },
  {
    name: "articles are in a category and have an author",
    remedy: "Move the articles, or choose another author, on their pages.",
    wrong: `SELECT a.id FROM articles a WHERE NOT EXISTS (SELECT FROM categories c WHERE c.id = a.category_id)
      OR NOT EXISTS (SELECT FROM members m WHERE m.id = a.author_id)`,
  },
  {
    name: "every article is in the list of changes, with a valid number",
    remedy: "Save the articles again. Programs that keep a copy should then copy everything once.",
    wrong: `SELECT coalesce(c.id, a.id) AS id FROM articles a FULL JOIN article_changes c ON ${sameRow("a", "c")}
      WHERE a.id IS NULL AND NOT c.deleted OR a.id IS NOT NULL AND (c.id IS NULL OR c.deleted)
        OR a.state = 'published' AND NOT c.was_public AND is_open(a.workspace_id, a.category_id) OR c.id IS NOT NULL AND (c.number IS NULL OR c.number < 1
        OR c.number > coalesce((SELECT v.changes FROM content_versions v WHERE v.workspace_id = c.workspace_id), 0))`,
  },
  {
    name: "every workspace counts its changes",
    remedy: "Restore the workspace from a backup.",
    wrong: `SELECT w.id FROM workspaces w WHERE NOT EXISTS (SELECT FROM content_versions v WHERE v.workspace_id = w.id)`,
  },
  {
    name: "redirects to articles and categories have a destination that exists",
    remedy: "Delete these redirects.",
    wrong: `SELECT r.id FROM redirects r
      WHERE r.kind = 'article' AND NOT EXISTS (SELECT FROM articles a WHERE a.id = r.article_id)
        OR r.category_id IS NOT NULL AND NOT EXISTS (SELECT FROM categories c WHERE c.id = r.category_id)`,
  },
  {
    name: "no redirect hides a page",
    remedy: "Delete these redirects.",
    wrong: `SELECT r.id FROM redirects r
      WHERE EXISTS (SELECT FROM articles a WHERE a.state = 'published' AND r.from_path = '/articles/' || a.slug)
        OR EXISTS (SELECT FROM categories c WHERE r.from_path = '/categories/' || c.slug)`,
  },
  {
    // Months are forgotten after two years, so there may be more views in all.
    name: "view counts are complete",
    remedy: "Nothing to do. The counts of these articles are too low.",
    wrong: `SELECT a.id FROM articles a
      WHERE a.unique_views_count < (SELECT coalesce(sum(m.views), 0) FROM article_view_months m
          WHERE m.workspace_id = a.workspace_id AND m.article_id = a.id)
        OR EXISTS (SELECT FROM (SELECT date_trunc('month', v.day)::date AS month, count(*) AS views FROM article_views v
            WHERE v.workspace_id = a.workspace_id AND v.article_id = a.id AND v.day > current_date - interval '23 months' GROUP BY 1) v
          LEFT JOIN article_view_months m ON m.workspace_id = a.workspace_id AND m.article_id = a.id AND m.month = v.month
          WHERE coalesce(m.views, 0) < v.views)`,
  },
  {
    name: "bulk actions, imports, and exports report no more progress than they have items",
    remedy: "Start them again.",
    wrong: `SELECT id FROM bulk_actions WHERE done < 0 OR done > cardinality(ids) OR (state = 'done' AND done < cardinality(ids))
      UNION ALL SELECT id FROM transfers WHERE done < 0 OR done > total`,
  },
];
