import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { listPins, movePin, type Pin, pinArticle, unpinArticle } from "@/lib/pins/pins";
import { firstFor } from "@/lib/search/first";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const pin = (workspace: TestWorkspace, term: string, articleId: string) =>
  inWorkspace(workspace.id, (db) => pinArticle(db, { term, articleId }, workspace.actor));
const unpin = (workspace: TestWorkspace, pinned: Pin) =>
  inWorkspace(workspace.id, (db) => unpinArticle(db, pinned, workspace.actor));
const move = (workspace: TestWorkspace, pinned: Pin, by: -1 | 1) =>
  inWorkspace(workspace.id, (db) => movePin(db, pinned, by, workspace.actor));
const list = ({ id }: TestWorkspace, limit = 10, offset = 0) =>
  readWorkspace(id, (read) => listPins(read, { limit, offset }));
const first = async ({ id }: TestWorkspace, folded: string) =>
  (await readWorkspace(id, (read) => firstFor(read, folded, []))).map((article) => article.id);
const titles = async (workspace: TestWorkspace) =>
  (await list(workspace)).searches.map(({ term, articles }) => [term, ...articles.map(({ title }) => title)]);

async function articlesIn(workspace: TestWorkspace, ...all: string[]) {
  const category = await aCategory(workspace);
  const ids: string[] = [];
  for (const title of all) ids.push((await anArticle(workspace, { category, title })).id);
  return ids as [string, string, ...string[]];
}

test("articles are pinned for a search, however it is spelled, moved and unpinned", async () => {
  const workspace = await aWorkspace();
  const [one, two, three] = await articlesIn(workspace, "One", "Two", "Three");
  await pin(workspace, " Get a  Refund ", one);
  await pin(workspace, "get a réfund?", two);
  await pin(workspace, "GET A REFUND", three as string);
  await pin(workspace, "get a refund", one);
  await pin(workspace, "refund", two);
  expect(await titles(workspace)).toEqual([
    ["Get a Refund", "One", "Two", "Three"],
    ["refund", "Two"],
  ]);
  const term = "get a refund";
  await move(workspace, { term, articleId: three as string }, -1);
  await move(workspace, { term, articleId: one }, -1);
  await move(workspace, { term, articleId: two }, 1);
  expect(await first(workspace, term)).toEqual([one, three, two]);
  await unpin(workspace, { term, articleId: three as string });
  expect(await first(workspace, term)).toEqual([one, two]);
  const gone = "This article is not pinned for this search.";
  await expect(unpin(workspace, { term, articleId: three as string })).rejects.toThrow(gone);
  await expect(move(workspace, { term, articleId: three as string }, 1)).rejects.toThrow(gone);
});

test("a search has at most five pinned articles, and a workspace at most 1,000 such searches", async () => {
  const workspace = await aWorkspace();
  const ids = await articlesIn(workspace, "1", "2", "3", "4", "5", "6");
  for (const id of ids.slice(0, 5)) await pin(workspace, "refund", id);
  const sixth = "A search can have up to 5 pinned articles. Unpin one first.";
  await expect(pin(workspace, "refund", ids[5] as string)).rejects.toThrow(sixth);
  await acrossWorkspaces.query(
    `INSERT INTO search_pins (workspace_id, term, term_folded, article_id, position)
     SELECT $1::uuid, 'term ' || n, 'term ' || n, $2::uuid, 1 FROM generate_series(2, 1000) n`,
    [workspace.id, ids[0]],
  );
  const more = "At most 1,000 searches can have pinned articles. Unpin the articles of another search first.";
  await expect(pin(workspace, "another", ids[0])).rejects.toThrow(more);
  await pin(workspace, "term 7", ids[1]);
  const { searches, total } = await list(workspace, 2, 2);
  expect([total, searches.map(({ term }) => term)]).toEqual([1_000, ["term 100", "term 1000"]]);
});

test("a search without a word, or an article that is not there, cannot be pinned", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const [article] = await articlesIn(workspace, "Article");
  await expect(pin(workspace, " ?! ", article)).rejects.toThrow("Enter a search with at least one letter or digit.");
  await expect(pin(workspace, "x".repeat(201), article)).rejects.toThrow("A search can have up to 200 characters.");
  for (const [who, id] of [[workspace, randomUUID()] as const, [other, article] as const]) {
    await expect(pin(who, "refund", id)).rejects.toThrow("There is no article with this ID.");
  }
  expect([await titles(workspace), await titles(other)]).toEqual([[], []]);
});

test("a deleted article leaves the search, and has its place back when it is restored", async () => {
  const workspace = await aWorkspace();
  const [one, two] = await articlesIn(workspace, "One", "Two");
  for (const id of [one, two]) await pin(workspace, "refund", id);
  const { batch } = await inWorkspace(workspace.id, (db) =>
    deleteArticles(db, [one], { kind: "gone" }, "http://docs.localhost", workspace.actor),
  );
  expect(await first(workspace, "refund")).toEqual([two]);
  expect(await titles(workspace)).toEqual([["refund", "Two"]]);
  await inWorkspace(workspace.id, (db) => restoreArticles(db, batch, workspace.actor, ["articles.publish"]));
  expect(await first(workspace, "refund")).toEqual([one, two]);
});

test("pinning and unpinning are in the audit log", async () => {
  const workspace = await aWorkspace();
  const [one, two] = await articlesIn(workspace, "One", "Two");
  for (const id of [one, two, one]) await pin(workspace, "refund", id);
  await move(workspace, { term: "refund", articleId: two }, -1);
  await unpin(workspace, { term: "refund", articleId: one });
  const entries = await acrossWorkspaces.query(
    `SELECT action, subject_id, subject_name, details FROM audit_entries
     WHERE workspace_id = $1::uuid AND action LIKE 'article.%pin%' ORDER BY created_at, id`,
    [workspace.id],
  );
  const entry = (action: string, id: string, name: string) => ({
    ...{ action: `article.${action}`, subject_id: id, subject_name: name, details: { search: "refund" } },
  });
  expect(entries).toEqual([
    entry("pinned", one, "One"),
    entry("pinned", two, "Two"),
    entry("pin_moved", two, "Two"),
    entry("unpinned", one, "One"),
  ]);
});
