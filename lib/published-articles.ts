import { type ArticleLink, type ArticleParts, parts, withRelated } from "@/lib/articles/parts";
import { picturePath } from "@/lib/avatars";
import type { Heading } from "@/lib/content/headings";
import { type Breadcrumb, breadcrumbsTo } from "@/lib/published-categories";
import type { Sight } from "@/lib/visibility";

/** A published article as its page shows it: the live text, and nothing that is not for readers. */
export interface PublishedArticle {
  id: string;
  slug: string;
  permalink: string;
  title: string;
  categoryId: string;
  /** Made when it was saved (lib/content/render.ts); pages pass it through lib/content/for-reader.ts. */
  renderedHtml: string;
  headings: Heading[];
  showTableOfContents: boolean;
  pageTitle: string | null;
  metaDescription: string | null;
  excerpt: string;
  publishedAt: Date;
  updatedAt: Date;
  /** `picture` is a path at the workspace's host. */
  author: { id: string; name: string; picture: string };
  tags: { id: string; name: string }[];
  /** `path` is one at the workspace's host; sizes in bytes. */
  attachments: { id: string; filename: string; contentType: string; byteSize: number; path: string }[];
  /** The categories it is in, from the top down. */
  breadcrumbs: Breadcrumb[];
  /** Neighbours in reading order within the category. */
  previous: ArticleLink | null;
  next: ArticleLink | null;
  /** Chosen ones, else computed; at most 5. */
  related: ArticleLink[];
}

type Row = Omit<PublishedArticle, "author" | "attachments" | "breadcrumbs"> & ArticleParts;

const MAX_RELATED = 5;

/**
 * The published article at a slug, or null where the viewer may see none: drafts, articles of hidden categories and
 * those of other workspaces are as if they were not there, as neighbours and related articles too.
 */
export async function publishedArticle(sight: Sight, slug: string): Promise<PublishedArticle | null> {
  const { read, hidden } = sight;
  const [row] = await read<Row>(
    `SELECT a.id, a.slug, a.permalink, a.category_id AS "categoryId", coalesce(a.published_at, a.created_at) AS "publishedAt",
       a.updated_at AS "updatedAt", l.title, l.rendered_html AS "renderedHtml", l.headings,
       l.show_table_of_contents AS "showTableOfContents", l.page_title AS "pageTitle",
       l.meta_description AS "metaDescription", l.excerpt, ${parts("$2")}
     FROM articles a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug, hidden],
  );
  if (!row) return null;
  const { author, attachments, related, ...rest } = await withRelated(read, row, hidden, [row.previous, row.next]);
  return {
    ...rest,
    breadcrumbs: await breadcrumbsTo(sight, row.categoryId),
    author: {
      id: author.id,
      name: `${author.firstName} ${author.lastName}`.trim(),
      picture: picturePath(author),
    },
    attachments: attachments.map(({ createdAt: _, ...file }) => ({ ...file, path: `/uploads/${file.id}` })),
    related: related.slice(0, MAX_RELATED),
  };
}
