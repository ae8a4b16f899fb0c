import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { alsoSearched } from "@/lib/reader/also-searched";
import { fold } from "@/lib/search/words";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const DAY_MS = 24 * 60 * 60 * 1000;

const also = (workspace: TestWorkspace, text: string, viewer: Viewer = "anyone", searchLogEnabled = true) =>
  readAs(workspace, viewer, (snapshot) => alsoSearched(snapshot, { id: workspace.id, searchLogEnabled }, text));

/** Searches on so many days, yesterday the last, unless that was longer ago. */
async function searched(workspace: TestWorkspace, term: string, { days = 5, since = 1, found = 1, each = 1 } = {}) {
  const at = (day: number) => new Date(Date.now() - (since + day) * DAY_MS);
  const dates = Array.from({ length: days * each }, (_, index) => at(Math.floor(index / each)));
  await inWorkspace(workspace.id, (db) =>
    db.search.createMany({
      data: dates.map((createdAt) => ({ term, termFolded: fold(term), resultsCount: found, createdAt })),
    }),
  );
}

async function aLibrary() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  await anArticle(workspace, {
    category,
    title: "Reset a password",
    html: "<p>Change or reset the password of an account by email at example.com, as jane does.</p>",
  });
  return { workspace, category };
}

test("other searches of five days that share a word are told, the nearest first and then the most frequent", async () => {
  const { workspace } = await aLibrary();
  await searched(workspace, "Reset account", { days: 6 });
  await searched(workspace, "change password", { days: 7 });
  await searched(workspace, "Password reset email", { days: 5 });
  await searched(workspace, "reset password", { days: 9 });
  await searched(workspace, "change account", { days: 9 });
  expect(await also(workspace, "password reset")).toEqual(["Password reset email", "change password", "Reset account"]);
  expect(await also(workspace, "of the account")).toEqual(["change account", "Reset account"]);
  expect(await also(workspace, "?")).toEqual([]);
});

test("a workspace that keeps no searches tells none of those it has", async () => {
  const { workspace } = await aLibrary();
  await searched(workspace, "change password");
  expect(await also(workspace, "password")).toEqual(["change password"]);
  expect(await also(workspace, "password", "anyone", false)).toEqual([]);
});

test("no more than five are told, and the same words in another order only once", async () => {
  const { workspace } = await aLibrary();
  const others = ["change", "account", "email", "reset", "jane", "example"];
  for (const other of others) await searched(workspace, `password ${other}`);
  await searched(workspace, "change password", { days: 6 });
  const told = await also(workspace, "password");
  expect([told.length, told[0], told.includes("password change")]).toEqual([5, "change password", false]);
});

test("a search of fewer days, long ago, without results or of another workspace is not told", async () => {
  const [{ workspace }, { workspace: other }] = [await aLibrary(), await aLibrary()];
  await searched(workspace, "reset account", { days: 4, each: 20 });
  await searched(workspace, "reset email", { since: 91 });
  await searched(workspace, "reset password", { found: 0 });
  await searched(other, "reset jane");
  await searched(workspace, "change", { days: 5 });
  await searched(workspace, "reset change", { days: 5 });
  expect(await also(workspace, "reset")).toEqual(["reset change"]);
});

test("words that no published article has together, and email addresses, are told to nobody", async () => {
  const { workspace, category } = await aLibrary();
  await anArticle(workspace, { category, title: "Merger with Contoso", state: "draft" });
  await anArticle(workspace, { category, title: "Invoices of 2026" });
  for (const term of [
    "jane@example.com password",
    "password 4917012345",
    "password contoso",
    "password invoices",
    "password chang",
  ])
    await searched(workspace, term);
  await searched(workspace, "password of jane");
  expect(await also(workspace, "password")).toEqual(["password of jane"]);
});

test("what only hidden articles say is told to members alone", async () => {
  const { workspace } = await aLibrary();
  const closed = await aCategory(workspace);
  await anArticle(workspace, { category: closed, title: "Password of the vault" });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  await searched(workspace, "vault password");
  await searched(workspace, "change password");
  expect(await also(workspace, "password")).toEqual(["change password"]);
  expect((await also(workspace, "password", "member")).toSorted()).toEqual(["change password", "vault password"]);
});

test("searches in scripts without blanks share pairs of characters", async () => {
  const { workspace, category } = await aLibrary();
  await anArticle(workspace, { category, title: "請求書の作成", html: "<p>請求書を送信する</p>" });
  await searched(workspace, "請求書 送信");
  expect(await also(workspace, "請求書の作成")).toEqual(["請求書 送信"]);
});
