import { createHash } from "node:crypto";
import type { Sight } from "@/lib/visibility";

/** All that is drawn on the picture that other sites show beside a link to a page. */
export interface SocialImage {
  workspace: string;
  /** The host the page is at. */
  host: string;
  /** `#rrggbb` */
  accentColor: string | null;
  category: string | null;
  title: string | null;
}

/** Changes when the same things are drawn in another way. */
const DRAWING = 1;

export const SOCIAL_IMAGE_SIZE = { width: 1200, height: 630 };

/** Names a picture by what is on it: in its address, so that it may be kept, and where it is kept. */
export function socialImageVersion(image: SocialImage): string {
  return createHash("sha256")
    .update(JSON.stringify([DRAWING, image.workspace, image.host, image.accentColor, image.category, image.title]))
    .digest("base64url")
    .slice(0, 16);
}

/**
 * What is drawn for a page.
 * @param home the workspace's address
 * @param page nothing for the start page
 */
export function socialImage(
  workspace: { name: string; accentColor: string | null },
  home: string,
  page: { category: string | null; title: string } | null = null,
): SocialImage {
  return {
    workspace: workspace.name,
    host: new URL(home).host,
    accentColor: workspace.accentColor,
    category: page?.category ?? null,
    title: page?.title ?? null,
  };
}

/**
 * Where the picture of a page is, with what makes the address another when the picture is.
 * @param page nothing for the start page
 */
export function socialImageAddress(
  workspace: { name: string; accentColor: string | null },
  home: string,
  page: { slug: string; category: string | null; title: string } | null = null,
): string {
  const path = page ? `/og/articles/${page.slug}.png` : "/og.png";
  return `${home}${path}?v=${socialImageVersion(socialImage(workspace, home, page))}`;
}

/** What is drawn of a published article, or null when the viewer may see none of this slug. */
export async function drawnArticle(
  { read, hidden }: Sight,
  slug: string,
): Promise<{ category: string; title: string } | null> {
  const [article] = await read<{ category: string; title: string }>(
    `SELECT l.title, c.name AS category FROM articles a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug, hidden],
  );
  return article ?? null;
}
