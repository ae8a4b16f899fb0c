import { expect, test } from "vitest";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { deleteTag, findTagCalled, listTagNames, listTags, mergeTag, renameTag } from "@/lib/articles/tags";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { publishedArticle } from "@/lib/reader/published-articles";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

async function tagged() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  await anArticle(workspace, { category, title: "One", tags: ["Money", "Cash"] });
  await anArticle(workspace, { category, title: "Two", tags: ["Cash"], state: "published" });
  await anArticle(workspace, { category, title: "Three", tags: ["Größe"], state: "draft" });
  const tags = await named(workspace);
  return { workspace, id: (name: string) => tags.find((tag) => tag.name === name)?.id ?? "" };
}

const named = async ({ id }: TestWorkspace, search = "") =>
  (await readWorkspace(id, (read) => listTags(read, { search, limit: 9, offset: 0 }))).tags;
const counts = async (workspace: TestWorkspace, search = "") =>
  (await named(workspace, search)).map(({ name, articles }) => `${name} ${articles}`);
const seen = async (workspace: TestWorkspace, slug: string) =>
  (await readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug)))?.tags.map(({ name }) => name);

test("tags are listed by name with their articles, and found in any case", async () => {
  const { workspace } = await tagged();
  expect(await counts(workspace)).toEqual(["Cash 2", "Größe 1", "Money 1"]);
  expect(await counts(workspace, "GRÖSS")).toEqual(["Größe 1"]);
  expect(await counts(workspace, "nothing")).toEqual([]);
});

test("a tag is found by its whole name, in any case", async () => {
  const { workspace, id } = await tagged();
  const called = (name: string) => readWorkspace(workspace.id, (read) => findTagCalled(read, name));
  expect(await called(" GRÖSSE ")).toEqual({ id: id("Größe"), name: "Größe" });
  expect([await called("Größ"), await called("")]).toEqual([null, null]);
});

test("names alone are listed without a look at the articles, as many as are asked for", async () => {
  const { workspace, id } = await tagged();
  const asked: string[] = [];
  const names = (limit: number) =>
    readWorkspace(workspace.id, (read) =>
      listTagNames((sql, values) => {
        asked.push(sql);
        return read(sql, values);
      }, limit),
    );
  expect(await names(2)).toEqual([
    { id: id("Cash"), name: "Cash" },
    { id: id("Größe"), name: "Größe" },
  ]);
  expect(await names(9)).toHaveLength(3);
  expect(asked.filter((sql) => sql.includes("article_tags"))).toEqual([]);
});

test("a tag gets its new name everywhere immediately, and never another tag's", async () => {
  const { workspace, id } = await tagged();
  const rename = (name: string) => inWorkspace(workspace.id, (db) => renameTag(db, id("Cash"), name, workspace.actor));
  expect(await rename(" Payment ")).toMatchObject({ name: "Payment" });
  expect(await seen(workspace, "two")).toEqual(["Payment"]);
  await expect(rename("money")).rejects.toThrow("The tag “Money” already exists. Merge this tag into it.");
  await expect(rename("")).rejects.toThrow(InvalidError);
  await rename("PAYMENT");
  expect(await counts(workspace)).toEqual(["Größe 1", "Money 1", "PAYMENT 2"]);
});

test("a name that changed is not brought back by who was writing with the former one", async () => {
  const { workspace, id } = await tagged();
  const open = async () => {
    const one = await inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { title: "One" } }));
    const article = await readWorkspace(workspace.id, (read) => openDraft(read, one.id));
    if (!article) throw new Error("No such article.");
    return article;
  };
  const { id: article, revision, text } = await open();
  const rename = (name: string) => inWorkspace(workspace.id, (db) => renameTag(db, id("Cash"), name, workspace.actor));
  await rename("Payment");
  const draft = await preparedDraft(workspace.id, { ...text, html: "<p>Next</p>" });
  const saved = await inWorkspace(workspace.id, (db) => saveDraft(db, article, revision, draft, workspace.actor));
  expect(saved.conflict?.text.tags).toEqual(["Money", "Payment"]);
  expect(await counts(workspace)).toEqual(["Größe 1", "Money 1", "Payment 2"]);
  const now = (await open()).revision;
  await rename("Payment");
  expect((await open()).revision).toBe(now);
});

test("merged, articles have the other tag once", async () => {
  const { workspace, id } = await tagged();
  const merge = (into: string) => inWorkspace(workspace.id, (db) => mergeTag(db, id("Cash"), into, workspace.actor));
  await expect(merge(id("Cash"))).rejects.toThrow(InvalidError);
  await merge(id("Money"));
  expect(await counts(workspace)).toEqual(["Größe 1", "Money 2"]);
  expect([await seen(workspace, "one"), await seen(workspace, "two")]).toEqual([["Money"], ["Money"]]);
  await expect(merge(id("Money"))).rejects.toThrow(NotFoundError);
});

test("a deleted tag is gone from its articles, and another workspace's is not found", async () => {
  const { workspace, id } = await tagged();
  const stranger = await aWorkspace();
  const remove = (of: TestWorkspace) => inWorkspace(of.id, (db) => deleteTag(db, id("Cash"), of.actor));
  await expect(remove(stranger)).rejects.toThrow(NotFoundError);
  expect(await remove(workspace)).toEqual({ id: id("Cash"), name: "Cash", articles: 2 });
  expect([await seen(workspace, "one"), await seen(workspace, "two")]).toEqual([["Money"], []]);
});
