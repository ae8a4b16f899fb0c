import { expect, test } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { pinArticle } from "@/lib/pins/pins";
import { firstFor, firstForAll } from "@/lib/search/first";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

async function withArticles(...titles: string[]) {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const articles = await Promise.all(titles.map((title) => anArticle(workspace, { category, title })));
  return { workspace, category, ids: articles.map(({ id }) => id) as [string, string, ...string[]] };
}

/** Readers open an article from the results of a search. */
const open = ({ id }: TestWorkspace, term: string, articleId: string, readers: number, daysAgo = 1) =>
  acrossWorkspaces.query(
    `INSERT INTO search_opens (workspace_id, term_folded, article_id, day, viewer_hash)
     SELECT $1::uuid, $2, $3::uuid, current_date - $5::int, decode(md5(n::text), 'hex') FROM generate_series(1, $4) n`,
    [id, term, articleId, readers, daysAgo],
  );
const rate = ({ id }: TestWorkspace, articleId: string, helpful: boolean, times: number, daysAgo = 1) =>
  acrossWorkspaces.query(
    `INSERT INTO feedback (workspace_id, article_id, day, viewer_hash, helpful)
     SELECT $1::uuid, $2::uuid, current_date - $5::int, decode(md5(n::text || $3::boolean::text), 'hex'), $3::boolean
     FROM generate_series(1, $4) n`,
    [id, articleId, helpful, times, daysAgo],
  );
const pin = (workspace: TestWorkspace, term: string, articleId: string) =>
  inWorkspace(workspace.id, (db) => pinArticle(db, { term, articleId }, workspace.actor));
const first = ({ id }: TestWorkspace, folded: string, hidden: string[] = []) =>
  readWorkspace(id, (read) => firstFor(read, folded, hidden));
const opened = (id: string, readers: number) => ({ id, reason: "opened", readers });

test("pinned articles come first, then at most three that five readers or more opened, the most opened before", async () => {
  const { workspace, ids } = await withArticles("A", "B", "C", "D", "E", "F");
  const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string];
  await pin(workspace, "Get a refund", f);
  for (const [id, readers] of [
    [a, 4],
    [b, 5],
    [c, 9],
    [d, 7],
    [e, 6],
    [f, 20],
  ] as const)
    await open(workspace, "get a refund", id, readers);
  const all = [{ id: f, reason: "pinned" }, opened(c, 9), opened(d, 7), opened(e, 6)];
  expect(await first(workspace, "get a refund")).toEqual(all);
  for (const other of ["get a", "get a refund now", "refund", ""]) expect(await first(workspace, other)).toEqual([]);
  await open(workspace, "refund", a, 5);
  const found = await readWorkspace(workspace.id, (read) => firstForAll(read, ["refund", "get a refund", "none", ""]));
  expect(Object.fromEntries(found)).toEqual({ "get a refund": all, refund: [opened(a, 5)] });
});

test("readers of the last 90 days count, and articles that helped fewer readers than they did not help do not rise", async () => {
  const { workspace, ids } = await withArticles("A", "B");
  const [a, b] = ids;
  await open(workspace, "refund", a, 4, 89);
  await open(workspace, "refund", a, 40, 90);
  await open(workspace, "refund", b, 5);
  await rate(workspace, b, true, 2);
  await rate(workspace, b, false, 3);
  expect(await first(workspace, "refund")).toEqual([]);
  await open(workspace, "refund", a, 1, 0);
  await rate(workspace, b, true, 1, 2);
  expect(await first(workspace, "refund")).toEqual([opened(a, 5), opened(b, 5)].sort((x, y) => (x.id < y.id ? -1 : 1)));
  await rate(workspace, a, false, 50, 90);
  expect(await first(workspace, "refund")).toHaveLength(2);
});

test("drafts, articles of hidden categories and those of another workspace are left out", async () => {
  const { workspace, category, ids } = await withArticles("A", "B");
  const draft = await anArticle(workspace, { category, title: "Draft", state: "draft" });
  for (const id of [draft.id, ids[0]]) await pin(workspace, "refund", id);
  for (const id of [draft.id, ids[1]]) await open(workspace, "refund", id, 5);
  const other = await aWorkspace();
  expect(await first(workspace, "refund")).toEqual([{ id: ids[0], reason: "pinned" }, opened(ids[1], 5)]);
  expect(await first(workspace, "refund", [category.id])).toEqual([]);
  expect(await first(other, "refund")).toEqual([]);
});
