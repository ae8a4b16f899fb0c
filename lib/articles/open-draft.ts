import { z } from "zod";
import { type ArticleText, type DraftText, emptyText, textAsJson, textColumns } from "@/lib/articles/article-text";
import type { ArticleState } from "@/lib/articles/articles";
import { writerName } from "@/lib/articles/versions";
import type { Read } from "@/lib/db";

/** The draft, or the live text if there is no draft. */
export interface OpenDraft {
  id: string;
  permalink: string;
  slug: string;
  state: ArticleState;
  /** A save names the revision it started from. */
  revision: number;
  category: { id: string; name: string };
  sequence: number;
  author: { id: string; name: string };
  publishAt: Date | null;
  /** On hold: edited by someone without publishing rights, or its time had passed when it was imported. */
  publishHeld: boolean;
  publishedAt: Date | null;
  createdAt: Date;
  /** Whether there is text that readers do not see. Always true for an unpublished article. */
  hasDraft: boolean;
  /** The last save of the draft. If there is no draft, when the live text was published or last imported. */
  savedAt: Date;
  /** Who saved the draft last or, if there is none, published the live text. Null after an import. */
  savedBy: { kind: "member" | "api_key"; id: string; name: string } | null;
  /** The id that a program gave the article. */
  externalId: string | null;
  text: DraftText;
  related: { id: string; title: string; published: boolean }[];
  attachments: { id: string; filename: string; contentType: string; byteSize: number }[];
  source: { path: string; hash: Buffer | null } | null;
}

type Row = Omit<OpenDraft, "text" | "source"> & {
  /** Null if the article has no text on this side. */
  text: ArticleText | null;
  title: string;
  tags: string[];
  sourcePath: string | null;
  sourceHash: string | null;
};

const opened = (side: "draft" | "live") => `
  SELECT a.id::text, a.permalink, a.slug, a.state, a.revision, a.sequence, a.publish_at AS "publishAt", a.publish_held AS "publishHeld",
    a.published_at AS "publishedAt", a.created_at AS "createdAt", a.source_path AS "sourcePath", encode(a.source_hash, 'hex') AS "sourceHash",
    json_build_object('id', c.id, 'name', c.name) AS category,
    json_build_object('id', m.id, 'name', concat_ws(' ', m.first_name, m.last_name)) AS author,
    coalesce(t.draft, a.state = 'draft') AS "hasDraft", coalesce(t.saved_at, v.created_at, a.updated_at) AS "savedAt",
    CASE WHEN coalesce(w.id, k.id) IS NOT NULL THEN json_build_object('kind', CASE WHEN w.id IS NULL THEN 'api_key' ELSE 'member' END,
      'id', coalesce(w.id, k.id), 'name', ${writerName("w", "k")}) END AS "savedBy", a.external_id AS "externalId",
    a.title, CASE WHEN t.draft IS NOT NULL THEN ${textAsJson("t")} END AS text,
    ARRAY(SELECT g.name FROM article_tags x JOIN tags g ON g.workspace_id = x.workspace_id AND g.id = x.tag_id
      WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND x.in_${side} ORDER BY x.position, g.name) AS tags,
    (SELECT coalesce(json_agg(json_build_object('id', r.id, 'title', r.title, 'published', r.state = 'published')
         ORDER BY x.position, r.id), '[]')
      FROM related_articles x JOIN articles r ON r.workspace_id = x.workspace_id AND r.id = x.related_id
      WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND x.in_${side}) AS related,
    (SELECT coalesce(json_agg(json_build_object('id', u.id, 'filename', u.filename, 'contentType', u.content_type,
         'byteSize', u.byte_size) ORDER BY x.position, u.id), '[]')
      FROM article_attachments x JOIN uploads u ON u.workspace_id = x.workspace_id AND u.id = x.upload_id
      WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND x.in_${side}) AS attachments
  FROM articles a
  JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
  JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
  LEFT JOIN LATERAL (
    SELECT ${textColumns()}, true AS draft, updated_at AS saved_at, updated_by, updated_by_key FROM article_drafts d
    WHERE d.workspace_id = a.workspace_id AND d.id = a.id AND ${side === "draft"}
    UNION ALL
    SELECT ${textColumns()}, false, NULL, NULL, NULL FROM article_live l WHERE l.workspace_id = a.workspace_id AND l.id = a.id
    ORDER BY draft DESC LIMIT 1
  ) t ON true
  LEFT JOIN LATERAL (
    SELECT kind, created_at, created_by, created_by_key FROM article_versions v
    WHERE v.workspace_id = a.workspace_id AND v.article_id = a.id AND v.kind <> 'autosave' AND NOT t.draft
    ORDER BY v.number DESC LIMIT 1
  ) v ON v.kind = 'publish'
  LEFT JOIN members w ON w.workspace_id = a.workspace_id AND w.id = coalesce(t.updated_by, v.created_by)
  LEFT JOIN api_keys k ON k.workspace_id = a.workspace_id AND k.id = coalesce(t.updated_by_key, v.created_by_key)
  WHERE a.id = $1::uuid`;

const sql = { draft: opened("draft"), live: opened("live") };

/** Opens an article for the editor, or null if there is none. The side "live" is what readers see now, tags included. */
export async function openDraft(read: Read, id: string, side: "draft" | "live" = "draft"): Promise<OpenDraft | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [row] = await read<Row>(sql[side], [id]);
  if (!row) return null;
  const { sourcePath, sourceHash, title, tags, ...article } = row;
  return {
    ...article,
    source:
      sourcePath === null
        ? null
        : { path: sourcePath, hash: sourceHash === null ? null : Buffer.from(sourceHash, "hex") },
    text: {
      ...(row.text ?? { ...emptyText, title }),
      tags,
      relatedIds: article.related.map((one) => one.id),
      attachmentIds: article.attachments.map((one) => one.id),
    },
  };
}
