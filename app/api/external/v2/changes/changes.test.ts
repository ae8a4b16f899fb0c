import { expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { createDraft } from "@/lib/articles/drafts";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { updateCategory } from "@/lib/categories/changes";
import { acrossWorkspaces, type Db, inWorkspace } from "@/lib/db";
import { permissions } from "@/lib/members/roles";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { GET as articles } from "../articles/route";
import { GET } from "./route";

const changes = (workspace: TestWorkspace, query: Record<string, string> = {}, key?: string) =>
  call(GET, workspace, `/api/external/v2/changes?${new URLSearchParams(query)}`, { key });

/** A copy kept by following the changes, as the manual says. */
function aCopy(workspace: TestWorkspace, key?: string) {
  const copy = new Map<string, object>();
  let after = "";
  return {
    copy,
    async follow() {
      for (let more = true; more; ) {
        const { body, status } = await changes(workspace, { include: "content", page_size: "7", after }, key);
        expect(status).toBe(200);
        for (const { article_id, article } of body.changes) {
          if (article) copy.set(article_id, article);
          else copy.delete(article_id);
        }
        ({ cursor: after, has_more: more } = body);
      }
    },
  };
}

async function everyArticle(workspace: TestWorkspace, key?: string) {
  const all = new Map<string, object>();
  for (let page = 1, last = 1; page <= last; page++) {
    const path = `/api/external/v2/articles?include=content&page_size=100&page_number=${page}`;
    const { body } = await call(articles, workspace, path, { key });
    for (const article of body.articles) all.set(article.id, article);
    last = body.pagination.total_pages;
  }
  return all;
}

const sorted = (articles: Map<string, object>) => [...articles].sort(([one], [two]) => (one < two ? -1 : 1));

test("a copy made from changes alone equals the workspace after many writes, for every kind of key", {
  timeout: 60_000,
}, async () => {
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
  for (let turn = 0; turn < 80; turn++) {
    await deeds[ids.length < 5 ? turn % 2 : draw(deeds.length)]?.();
    if (turn % 20 !== 19) continue;
    await whole.follow();
    await visible.follow();
    expect(sorted(whole.copy)).toEqual(sorted(await everyArticle(workspace)));
    expect(sorted(visible.copy)).toEqual(sorted(await everyArticle(workspace, key)));
  }
  expect(whole.copy.size).toBeGreaterThan(visible.copy.size);
});

test("a cursor that ended is refused with 410, and a text that is none with 422", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace) });
  const { body } = await changes(workspace);
  expect(body.changes).toHaveLength(1);
  expect((await changes(workspace, { after: body.cursor })).body).toMatchObject({ changes: [], has_more: false });
  await acrossWorkspaces.query("UPDATE content_versions SET changes_of = gen_random_uuid() WHERE workspace_id = $1", [
    workspace.id,
  ]);
  expect((await changes(workspace, { after: body.cursor })).status).toBe(410);
  expect((await changes(workspace, { after: "yesterday" })).body.details).toEqual([
    { field: "after", code: "invalid", message: "after must be a cursor of an earlier response." },
  ]);
});
