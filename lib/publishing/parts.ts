import type { Db } from "@/lib/db";
import type { ArticleToStore, Sides, TextToStore } from "@/lib/publishing/article";
import { fold } from "@/lib/search/words";

// Tags, related articles, attachments and links are rows that say whether they are in the live article, in its draft, or
// in both. Of an article with a person's draft only the live side is touched.

const sidesOf = `jsonb_to_recordset($1::jsonb) AS g("articleId" uuid, "inLive" boolean, "keepsDraft" boolean)`;

type Table = "article_links" | "article_tags" | "related_articles" | "article_attachments";

/** Takes away what was there, but for what a person's draft has. */
async function clear(db: Db, table: Table, sides: readonly Sides[]): Promise<void> {
  await db.$executeRawUnsafe(
    `DELETE FROM ${table} x USING ${sidesOf} WHERE x.article_id = g."articleId" AND NOT (g."keepsDraft" AND x.in_draft)`,
    JSON.stringify(sides),
  );
  const kept = sides.filter(({ keepsDraft }) => keepsDraft);
  if (kept.length === 0) return;
  await db.$executeRawUnsafe(
    `UPDATE ${table} x SET in_live = false FROM ${sidesOf} WHERE x.article_id = g."articleId" AND x.in_live`,
    JSON.stringify(kept),
  );
}

/** A text with one of its parts, and the draft beside it. */
type WithDraft<Text> = Text & { draft?: Text };

/**
 * The rows of a part for the articles that take any: on which sides they are, their place, and what `rowOf` gives for
 * each key.
 */
function rowsFor<Text, Row>(
  sides: readonly Sides[],
  articles: readonly WithDraft<Text>[],
  keysOf: (text: Text) => string[],
  rowOf: (key: string) => Row,
): string {
  const rows = articles.flatMap((article, index) => {
    const { articleId, inLive, keepsDraft } = sides[index] as Sides;
    if (!inLive && keepsDraft) return [];
    const live = unique(keysOf(article));
    const draft = article.draft ? unique(keysOf(article.draft)) : keepsDraft ? [] : live;
    const [inTheLive, inTheDraft] = [new Set(live), new Set(draft)];
    return merged(live, draft).map((key, position) => ({
      article_id: articleId,
      in_live: inLive && inTheLive.has(key),
      in_draft: inTheDraft.has(key),
      position,
      ...rowOf(key),
    }));
  });
  return JSON.stringify(rows);
}

/** Both lists in one, each in its own order as far as the two agree. */
function merged(live: readonly string[], draft: readonly string[]): readonly string[] {
  if (draft === live || draft.length === 0) return live;
  const result: string[] = [];
  let at = 0;
  for (const key of live) {
    const there = draft.indexOf(key, at);
    if (there >= 0) {
      result.push(...draft.slice(at, there).filter((other) => !live.includes(other)));
      at = there + 1;
    }
    result.push(key);
  }
  return unique([...result, ...draft.slice(at)]);
}

export async function replaceLinks(db: Db, sides: readonly Sides[], articles: readonly ArticleToStore[]) {
  await clear(db, "article_links", sides);
  await db.$executeRawUnsafe(
    `INSERT INTO article_links (article_id, kind, href, in_live, in_draft)
     SELECT DISTINCT g.article_id, g.kind, g.href, g.in_live, g.in_draft FROM jsonb_to_recordset($1::jsonb)
       AS g(article_id uuid, kind text, href text, in_live boolean, in_draft boolean)`,
    rowsFor<TextToStore, object>(
      sides,
      articles,
      ({ body }) => body.links.map(({ kind, href }) => JSON.stringify({ kind, href })),
      (key) => JSON.parse(key) as object,
    ),
  );
}

