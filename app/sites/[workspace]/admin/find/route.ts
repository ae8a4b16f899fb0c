import { listArticles } from "@/lib/articles/articles";
import { findCategoriesCalled } from "@/lib/categories/categories";
import { takeLimit } from "@/lib/counters";
import { type Read, readWorkspace } from "@/lib/db";
import { spoken } from "@/lib/http/form";
import { tooManyRequests } from "@/lib/limits";
import { listMembers } from "@/lib/members/members";
import { resultPath, searchedText } from "@/lib/reader/published-search";
import { searchArticles } from "@/lib/search/search";
import { type CurrentMember, currentMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";

/** The maximum number of results of each kind. */
const MOST = 5;

/**
 * `/admin/find?q=`: the articles, categories and members that match in the palette. With `&of=published`, only
 * published articles, with `&of=targets` drafts too, and with `&of=places` also categories, all by their URL for readers. Searches are
 * not logged.
 */
export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const member = await currentMember(workspace.subdomain);
  if (!member) return answer({ error: "Sign in to search." }, 401);
  const wait = await takeLimit("palette", { workspace: workspace.id, member: member.id });
  if (wait !== null) {
    const error = `Too many searches. Try again in ${spoken(wait)}.`;
    const { status, headers } = tooManyRequests(wait);
    return answer({ error }, status, headers);
  }
  const params = new URL(request.url).searchParams;
  const text = searchedText(params.get("q") ?? "");
  const of = params.get("of");
  const isOfPlaces = of === "places";
  const isForReaders = isOfPlaces || of === "published" || of === "targets";
  const found = text
    ? await readWorkspace(workspace.id, async (read) => [
        ...(await findPublished(read, workspace.id, text, isForReaders)),
        ...(isForReaders && of !== "published" ? await findDrafts(member, read, workspace.id, text, true) : []),
        ...(isOfPlaces ? await findCategories(read, text) : []),
        ...(isForReaders ? [] : await findOthers(member, read, workspace.id, text)),
      ])
    : [];
  return answer({ found });
}

/** @param isOfPublished whether the results are link targets: whole articles, not sections */
async function findPublished(read: Read, workspaceId: string, text: string, isOfPublished: boolean) {
  const { matches } = await searchArticles(read, workspaceId, text, { limit: MOST, offset: 0 });
  return matches.map(({ id, slug, title, category, heading }) => {
    const section = isOfPublished ? null : heading;
    return {
      id,
      name: title,
      group: "Articles",
      note: section ? `${category.name} › ${section.text}` : category.name,
      href: resultPath(slug, section?.id),
    };
  });
}

/** @param isOfArticles whether the results are link targets */
async function findDrafts(
  { permissions }: CurrentMember,
  read: Read,
  workspaceId: string,
  text: string,
  isOfArticles: boolean,
) {
  if (!permissions.includes("articles.write")) return [];
  const filter = { workspaceId, state: "draft", searchText: text, limit: MOST, offset: 0 } as const;
  const { articles } = await listArticles(read, filter);
  return articles.map(({ id, slug, title, category }) => ({
    id,
    name: title,
    group: "Articles",
    note: `Draft in ${category.name}`,
    href: isOfArticles ? resultPath(slug, undefined) : `/admin/articles/${id}`,
  }));
}

async function findCategories(read: Read, text: string) {
  const categories = await findCategoriesCalled(read, text, MOST);
  return categories.map(({ id, slug, name, above }) => ({
    id,
    name,
    group: "Categories",
    note: above ? `Category in ${above}` : "Category",
    href: `/categories/${slug}`,
  }));
}

/** Everything else that the member may open. */
async function findOthers(member: CurrentMember, read: Read, workspaceId: string, text: string) {
  const { permissions } = member;
  const drafts = await findDrafts(member, read, workspaceId, text, false);
  const categories = await findCategoriesCalled(read, text, MOST);
  const { members } = permissions.includes("members.manage")
    ? await listMembers(read, { search: text, limit: MOST, offset: 0 })
    : { members: [] };
  return [
    ...drafts,
    ...categories.map(({ id, slug, name, above }) => ({
      id,
      name,
      group: "Categories",
      note: above ?? undefined,
      href: permissions.includes("categories.manage") ? `/admin/categories/${id}` : `/categories/${slug}`,
    })),
    ...members.map(({ id, firstName, lastName, email }) => ({
      id,
      name: `${firstName} ${lastName}`,
      group: "Members",
      words: email,
      note: email,
      href: `/admin/members/${id}`,
    })),
  ];
}

function answer(body: object, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
