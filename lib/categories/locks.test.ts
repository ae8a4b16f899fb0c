import { expect, test } from "vitest";
import { startBulkAction, tryBulkAction } from "@/lib/articles/bulk";
import { changeArticle } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { renameTag } from "@/lib/articles/tags";
import { openForRemoval, updateArticle } from "@/lib/articles/write-article";
import { updateCategory } from "@/lib/categories/changes";
import { categoryAt } from "@/lib/categories/paths";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { type Db, inWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

/** Two categories with a draft each, in order of their ids. */
async function twoDrafts() {
  const workspace = await aWorkspace();
  const [from, into] = [await aCategory(workspace), await aCategory(workspace)];
  const drafts = { state: "draft" as const, html: "<p>Text</p>", tags: ["Money"] };
  const [first, second] = ["00000000", "ffffffff"].map((start) => crypto.randomUUID().replace(/^.{8}/, start));
  const other = await anArticle(workspace, { id: first!, category: into, title: "Other", ...drafts });
  const { id } = await anArticle(workspace, { id: second!, category: from, title: "Draft", ...drafts });
  const merge = () =>
    inWorkspace(workspace.id, (db) => removeCategory(db, from.id, into.id, workspace.actor, "merged"));
  return { workspace, from, into, id, other: other.id, merge };
}

/**
 * Holds an article's lock while each writer starts, and starts the next one when all before wait or have ended.
 * @returns how each writer ended
 */
async function queued(
  workspace: TestWorkspace,
  articleId: string,
  writers: readonly (() => Promise<unknown>)[],
): Promise<unknown[]> {
  const { works } = await inWorkspace(workspace.id, async (db) => {
    await db.$queryRaw`SELECT FROM articles WHERE id = ${articleId}::uuid FOR UPDATE`;
    const waiting = () => db.$queryRaw<object[]>`
      WITH RECURSIVE waiting AS (
        SELECT pg_backend_pid() AS pid
        UNION SELECT l.pid FROM pg_locks l JOIN waiting w ON w.pid = ANY (pg_blocking_pids(l.pid)) WHERE NOT l.granted
      ) SELECT FROM waiting WHERE pid <> pg_backend_pid()`;
    let ended = 0;
    const works: Promise<unknown>[] = [];
    for (const start of writers) {
      const end = (result: unknown) => {
        ended++;
        return result instanceof Error ? (result.cause ?? result) : "done";
      };
      works.push(start().then(end, end));
      while (ended + (await waiting()).length < works.length);
    }
    return { works };
  });
  return Promise.all(works);
}

const within = (workspace: TestWorkspace, work: (db: Db) => Promise<unknown>) => () => inWorkspace(workspace.id, work);

test("an article is deleted while its category is merged, without a deadlock", async () => {
  const { workspace, id, merge } = await twoDrafts();
  const deletion = within(workspace, async (db) => {
    await openForRemoval(db, id, {});
    await deleteArticles(db, [id], { kind: "gone" }, "", workspace.actor);
  });
  expect(await queued(workspace, id, [deletion, merge])).toEqual(["done", "done"]);
});

test("articles are moved to a category in a bulk action while it is merged, without a deadlock", async () => {
  const { workspace, from, id, other, merge } = await twoDrafts();
  const request = { action: "moved", categoryId: from.id } as const;
  const bulk = await startBulkAction(workspace.id, request, [other, id], workspace.actor, ["articles.write"]);
  expect(await queued(workspace, id, [() => tryBulkAction(workspace.id, bulk), merge])).toEqual(["done", "done"]);
});

test("an article is moved to a subcategory while its former category is restored, without a deadlock", async () => {
  const { workspace, from, id, merge } = await twoDrafts();
  const below = await aCategory(workspace, { parentId: from.id });
  await merge();
  const move = within(workspace, async (db) => {
    const category = await categoryAt(db, { id: below.id }, workspace.actor);
    await updateArticle(db, id, { text: {}, category }, { mayPublish: true }, {}, workspace.actor);
  });
  const restore = within(workspace, (db) => restoreCategory(db, from.id, workspace.actor));
  expect(await queued(workspace, id, [move, restore])).toEqual(["done", "done"]);
});

test("a tag is renamed while categories of its articles are merged, without a deadlock", async () => {
  const { workspace, other, merge } = await twoDrafts();
  const rename = within(workspace, async (db) => {
    const { id } = await db.tag.findFirstOrThrow({ where: { name: "Money" } });
    await renameTag(db, id, "Payments", workspace.actor);
  });
  expect(await queued(workspace, other, [rename, merge])).toEqual(["done", "done"]);
});

test.each(["created", "restored"] as const)(
  "an article is %s in a category that is merged while a slug changes, without a deadlock",
  async (how) => {
    const { workspace, from, id, merge } = await twoDrafts();
    const slug = within(workspace, (db) => changeArticle(db, id, { slug: "renamed" }, workspace.actor));
    const deleted = await anArticle(workspace, { category: from, title: "Deleted" });
    const batch = await inWorkspace(workspace.id, async (db) => {
      const { batch } = await deleteArticles(db, [deleted.id], { kind: "gone" }, "", workspace.actor);
      return batch;
    });
    const create = within(workspace, (db) =>
      createDraft(db, { title: "New", authorId: workspace.admin.id, categoryId: from.id }, workspace.actor),
    );
    const restore = within(workspace, (db) => restoreArticles(db, batch, workspace.actor, ["articles.publish"]));
    const ends = await queued(workspace, id, [slug, merge, how === "created" ? create : restore]);
    expect(ends).toEqual(["done", "done", "done"]);
  },
);

test("a slug changes while the category of the article is merged, without a deadlock", async () => {
  const { workspace, id, merge } = await twoDrafts();
  const slug = within(workspace, (db) => changeArticle(db, id, { slug: "renamed" }, workspace.actor));
  expect(await queued(workspace, id, [slug, merge])).toEqual(["done", "done"]);
});

test("a slug changes while the category of the article gets another name and slug, without a deadlock", async () => {
  const { workspace, from, id } = await twoDrafts();
  const slug = within(workspace, (db) => changeArticle(db, id, { slug: "renamed" }, workspace.actor));
  const changes = { name: "Renamed", slug: `renamed-${from.id}` };
  const rename = within(workspace, (db) => updateCategory(db, from.id, changes, workspace.actor));
  expect(await queued(workspace, id, [slug, rename])).toEqual(["done", "done"]);
});

test("an article that is created while its category is merged goes with the others", async () => {
  const { workspace, from, into, merge } = await twoDrafts();
  const input = { title: "New", authorId: workspace.admin.id, categoryId: from.id };
  await whileOpen(workspace.id, (db) => createDraft(db, input, workspace.actor), merge);
  expect(await inWorkspace(workspace.id, (db) => db.article.count({ where: { categoryId: into.id } }))).toBe(3);
});
