import { type ArticleLink, type ArticleParts, parts } from "@/lib/articles/article-parts";
import { type ArticleText, selectText } from "@/lib/articles/article-text";
import type { Heading } from "@/lib/content/headings";
import { picturePath } from "@/lib/members/avatars";
import { type Breadcrumb, breadcrumbsTo } from "@/lib/reader/published-categories";
import { relatedTo } from "@/lib/reader/related-articles";
import { summaryOf } from "@/lib/reader/summary";
import type { Snapshot } from "@/lib/visibility";

/** `renderedHtml` takes the place of the HTML. */
const shownFields = ["title", "pageTitle", "metaDescription", "showTableOfContents"] as const;

export interface PublishedArticle extends Pick<ArticleText, (typeof shownFields)[number]> {
  id: string;
  slug: string;
  permalink: string;
  categoryId: string;
  /** From lib/content/render.ts. Pages pass it through lib/content/for-reader.ts. */
  renderedHtml: string;
  headings: Heading[];
  /** The description, else the first paragraph. */
  summary: string;
  publishedAt: Date;
  updatedAt: Date;
  author: { id: string; name: string; picture: string };
  tags: { id: string; name: string }[];
  attachments: { id: string; filename: string; contentType: string; byteSize: number; path: string }[];
  breadcrumbs: Breadcrumb[];
  previous: ArticleLink | null;
  next: ArticleLink | null;
  related: ArticleLink[];
}

type Row = Omit<PublishedArticle, "author" | "attachments" | "breadcrumbs" | "summary"> &
  ArticleParts & { workspaceId: string; language: string; keywords: string[]; beginning: string; revision: number };

const MAX_RELATED = 5;
/** In characters. */
const BEGINNING = 2_000;
const SUMMARIZED = 6_000;

/**
 * The published article at a slug, or null. Articles the viewer may not see do not appear as neighbors or related either.
 * Chosen related articles come first. Computed ones fill up.
 */
export async function publishedArticle(snapshot: Snapshot, slug: string): Promise<PublishedArticle | null> {
  const { read, hidden } = snapshot;
  const [row] = await read<Row>(
    `SELECT a.workspace_id AS "workspaceId", w.language, a.id, a.slug, a.permalink,
       a.category_id AS "categoryId", coalesce(a.published_at, a.created_at) AS "publishedAt",
       a.updated_at AS "updatedAt", a.revision, ${selectText("l", shownFields)}, l.rendered_html AS "renderedHtml", l.headings,
       l.keywords, left(l.text, ${BEGINNING}) AS beginning, ${parts("$2")}
     FROM articles a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN workspaces w ON w.id = a.workspace_id
     JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug, hidden],
  );
  if (!row) return null;
  const {
    author,
    attachments,
    related: chosen,
    workspaceId: _,
    language: __,
    keywords: ___,
    beginning: ____,
    revision: _____,
    ...rest
  } = row;
  const shown = [...chosen, row.previous, row.next].flatMap((link) => link?.id ?? []);
  const missing = MAX_RELATED - chosen.length;
  const computed = missing > 0 ? await relatedTo(snapshot, row, shown, missing) : [];
  return {
    ...rest,
    summary: summaryOf({ description: row.metaDescription, beginning: row.renderedHtml.slice(0, SUMMARIZED) }),
    breadcrumbs: await breadcrumbsTo(snapshot, row.categoryId),
    author: {
      id: author.id,
      name: `${author.firstName} ${author.lastName}`.trim(),
      picture: picturePath(author),
    },
    attachments: attachments.map(({ createdAt: _, ...file }) => ({ ...file, path: `/uploads/${file.id}` })),
    related: [...chosen, ...computed].slice(0, MAX_RELATED),
  };
}