export async function replaceTags(db: Db, sides: readonly Sides[], articles: readonly ArticleToStore[]) {
  await clear(db, "article_tags", sides);
  // Of two spellings the first counts.
  const given = articles.flatMap(({ tags, draft }) => [...tags, ...(draft?.tags ?? [])]);
  const names = new Map(given.map((name) => [fold(name), name] as const).reverse());
  if (names.size === 0) return;
  await db.$executeRawUnsafe(
    `INSERT INTO tags (name, name_folded)
     SELECT g.name, g.folded FROM jsonb_to_recordset($1::jsonb) AS g(name text, folded text) ORDER BY g.folded
     ON CONFLICT (workspace_id, name_folded) DO NOTHING`,
    JSON.stringify([...names].map(([folded, name]) => ({ folded, name }))),
  );
  await db.$executeRawUnsafe(
    `INSERT INTO article_tags (article_id, tag_id, position, in_live, in_draft)
     SELECT g.article_id, t.id, g.position, g.in_live, g.in_draft FROM jsonb_to_recordset($1::jsonb)
       AS g(article_id uuid, folded text, position integer, in_live boolean, in_draft boolean)
     JOIN tags t ON t.name_folded = g.folded
     ON CONFLICT (workspace_id, article_id, tag_id) DO UPDATE SET in_live = true`,
    rowsFor<TextToStore, object>(
      sides,
      articles,
      ({ tags }) => tags.map(fold),
      (folded) => ({ folded }),
    ),
  );
}

export async function replaceRelated(
  db: Db,
  sides: readonly Sides[],
  articles: readonly { id: string; relatedIds: string[]; draft?: { relatedIds: string[] } }[],
) {
  await clear(db, "related_articles", sides);
  await db.$executeRawUnsafe(
    `INSERT INTO related_articles (article_id, related_id, position, in_live, in_draft)
     SELECT g.article_id, a.id, g.position, g.in_live, g.in_draft FROM jsonb_to_recordset($1::jsonb)
       AS g(article_id uuid, related_id uuid, position integer, in_live boolean, in_draft boolean)
     JOIN articles a ON a.id = g.related_id
     ON CONFLICT (workspace_id, article_id, related_id) DO UPDATE SET in_live = true`,
    rowsFor<{ relatedIds: string[] }, object>(
      sides,
      articles.map(({ id, draft, ...article }) => ({
        relatedIds: without(id, article.relatedIds),
        ...(draft && { draft: { relatedIds: without(id, draft.relatedIds) } }),
      })),
      ({ relatedIds }) => relatedIds,
      (related) => ({ related_id: related }),
    ),
  );
}

const without = (id: string, ids: readonly string[]) => ids.filter((other) => other !== id);

/** Attachments that are given are what an article has from now on. */
export async function replaceAttachments(db: Db, sides: readonly Sides[], articles: readonly ArticleToStore[]) {
  if (articles.length === 0) return;
  await clear(db, "article_attachments", sides);
  await db.$executeRawUnsafe(
    `INSERT INTO article_attachments (article_id, upload_id, position, in_live, in_draft)
     SELECT g.article_id, u.id, g.position, g.in_live, g.in_draft FROM jsonb_to_recordset($1::jsonb)
       AS g(article_id uuid, upload_id uuid, position integer, in_live boolean, in_draft boolean)
     JOIN uploads u ON u.id = g.upload_id
     ON CONFLICT (workspace_id, article_id, upload_id) DO UPDATE SET in_live = true`,
    rowsFor<TextToStore, object>(
      sides,
      articles,
      ({ attachmentIds = [] }) => attachmentIds,
      (upload) => ({ upload_id: upload }),
    ),
  );
}

/** Attachments that are not given stay, on the sides that the article now has. */
export async function followAttachments(db: Db, sides: readonly Sides[]): Promise<void> {
  await db.$executeRawUnsafe(
    `UPDATE article_attachments x SET in_live = g."inLive", in_draft = true FROM ${sidesOf}
     WHERE x.article_id = g."articleId" AND (x.in_live, x.in_draft) <> (g."inLive", true) AND NOT g."keepsDraft"`,
    JSON.stringify(sides),
  );
  const hidden = sides.filter(({ inLive, keepsDraft }) => keepsDraft && !inLive).map(({ articleId }) => articleId);
  if (hidden.length === 0) return;
  const mine = "article_id = ANY($1::uuid[])";
  await db.$executeRawUnsafe(`DELETE FROM article_attachments WHERE ${mine} AND NOT in_draft`, hidden);
  await db.$executeRawUnsafe(`UPDATE article_attachments SET in_live = false WHERE ${mine}`, hidden);
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
