import { GET as listArticles } from "@/app/api/external/v2/articles/route";
import { GET as listChanges } from "@/app/api/external/v2/changes/route";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { createDraft } from "@/lib/articles/drafts";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { updateCategory } from "@/lib/categories/changes";
import { type Db, inWorkspace } from "@/lib/db";
import { permissions } from "@/lib/members/roles";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

// Follows a workspace through GET /changes alone, while it is changed at random.

/** Articles by their ids, as the API returns them. */
type Copy = Map<string, object>;

export const changesOf = (workspace: TestWorkspace, query: Record<string, string> = {}, key?: string) =>
  call(listChanges, workspace, `/api/external/v2/changes?${new URLSearchParams(query)}`, { key });

/** A copy kept by following the changes, as the manual says. */
function aCopy(workspace: TestWorkspace, key?: string) {
  const copy: Copy = new Map();
  let after = "";
  return {
    copy,
    async follow() {
      for (let more = true; more; ) {
        const { body } = await changesOf(workspace, { include: "content", page_size: "7", after }, key);
        for (const { article_id, article } of body.changes) {
          if (article) copy.set(article_id, article);
          else copy.delete(article_id);
        }
        ({ cursor: after, has_more: more } = body);
      }
    },
  };
}

async function everyArticle(workspace: TestWorkspace, key?: string): Promise<Copy> {
  const all: Copy = new Map();
  for (let page = 1, last = 1; page <= last; page++) {
    const path = `/api/external/v2/articles?include=content&page_size=100&page_number=${page}`;
    const { body } = await call(listArticles, workspace, path, { key });
    for (const article of body.articles) all.set(article.id, article);
    last = body.pagination.total_pages;
  }
  return all;
}

const sorted = (articles: Copy) => [...articles].sort(([one], [two]) => (one < two ? -1 : 1));

/** The copies of a key that sees everything and of a public one, beside what each can list. */
export interface Compared {
  whole: { copied: object[]; listed: object[] };
  visible: { copied: object[]; listed: object[] };
}

/**
 * Changes a new workspace at random: creates, publishes, unpublishes, moves, deletes and restores articles, renames categories and
 * closes them. The same sequence in every run.
 * @param every how many writes there are between two comparisons, which `compare` gets
 */
export async function changeAndMirror(
  { writes, every }: { writes: number; every: number },
  compare: (compared: Compared, done: number) => void,
): Promise<void> {
  const workspace = await aWorkspace();
  const act = <T>(work: (db: Db) => Promise<T>) => inWorkspace(workspace.id, work);
  const { text: key } = await act((db) => createApiKey(db, { name: "site", scopes: ["public"] }, workspace.actor));
  const categories = [await aCategory(workspace), await aCategory(workspace), await aCategory(workspace)];
  const ids: string[] = [];
  const trash: string[] = [];
  const [whole, visible] = [aCopy(workspace), aCopy(workspace, key)];
  // The same sequence in every run.
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const one = () => ids[draw(ids.length)] as string;
  const { actor } = workspace;
  const deeds: (() => Promise<unknown>)[] = [
    async () =>
      ids.push((await anArticle(workspace, { category: categories[draw(3)] as { id: string; name: string } })).id),
    async () =>
      ids.push(
        (await act((db) => createDraft(db, { title: `Draft ${seed}`, authorId: workspace.admin.id }, actor))).id,
      ),
    () => publishArticles(workspace.id, [one()], actor),
    () => unpublishArticles(workspace.id, [one()], actor),
    () =>
      act((db) =>
        db.article.updateMany({
          where: { id: one() },
          data: { categoryId: categories[draw(3)]?.id as string, updatedAt: new Date() },
        }),
      ),
    () => act((db) => updateCategory(db, categories[draw(3)]?.id as string, { name: `Name ${seed}` }, actor)),
    () =>
      act((db) =>
        updateCategory(db, categories[draw(3)]?.id as string, { visibility: draw(2) ? "members" : "inherit" }, actor),
      ),
    async () => {
      const [id] = ids.splice(draw(ids.length), 1) as [string];
      await act((db) => deleteArticles(db, [id], { kind: "gone" }, "http://x.localhost:3000", actor));
      trash.push(id);
    },
    async () => {
      const [id] = trash.splice(0, 1);
      if (!id) return;
      await act((db) => restoreArticles(db, [id], actor, permissions));
      ids.push(id);
    },
  ];
  for (let turn = 0; turn < writes; turn++) {
    await deeds[ids.length < 5 ? turn % 2 : draw(deeds.length)]?.();
    if (turn % every !== every - 1) continue;
    await whole.follow();
    await visible.follow();
    compare(
      {
        whole: { copied: sorted(whole.copy), listed: sorted(await everyArticle(workspace)) },
        visible: { copied: sorted(visible.copy), listed: sorted(await everyArticle(workspace, key)) },
      },
      turn + 1,
    );
  }
}
