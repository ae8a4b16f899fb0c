import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { picturePath } from "@/lib/avatars";
import { contentFromHtml } from "@/lib/content/content";
import { openDraft } from "@/lib/drafts/open";
import { mailedToken } from "@/lib/mailed-tokens";
import type { PublishedArticle } from "@/lib/published-articles";
import { breadcrumbsTo } from "@/lib/published-categories";
import { derivedText } from "@/lib/publishing/derive";
import type { Sight } from "@/lib/visibility";

/** For how long a link to a preview leads there, in days. */
const PREVIEW_DAYS = 7;

/** When a link that is made now is over. */
export function previewEnds(): Date {
  return new Date(Date.now() + PREVIEW_DAYS * 86_400_000);
}

/**
 * The path of an article's preview. Whoever has it reads the draft as it is at the time, without being signed in, until the
 * link is over: nothing of it is stored.
 * @param expires when that is; seconds count
 */
export function previewPath(workspaceId: string, articleId: string, expires: Date): string {
  const seconds = Math.floor(expires.getTime() / 1_000).toString(36);
  return `/preview/${articleId}.${seconds}.${seal(workspaceId, articleId, seconds)}`;
}

/** The article that a link to a preview is of, or null where nobody made such a link, or it is over. */
export function previewedId(workspaceId: string, token: string, now = new Date()): string | null {
  const [articleId = "", seconds = "", given = ""] = token.split(".");
  if (!z.guid().safeParse(articleId).success || !/^[0-9a-z]{1,9}$/.test(seconds)) return null;
  const [wanted, told] = [Buffer.from(seal(workspaceId, articleId, seconds)), Buffer.from(given)];
  if (wanted.length !== told.length || !timingSafeEqual(wanted, told)) return null;
  return Number.parseInt(seconds, 36) * 1_000 > now.getTime() ? articleId : null;
}

const seal = (...parts: [workspaceId: string, articleId: string, seconds: string]) => mailedToken("preview", ...parts);

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
  const { renderedHtml, headings, excerpt } = await derivedText(contentFromHtml(html));
  const key = `?preview=${encodeURIComponent(token)}`;
  return {
    ...preview,
    ...{ headings, excerpt },
    renderedHtml: renderedHtml.replace(tag, (whole) => whole.replace(upload, `$1${key}$2`)),
    attachments: preview.attachments.map((file) => ({ ...file, path: file.path + key })),
  };
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
