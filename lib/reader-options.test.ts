import { expect, test } from "vitest";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { giveFeedback } from "@/lib/feedback";
import { publishedArticle } from "@/lib/published-articles";
import { changeReaderOptions, type ReaderOptions, readerOptions } from "@/lib/reader-options";
import { flushSearches, noteSearch } from "@/lib/searches";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/lib/testing";
import { readAs } from "@/lib/visibility";
import { contentVersionOf } from "@/lib/workspaces";

const open: ReaderOptions = { visibility: "everyone", feedbackEnabled: true, searchLogEnabled: true };
const change = (of: TestWorkspace, given: Partial<ReaderOptions>) =>
  inWorkspace(of.id, async (db) =>
    changeReaderOptions(db, { ...open, ...given }, await readerOptions(readingOf(db)), of.actor),
  );
const count = async (of: TestWorkspace, table: string) => {
  const [row] = await readWorkspace(of.id, (read) =>
    read<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`, [of.id]),
  );
  return row?.count;
};

test("feedback and the log of searches are taken until they are switched off, and not from then on", async () => {
  const of = await aWorkspace();
  const article = await anArticle(of, { category: await aCategory(of) });
  const use = async (ip: string) => {
    const answer = { helpful: true, choice: null, reason: null };
    await giveFeedback(of.id, article.id, answer, { ip, userAgent: "Mozilla/5.0 Firefox/140.0" });
    noteSearch(of.id, { term: `words from ${ip}`, total: 1 });
    await flushSearches();
    return [await count(of, "feedback"), await count(of, "searches")];
  };
  expect(await use("192.0.2.1")).toEqual([1, 1]);
  expect(await change(of, { feedbackEnabled: false })).toEqual(open);
  expect(await use("192.0.2.2")).toEqual([1, 2]);
  await change(of, { searchLogEnabled: false });
  expect(await use("192.0.2.3")).toEqual([2, 2]);
  await change(of, { feedbackEnabled: false, searchLogEnabled: false });
  expect(await use("192.0.2.4")).toEqual([2, 2]);
  await change(of, {});
  expect(await use("192.0.2.5")).toEqual([3, 3]);
});

test("a workspace for its members shows nobody else an article, at once and until it is opened again", async () => {
  const of = await aWorkspace();
  const category = await aCategory(of);
  const article = await anArticle(of, { category });
  const seen = () => readAs(of, "anyone", async (sight) => (await publishedArticle(sight, article.slug)) !== null);
  const version = async () => (await contentVersionOf(of.subdomain))?.version;
  const before = await version();
  expect(await seen()).toBe(true);
  await change(of, { visibility: "members" });
  const closed = await version();
  expect([await seen(), closed === before]).toEqual([false, false]);
  await change(of, {});
  expect([await seen(), (await version()) === closed]).toEqual([true, false]);
});

test("what changed is remembered with who did it, and what did not is no entry", async () => {
  const of = await aWorkspace();
  await change(of, {});
  await change(of, { visibility: "members", searchLogEnabled: false });
  const entries = await readWorkspace(of.id, (read) =>
    read("SELECT actor_name AS who, details FROM audit_entries WHERE action = 'workspace.updated' ORDER BY id"),
  );
  const details = { visibility: "everyone → members", searchLogEnabled: "true → false" };
  expect(entries).toEqual([{ who: of.actor.name, details }]);
});

test("what is sent twice is saved once, and told of as the first time; over what somebody else saved nothing is", async () => {
  const of = await aWorkspace();
  const send = (given: Partial<ReaderOptions>, seen = open) =>
    inWorkspace(of.id, (db) => changeReaderOptions(db, { ...open, ...given }, seen, of.actor));
  expect([await send({ visibility: "members" }), await send({ visibility: "members" })]).toEqual([open, open]);
  await expect(send({ feedbackEnabled: false })).rejects.toThrow("Somebody has changed these meanwhile");
  expect(await readWorkspace(of.id, readerOptions)).toMatchObject({ ...open, visibility: "members" });
  const entries = await readWorkspace(of.id, (read) =>
    read("SELECT FROM audit_entries WHERE action = 'workspace.updated'"),
  );
  expect(entries).toHaveLength(1);
});

test("categories that say themselves for whom they are, are counted", async () => {
  const of = await aWorkspace();
  const categories = [await aCategory(of), await aCategory(of), await aCategory(of), await aCategory(of)];
  const say = ["everyone", "everyone", "members"];
  for (const [place, visibility] of say.entries())
    await inWorkspace(of.id, (db) =>
      db.category.updateMany({ where: { id: categories[place]?.id }, data: { visibility } }),
    );
  expect(await readWorkspace(of.id, readerOptions)).toEqual({ ...open, open: 2, closed: 1 });
});
