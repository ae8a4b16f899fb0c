import { expect, test } from "vitest";
import { giveFeedback } from "@/lib/analytics/feedback";
import { flushSearches, noteSearch } from "@/lib/analytics/search-log";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { publishedArticle } from "@/lib/reader/published-articles";
import { changeReaderOptions, type ReaderOptions, readerOptions } from "@/lib/settings/reader-options";
import { readAs } from "@/lib/visibility";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const open: ReaderOptions = { visibility: "everyone", feedbackEnabled: true, searchLogEnabled: true };
const change = (workspace: TestWorkspace, options: Partial<ReaderOptions>) =>
  inWorkspace(workspace.id, async (db) =>
    changeReaderOptions(db, { ...open, ...options }, await readerOptions(readingOf(db)), workspace.actor),
  );
const count = async (workspace: TestWorkspace, table: string) => {
  const [row] = await readWorkspace(workspace.id, (read) =>
    read<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`, [workspace.id]),
  );
  return row?.count;
};

test("feedback and the log of searches are taken until they are switched off, and not from then on", async () => {
  const workspace = await aWorkspace();
  const article = await anArticle(workspace, { category: await aCategory(workspace) });
  const use = async (ip: string) => {
    const answer = { helpful: true, choice: null, reason: null };
    await giveFeedback(workspace.id, article.id, answer, { ip, userAgent: "Mozilla/5.0 Firefox/140.0" });
    noteSearch(workspace.id, { term: `words from ${ip}`, total: 1 });
    await flushSearches();
    return [await count(workspace, "feedback"), await count(workspace, "searches")];
  };
  expect(await use("192.0.2.1")).toEqual([1, 1]);
  expect(await change(workspace, { feedbackEnabled: false })).toEqual(open);
  expect(await use("192.0.2.2")).toEqual([1, 2]);
  await change(workspace, { searchLogEnabled: false });
  expect(await use("192.0.2.3")).toEqual([2, 2]);
  await change(workspace, { feedbackEnabled: false, searchLogEnabled: false });
  expect(await use("192.0.2.4")).toEqual([2, 2]);
  await change(workspace, {});
  expect(await use("192.0.2.5")).toEqual([3, 3]);
});

test("a members-only workspace shows articles to no one else, immediately and until it is public again", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const article = await anArticle(workspace, { category });
  const seen = () =>
    readAs(workspace, "anyone", async (snapshot) => (await publishedArticle(snapshot, article.slug)) !== null);
  const version = async () => (await contentVersionOf(workspace.subdomain))?.version;
  const before = await version();
  expect(await seen()).toBe(true);
  await change(workspace, { visibility: "members" });
  const closed = await version();
  expect([await seen(), closed === before]).toEqual([false, false]);
  await change(workspace, {});
  expect([await seen(), (await version()) === closed]).toEqual([true, false]);
});

test("what changed is remembered with who did it, and what did not is no entry", async () => {
  const workspace = await aWorkspace();
  await change(workspace, {});
  await change(workspace, { visibility: "members", searchLogEnabled: false });
  const entries = await readWorkspace(workspace.id, (read) =>
    read("SELECT actor_name AS who, details FROM audit_entries WHERE action = 'workspace.updated' ORDER BY id"),
  );
  const details = { visibility: "everyone → members", searchLogEnabled: "true → false" };
  expect(entries).toEqual([{ who: workspace.actor.name, details }]);
});

test("a form sent twice is saved once with the same message, and never overwrites another member's change", async () => {
  const workspace = await aWorkspace();
  const send = (options: Partial<ReaderOptions>, seen = open) =>
    inWorkspace(workspace.id, (db) => changeReaderOptions(db, { ...open, ...options }, seen, workspace.actor));
  expect([await send({ visibility: "members" }), await send({ visibility: "members" })]).toEqual([open, open]);
  await expect(send({ feedbackEnabled: false })).rejects.toThrow("Someone else changed these settings");
  expect(await readWorkspace(workspace.id, readerOptions)).toMatchObject({ ...open, visibility: "members" });
  const entries = await readWorkspace(workspace.id, (read) =>
    read("SELECT FROM audit_entries WHERE action = 'workspace.updated'"),
  );
  expect(entries).toHaveLength(1);
});

test("categories that say themselves for whom they are, are counted", async () => {
  const workspace = await aWorkspace();
  const categories = [
    await aCategory(workspace),
    await aCategory(workspace),
    await aCategory(workspace),
    await aCategory(workspace),
  ];
  const say = ["everyone", "everyone", "members"];
  for (const [place, visibility] of say.entries())
    await inWorkspace(workspace.id, (db) =>
      db.category.updateMany({ where: { id: categories[place]?.id }, data: { visibility } }),
    );
  expect(await readWorkspace(workspace.id, readerOptions)).toEqual({ ...open, open: 2, closed: 1 });
});
