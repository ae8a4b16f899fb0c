import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import type { Permission } from "@/lib/members/roles";

/**
 * An article's title in a list. Opens the editor for members who write, and the page of the site for others.
 * @param link a URL in the article's text, which the editor selects
 */
export function ArticleTitle({
  article: { id, slug, title, published },
  permissions,
  link,
}: {
  article: { id: string; slug: string; title: string; published: boolean };
  permissions: Permission[];
  link?: string;
}) {
  const name = permissions.includes("articles.write") ? (
    <Link
      href={`/admin/articles/${id}${link === undefined ? "" : `?${new URLSearchParams({ link })}`}`}
      prefetch={false}
      className="font-medium no-underline hover:underline"
    >
      {title}
    </Link>
  ) : published ? (
    <a href={`/articles/${slug}`} className="font-medium no-underline hover:underline">
      {title}
    </a>
  ) : (
    title
  );
  return (
    <>
      {name} {!published && <Badge tone="quiet">Draft</Badge>}
    </>
  );
}
