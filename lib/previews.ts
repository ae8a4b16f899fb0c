import { createHash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import { picturePath } from "@/lib/avatars";
import { contentFromHtml } from "@/lib/content/content";
import { type Db, type Read, readWorkspace } from "@/lib/db";
import { openDraft } from "@/lib/drafts/open";
import { NotFoundError } from "@/lib/errors";
import { mailedToken } from "@/lib/mailed-tokens";
import type { PublishedArticle } from "@/lib/published-articles";
import { breadcrumbsTo } from "@/lib/published-categories";
import { type DerivedText, derivedText } from "@/lib/publishing/derive";
import type { Sight } from "@/lib/visibility";

/** For how long a link to a preview leads there, in days. */
const PREVIEW_DAYS = 7;

/** When a link that is made now is over. */
export function previewEnds(): Date {
  return new Date(Date.now() + PREVIEW_DAYS * 86_400_000);
}

/**
 * The path of an article's preview. Whoever has it reads the draft as it is at the time, without being signed in, until the
 * link is over, or all links of the article are ended: nothing of one is stored.
 * @param expires when it is over; seconds count
 * @param ended how often the article's links were ended until now, as of previewsEnded
 */
export function previewPath(workspaceId: string, articleId: string, expires: Date, ended: number): string {
  const seconds = Math.floor(expires.getTime() / 1_000).toString(36);
  // The first ones carry no number, as those do that were made before links could be ended.
  const parts = [articleId, seconds, ...(ended > 0 ? [String(ended)] : [])];
  return `/preview/${[...parts, seal(workspaceId, ...parts)].join(".")}`;
}

/** The article that a link to a preview is of, or null where nobody made such a link, or it is over or ended. */
export async function previewedId(workspaceId: string, token: string, now = new Date()): Promise<string | null> {
  const parts = token.split(".");
  const [told, wanted] = [Buffer.from(parts.pop() ?? ""), Buffer.from(seal(workspaceId, ...parts))];
  if (wanted.length !== told.length || !timingSafeEqual(wanted, told)) return null;
  const [articleId = "", seconds = "", ended = "0"] = parts;
  if (!z.guid().safeParse(articleId).success || Number.parseInt(seconds, 36) * 1_000 <= now.getTime()) return null;
  const count = await readWorkspace(workspaceId, (read) => previewsEnded(read, articleId));
  return count === Number(ended) ? articleId : null;
}

const seal = (...parts: [workspaceId: string, ...told: string[]]) => mailedToken("preview", ...parts);

/** How often all links to previews of an article were ended; null where there is no such article. */
export async function previewsEnded(read: Read, articleId: string): Promise<number | null> {
  const [article] = await read<{ ended: number }>("SELECT previews_ended AS ended FROM articles WHERE id = $1::uuid", [
    articleId,
  ]);
  return article?.ended ?? null;
}

/**
 * Ends all links to previews of an article that were made until now: they lead nowhere.
 * @throws NotFoundError when there is no such article
 */
export async function endPreviews(db: Db, articleId: string, actor: Actor): Promise<void> {
  const [article] = await db.$queryRaw<{ title: string }[]>`
    UPDATE articles SET previews_ended = previews_ended + 1 WHERE id = ${articleId}::uuid RETURNING title`;
  if (!article) throw new NotFoundError("This article is not there any more: somebody has deleted it.");
  await recordAudit(db, actor, "article.previews_ended", { kind: "article", id: articleId, name: article.title });
}

/** What is read of an article for its preview; `rendered` makes the rest, which takes longer than a transaction should. */
type Preview = Omit<PublishedArticle, "renderedHtml" | "headings" | "excerpt"> & { html: string };

/** An article as readers will see it, or null when there is none. What is computed beside a published one is left out. */
export async function findPreview(sight: Sight, id: string): Promise<Preview | null> {
  const draft = await openDraft(sight.read, id);
  if (!draft) return null;
  const { text, author, slug, permalink, category, publishedAt, savedAt } = draft;
  const { title, html, showTableOfContents, pageTitle, metaDescription } = text;
  return {
    ...{ id, slug, permalink, categoryId: category.id },
    ...{ title, html, showTableOfContents, pageTitle, metaDescription },
    ...{ publishedAt: publishedAt ?? savedAt, updatedAt: savedAt },
    author: { ...author, picture: picturePath({ ...author, pictureUploadId: null }) },
    tags: text.tags.map((name) => ({ id: name, name })),
    attachments: draft.attachments.map((file) => ({ ...file, path: `/uploads/${file.id}` })),
    breadcrumbs: await breadcrumbsTo(sight, category.id),
    ...{ previous: null, next: null },
    related: await relatedOf(sight, text.relatedIds),
  };
}

/**
 * The same with its text as it is shown. The addresses of its files carry the link's token: nobody else may fetch them.
 * @param token of the link that it is read by
 */
export async function renderedPreview({ html, ...preview }: Preview, token: string): Promise<PublishedArticle> {
  const { renderedHtml, headings, excerpt } = await shownText(html);
  const key = `?preview=${encodeURIComponent(token)}`;
  return {
    ...preview,
    ...{ headings, excerpt },
    renderedHtml: renderedHtml.replace(tag, (whole) => whole.replace(upload, `$1${key}$2`)),
    attachments: preview.attachments.map((file) => ({ ...file, path: file.path + key })),
  };
}

/** A text as previews show it, without what is a link's own. */
type Shown = Pick<DerivedText, "renderedHtml" | "headings" | "excerpt">;

/**
 * What was rendered last, by the text it was made of, in characters: rendering the longest takes seconds, and whoever has
 * a link may ask for it as often as they like.
 */
const rendered = new LRUCache<string, Shown>({
  maxSize: 32_000_000,
  sizeCalculation: ({ renderedHtml, excerpt }) => renderedHtml.length + excerpt.length + 1,
});
const underWay = new Map<string, Promise<Shown>>();

/** Renders a text once, however many ask for it at a time. */
function shownText(html: string): Promise<Shown> {
  const key = createHash("sha256").update(html).digest("base64");
  const known = rendered.get(key);
  if (known) return Promise.resolve(known);
  const begun = underWay.get(key);
  if (begun) return begun;
  const rendering = render(html)
    .then((shown) => {
      rendered.set(key, shown);
      return shown;
    })
    .finally(() => underWay.delete(key));
  underWay.set(key, rendering);
  return rendering;
}

async function render(html: string): Promise<Shown> {
  const { renderedHtml, headings, excerpt } = await derivedText(contentFromHtml(html));
  return { renderedHtml, headings, excerpt };
}

/** A tag as cleaning prints it, and an upload's address among its attributes. */
const tag = /<[a-z][^>"]*(?:"[^"]*"[^>"]*)*>/g;
const upload = /( (?:src|href)="\/uploads\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?:#[^"]*)?")/g;

function relatedOf({ read, hidden }: Sight, ids: readonly string[]): Promise<PublishedArticle["related"]> {
  return read(
    `SELECT a.id, a.title, a.slug FROM unnest($1::uuid[]) WITH ORDINALITY AS g(id, place) JOIN articles a ON a.id = g.id
     WHERE a.state = 'published' AND a.category_id <> ALL($2::uuid[]) ORDER BY g.place LIMIT 5`,
    [ids, hidden],
  );
}
