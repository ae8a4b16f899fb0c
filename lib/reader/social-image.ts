import { createHash } from "node:crypto";
import type { Snapshot } from "@/lib/visibility";

/** The contents of the image that other sites show beside a link to a page. */
export interface SocialImage {
  workspace: string;
  host: string;
  accentColor: string | null;
  category: string | null;
  title: string | null;
}

/** Increase this when the drawing changes. */
const DRAWING = 1;

export const SOCIAL_IMAGE_SIZE = { width: 1200, height: 630 };

/** A hash of the contents, which makes an image's URL cacheable. */
export function socialImageVersion(image: SocialImage): string {
  return createHash("sha256")
    .update(JSON.stringify([DRAWING, image.workspace, image.host, image.accentColor, image.category, image.title]))
    .digest("base64url")
    .slice(0, 16);
}

/** Without `page`, the image of the start page. */
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

export function socialImageUrl(
  workspace: { name: string; accentColor: string | null },
  home: string,
  page: { slug: string; category: string | null; title: string } | null = null,
): string {
  const path = page ? `/og/articles/${page.slug}.png` : "/og.png";
  return `${home}${path}?v=${socialImageVersion(socialImage(workspace, home, page))}`;
}

export async function drawnArticle(
  { read, hidden }: Snapshot,
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
