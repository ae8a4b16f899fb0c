import { notFound } from "next/navigation";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { type Read, readWorkspace } from "@/lib/db";
import type { Permission } from "@/lib/members/roles";
import { type CurrentMember, requireMember } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";
import { idOf } from "../../../_form";

/**
 * The article of a subpage, for members with the permission. Answers 404 to others and for missing articles.
 * @param more reads the page's other data in the same snapshot
 */
export async function requireArticle<T>(
  params: Promise<{ id: string }>,
  permission: Permission,
  more: (read: Read, article: OpenDraft) => Promise<T>,
): Promise<{ workspace: PublicWorkspace; member: CurrentMember; article: OpenDraft; more: T; here: string }> {
  const { workspace, member } = await requireMember(permission);
  const id = idOf((await params).id);
  const found =
    id &&
    (await readWorkspace(workspace.id, async (read) => {
      const article = await openDraft(read, id);
      return article && { article, more: await more(read, article) };
    }));
  if (!found) notFound();
  return { workspace, member, ...found, here: `/admin/articles/${found.article.id}` };
}

/** The breadcrumbs of a subpage of an article. */
export function pathTo(article: OpenDraft): { href: string; name: string }[] {
  return [
    { href: "/admin/articles", name: "Articles" },
    { href: `/admin/articles/${article.id}`, name: article.text.title },
  ];
}
