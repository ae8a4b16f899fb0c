import { articlesWhere } from "@/lib/articles/article-parts";
import { textAsJson } from "@/lib/articles/article-text";
import { type Read, readWorkspace } from "@/lib/db";
import type { ExportedText } from "@/lib/export/article-text";
import type { ExportData } from "@/lib/export/format";

const READ_SECONDS = 60;

export interface ExportedCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  description: string | null;
  sequence: number | null;
  visibility: string;
}

export interface ExportedArticle {
  id: string;
  categoryId: string;
  slug: string;
  permalink: string;
  state: "draft" | "published";
  sequence: number;
  author: string;
  createdAt: Date;
  updatedAt: Date;
  publishedAt: Date | null;
  publishAt: Date | null;
  /** The published text, or the draft of an unpublished article. */
  text: ExportedText;
  /** The draft of a published article. */
  draft: (ExportedText & { updatedAt: Date }) | null;
}

export interface ExportedUpload {
  id: string;
  filename: string;
  sha256: string;
  storageKey: string;
  byteSize: number;
}

/** Everything but the texts, in one snapshot. */
export interface ExportIndex {
  isClosed: boolean;
  categories: ExportedCategory[];
  articles: { id: string; slug: string; categoryId: string }[];
  uploads: ExportedUpload[];
  authors: ExportData["authors"];
  redirects: ExportData["redirects"];
  synonyms: ExportData["synonyms"];
  /** With the URLs of uploads. */
  snippets: ExportData["snippets"];
}

/** The order does not depend on the database's collation. */
export function readIndex(workspaceId: string): Promise<ExportIndex> {
  return readWorkspace(
    workspaceId,
    async (read) => ({
      isClosed: (await read("SELECT FROM workspaces WHERE visibility = 'members'")).length > 0,
      categories: await read<ExportedCategory>(
        `SELECT id, parent_id AS "parentId", name, slug, description, sequence, visibility FROM categories`,
      ),
      articles: await read<ExportIndex["articles"][number]>(
        `SELECT id, slug, category_id AS "categoryId" FROM articles`,
      ),
      // Pictures of members and the logo are no part of the texts.
      uploads: await read<ExportedUpload>(
        `SELECT id, filename, encode(sha256, 'hex') AS sha256, storage_key AS "storageKey", byte_size::float8 AS "byteSize"
         FROM uploads u
         WHERE EXISTS (SELECT FROM article_attachments x WHERE x.workspace_id = u.workspace_id AND x.upload_id = u.id)
           OR EXISTS (SELECT FROM article_links x WHERE x.workspace_id = u.workspace_id AND x.upload_id = u.id)
           OR EXISTS (SELECT FROM snippets s WHERE s.workspace_id = u.workspace_id AND u.id = ANY(s.upload_ids))`,
      ),
      authors: await read<ExportData["authors"][number]>(
        `SELECT email, first_name, last_name FROM members m
         WHERE EXISTS (SELECT FROM articles a WHERE a.workspace_id = m.workspace_id AND a.author_id = m.id)
         ORDER BY email_folded COLLATE "C"`,
      ),
      redirects: await readRedirects(read),
      synonyms: await read<ExportData["synonyms"][number]>(
        `SELECT term, replacements, two_way FROM synonyms ORDER BY term_folded COLLATE "C"`,
      ),
      snippets: await read<ExportData["snippets"][number]>(`SELECT name, html FROM snippets ORDER BY name COLLATE "C"`),
    }),
    READ_SECONDS,
  );
}

async function readRedirects(read: Read): Promise<ExportData["redirects"]> {
  const rows = await read<{
    from: string;
    article: string | null;
    category: string | null;
    gone_from: string | null;
    url: string | null;
    by_hand: boolean;
  }>(
    `SELECT r.from_path AS "from", a.slug AS article, CASE WHEN r.kind = 'category' THEN c.slug END AS category,
       CASE WHEN r.kind = 'gone' THEN c.slug END AS gone_from, r.url, r.by_hand
     FROM redirects r
     LEFT JOIN articles a ON a.workspace_id = r.workspace_id AND a.id = r.article_id
     LEFT JOIN categories c ON c.workspace_id = r.workspace_id AND c.id = r.category_id
     ORDER BY r.from_path COLLATE "C"`,
  );
  return rows.map(({ from, article, category, gone_from, url, by_hand }) => ({
    from,
    ...(article !== null && { article }),
    ...(category !== null && { category }),
    ...(gone_from !== null && { gone_from }),
    ...(url !== null && { url }),
    ...(by_hand && { by_hand }),
  }));
}

const listed = (value: string, from: string, side: string, order: string) =>
  `ARRAY(SELECT ${value} FROM ${from} WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND x.${side}
     ORDER BY ${order})`;

const textOf = (alias: string, side: string) =>
  textAsJson(
    alias,
    `, 'tags', ${listed("g.name", "article_tags x JOIN tags g ON g.workspace_id = x.workspace_id AND g.id = x.tag_id", side, `x.position, g.name_folded COLLATE "C"`)},
  'related', ${listed("r.slug", "related_articles x JOIN articles r ON r.workspace_id = x.workspace_id AND r.id = x.related_id", side, "x.position, r.slug")},
  'attachments', ${listed("u.id", "article_attachments x JOIN uploads u ON u.workspace_id = x.workspace_id AND u.id = x.upload_id", side, `x.position, u.sha256, u.filename COLLATE "C"`)}`,
  );

export async function readArticles(workspaceId: string, ids: readonly string[]): Promise<Map<string, ExportedArticle>> {
  const rows = await readWorkspace(
    workspaceId,
    (read) =>
      read<
        Omit<ExportedArticle, "text" | "draft"> & {
          live: ExportedText | null;
          draft: ExportedText | null;
          draftUpdatedAt: Date | null;
        }
      >(
        `SELECT a.id, a.category_id AS "categoryId", a.slug, a.permalink, a.state, a.sequence, m.email AS author, a.created_at AS "createdAt",
           a.updated_at AS "updatedAt", a.published_at AS "publishedAt", CASE WHEN NOT a.publish_held THEN a.publish_at END AS "publishAt",
           CASE WHEN l.id IS NOT NULL THEN ${textOf("l", "in_live")} END AS live,
           CASE WHEN d.id IS NOT NULL THEN ${textOf("d", "in_draft")} END AS draft, d.updated_at AS "draftUpdatedAt"
         FROM ${articlesWhere("a.id = ANY($1::uuid[])")} JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
         LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
         LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id`,
        [ids],
      ),
    READ_SECONDS,
  );
  return new Map(
    rows.flatMap(({ live, draft, draftUpdatedAt, ...article }) => {
      const text = live ?? draft;
      if (!text) return [];
      const beside = live && draft && draftUpdatedAt ? { ...draft, updatedAt: draftUpdatedAt } : null;
      return [[article.id, { ...article, text, draft: beside }]];
    }),
  );
}
