import { notFound } from "next/navigation";
import { type Read, readWorkspace } from "@/lib/db";
import { type OpenDraft, openDraft } from "@/lib/drafts/open";
import type { Permission } from "@/lib/roles";
import { type CurrentMember, requireMember } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { idOf } from "../../../_form";

/**
 * The article of a page below its own, for whoever has the permission; else, and where there is none, a 404.
 * @param more what else the page reads, in the same snapshot
 */
export async function articleOf<T>(
  params: Promise<{ workspace: string; id: string }>,
  permission: Permission,
  more: (read: Read, article: OpenDraft) => Promise<T>,
): Promise<{ workspace: PublicWorkspace; member: CurrentMember; article: OpenDraft; more: T; here: string }> {
  const { workspace: subdomain, id: asked } = await params;
  const workspace = await publicWorkspace(subdomain);
  const member = await requireMember(workspace.subdomain, permission);
  const id = idOf(asked);
  const found =
    id &&
    (await readWorkspace(workspace.id, async (read) => {
      const article = await openDraft(read, id);
      return article && { article, more: await more(read, article) };
    }));
  if (!found) notFound();
  return { workspace, member, ...found, here: `/admin/articles/${found.article.id}` };
}

/** The way to a page below an article's. */
export function pathTo(article: OpenDraft): { href: string; name: string }[] {
  return [
    { href: "/admin/articles", name: "Articles" },
    { href: `/admin/articles/${article.id}`, name: article.text.title },
  ];
}
