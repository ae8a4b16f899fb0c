import { createHash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { openDraft } from "@/lib/articles/open-draft";
import { usedSnippets } from "@/lib/articles/used-snippets";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type DerivedText, shownIn } from "@/lib/content/derive";
import type { Snippets } from "@/lib/content/snippets";
import { type Db, type Read, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { picturePath } from "@/lib/members/avatars";
import { mailedToken } from "@/lib/members/mailed-tokens";
import type { PublishedArticle } from "@/lib/reader/published-articles";
import { breadcrumbsTo } from "@/lib/reader/published-categories";
import { inThread } from "@/lib/threads/pool";
import type { Snapshot } from "@/lib/visibility";

const PREVIEW_DAYS = 7;

export function previewEnds(): Date {
  return new Date(Date.now() + PREVIEW_DAYS * 86_400_000);
}

/** The path of a preview link, which shows the current draft without signing in. Links are not stored. */
export function previewPath(workspaceId: string, articleId: string, expires: Date, ended: number): string {
  const parts = [articleId, Math.floor(expires.getTime() / 1_000).toString(36), String(ended)];
  return `/preview/${[...parts, mailedToken("preview", workspaceId, ...parts)].join(".")}`;
}

/** The id of the article behind a preview link, or null when the link is forged, expired or revoked. */
export async function previewedId(workspaceId: string, token: string, now = new Date()): Promise<string | null> {
  const parts = token.split(".");
  const sent = Buffer.from(parts.pop() ?? "");
  const expected = Buffer.from(mailedToken("preview", workspaceId, ...parts));
  if (expected.length !== sent.length || !timingSafeEqual(expected, sent)) return null;
  const [articleId = "", seconds = "", ended] = parts;
  if (!z.guid().safeParse(articleId).success || Number.parseInt(seconds, 36) * 1_000 <= now.getTime()) return null;
  const count = await readWorkspace(workspaceId, (read) => previewsEnded(read, articleId));
  return count === Number(ended) ? articleId : null;
}

export async function previewsEnded(read: Read, articleId: string): Promise<number | null> {
  const [article] = await read<{ ended: number }>("SELECT previews_ended AS ended FROM articles WHERE id = $1::uuid", [
    articleId,
  ]);
  return article?.ended ?? null;
}

export async function endPreviews(db: Db, articleId: string, actor: Actor): Promise<void> {
  const [article] = await db.$queryRaw<{ title: string }[]>`
    UPDATE articles SET previews_ended = previews_ended + 1 WHERE id = ${articleId}::uuid RETURNING title`;
  if (!article) throw new NotFoundError("This article was deleted.");
  await recordAudit(db, actor, "article.previews_ended", { kind: "article", id: articleId, name: article.title });
}

/** A preview before rendering, which takes longer than a transaction may. */
type Preview = Omit<PublishedArticle, "renderedHtml" | "headings"> & { html: string };

/** The draft of an article in the form readers will see, or null when there is none. It has no neighbors. */
export async function findPreview(snapshot: Snapshot, id: string): Promise<Preview | null> {
  const draft = await openDraft(snapshot.read, id);
  if (!draft) return null;
  const { text, author, category, savedAt } = draft;
  return {
    id,
    slug: draft.slug,
    permalink: draft.permalink,
    categoryId: category.id,
    title: text.title,
    html: text.html,
    showTableOfContents: text.showTableOfContents,
    pageTitle: text.pageTitle,
    metaDescription: text.metaDescription,
    summary: text.metaDescription ?? "",
    publishedAt: draft.publishedAt ?? savedAt,
    updatedAt: savedAt,
    author: { ...author, picture: picturePath({ ...author, pictureUploadId: null }) },
    tags: text.tags.map((name) => ({ id: name, name })),
    attachments: draft.attachments.map((file) => ({ ...file, path: `/uploads/${file.id}` })),
    breadcrumbs: await breadcrumbsTo(snapshot, category.id),
    previous: null,
    next: null,
    related: await relatedOf(snapshot, text.relatedIds),
  };
}

/** The token in the files' URLs gives access to them. */
export async function renderedPreview(
  workspaceId: string,
  { html, ...preview }: Preview,
  token: string,
): Promise<PublishedArticle> {
  const snippets = await usedSnippets(workspaceId, html).catch((error: unknown) => {
    // Publishing says that the text is too long with them.
    if (error instanceof InvalidError) return null;
    throw error;
  });
  const hash = createHash("sha256")
    .update(html)
    .update(JSON.stringify([...(snippets ?? [])]))
    .digest("base64");
  const { renderedHtml, headings } = await rendered.forceFetch(hash, { context: { workspaceId, html, snippets } });
  const key = `?preview=${encodeURIComponent(token)}`;
  return {
    ...preview,
    headings,
    renderedHtml: renderedHtml.replace(tag, (whole) => whole.replace(upload, `$1${key}$2`)),
    attachments: preview.attachments.map((file) => ({ ...file, path: file.path + key })),
  };
}

/**
 * The latest rendered texts by hash, up to a size in characters. Rendering a long text takes seconds, and anyone with the
 * link can request it at any rate, so each text is rendered once.
 */
const rendered = new LRUCache<
  string,
  Pick<DerivedText, "renderedHtml" | "headings">,
  { workspaceId: string; html: string; snippets: Snippets | null }
>({
  maxSize: 32_000_000,
  sizeCalculation: ({ renderedHtml }) => renderedHtml.length + 1,
  fetchMethod: async (_hash, _stale, { context: { workspaceId, html, snippets } }) => {
    const text = await inThread(workspaceId, "derive", html, snippets);
    return { renderedHtml: text.renderedHtml, headings: shownIn(text).headings };
  },
});

/** A tag as the sanitizer prints it, and an upload's path among its attributes. */
const tag = /<[a-z][^>"]*(?:"[^"]*"[^>"]*)*>/g;
const upload = /( (?:src|href)="\/uploads\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?:#[^"]*)?")/g;

function relatedOf({ read, hidden }: Snapshot, ids: readonly string[]): Promise<PublishedArticle["related"]> {
  return read(
    `SELECT a.id, a.title, a.slug FROM unnest($1::uuid[]) WITH ORDINALITY AS g(id, place) JOIN articles a ON a.id = g.id
     WHERE a.state = 'published' AND a.category_id <> ALL($2::uuid[]) ORDER BY g.place LIMIT 5`,
    [ids, hidden],
  );
}
