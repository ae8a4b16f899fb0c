import { expect, test } from "vitest";
import { deleteArticles } from "@/lib/articles/removal";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { createMember } from "@/lib/members/members";
import { addRedirect, removeRedirect, restoreRedirect } from "@/lib/redirects/redirects";
import { addSynonym, removeSynonym } from "@/lib/synonyms/synonyms";
import { deletePermanently, listTrash, purgeTrash, type TrashKind, trashKinds } from "@/lib/trash/trash";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const home = "http://docs.localhost";
const list = (workspace: TestWorkspace, kinds: readonly TrashKind[] = trashKinds, search?: string, limit = 10) =>
  readWorkspace(workspace.id, (read) => listTrash(read, { kinds, search, limit, offset: 0 }));

/** A workspace with one deleted thing of each kind. */
async function someTrash() {
  const workspace = await aWorkspace();
  const { actor } = workspace;
  const category = await aCategory(workspace, { name: "Guides" });
  const empty = await aCategory(workspace, { name: "Empty guides" });
  const article = await anArticle(workspace, { category, title: "Refund guide" });
  const ids = await inWorkspace(workspace.id, async (db) => {
    const redirect = await addRedirect(db, { from: "/guide", to: { kind: "gone" } }, home, actor);
    const synonym = await addSynonym(db, { term: "Guide", replacements: ["manual"] }, actor);
    return { article: article.id, category: empty.id, redirect: redirect.id, synonym: synonym.id };
  });
  await inWorkspace(workspace.id, (db) => deleteArticles(db, [ids.article], { kind: "gone" }, home, actor));
  await inWorkspace(workspace.id, (db) => removeCategory(db, ids.category, null, actor));
  await inWorkspace(workspace.id, (db) => removeRedirect(db, ids.redirect, actor));
  await inWorkspace(workspace.id, (db) => removeSynonym(db, ids.synonym, actor));
  return { workspace, ids, category };
}

test("the trash lists every kind of deletion for 30 days, with who deleted it, the latest first", async () => {
  const { workspace, ids } = await someTrash();
  const { entries, total } = await list(workspace);
  expect(total).toBe(4);
  expect(
    entries.map(({ deletedAt, until, ...entry }) => ({ ...entry, days: (+until - +deletedAt) / 86_400_000 })),
  ).toEqual(
    [
      { id: ids.synonym, kind: "synonym", title: "Guide", wasPublished: false },
      { id: ids.redirect, kind: "redirect", title: "/guide", wasPublished: false },
      { id: ids.category, kind: "category", title: "Empty guides", wasPublished: false },
      { id: ids.article, kind: "article", title: "Refund guide", wasPublished: true },
    ].map((entry) => ({ ...entry, deletedBy: "Ada Admin", days: 30 })),
  );
  const titles = async (...[kinds, search, limit]: [readonly TrashKind[], string?, number?]) => {
    const found = await list(workspace, kinds, search, limit);
    return [...found.entries.map(({ title }) => title), found.total];
  };
  expect(await titles(["redirect", "synonym"])).toEqual(["Guide", "/guide", 2]);
  expect(await titles(trashKinds, " REFUND ")).toEqual(["Refund guide", 1]);
  expect(await titles(trashKinds, "guide", 1)).toEqual(["Guide", 4]);
  expect(await titles([])).toEqual([0]);
  expect(await list(await aWorkspace())).toEqual({ entries: [], total: 0 });
});

test("an entry keeps the name of who deleted it: as it is now for a member, as it was for a program", async () => {
  const { workspace, category } = await someTrash();
  await inWorkspace(workspace.id, async (db) => {
    const member = { email: "g@example.com", firstName: "Grace", lastName: "Hopper", role: "Admin" };
    const { id } = await createMember(db, member, workspace.actor);
    const actors = [
      { kind: "member", id, name: member.email },
      { kind: "command_line", id: null, name: "Command line" },
    ] as const;
    for (const actor of actors) {
      const { id: added } = await addSynonym(db, { term: actor.kind, replacements: ["x"] }, actor);
      await removeSynonym(db, added, actor);
    }
    await db.member.updateMany({ where: { id }, data: { lastName: "Murray" } });
  });
  const { entries } = await list(workspace, ["synonym"]);
  expect(Object.fromEntries(entries.map(({ title, deletedBy }) => [title, deletedBy]))).toEqual({
    ...{ Guide: "Ada Admin", member: "Grace Murray", command_line: "Command line" },
  });
  expect(category.name).toBe("Guides");
});

test("what was restored is no longer listed, and cannot be restored again", async () => {
  const { workspace, ids } = await someTrash();
  const restore = () => inWorkspace(workspace.id, (db) => restoreRedirect(db, ids.redirect, home, workspace.actor));
  expect(await restore()).toMatchObject({ id: ids.redirect, fromPath: "/guide" });
  expect((await list(workspace, ["redirect"])).total).toBe(0);
  await expect(restore()).rejects.toThrow(NotFoundError);
});

test("a permanent deletion takes one entry out of the trash, and nobody restores it", async () => {
  const { workspace, ids } = await someTrash();
  const purge = (kind: TrashKind, id: string, by = workspace) =>
    inWorkspace(by.id, (db) => deletePermanently(db, kind, id, by.actor));
  await expect(purge("article", ids.category)).rejects.toThrow(NotFoundError);
  await expect(purge("category", ids.category, await aWorkspace())).rejects.toThrow(NotFoundError);
  expect(await purge("category", ids.category)).toEqual({ title: "Empty guides" });
  await expect(purge("category", ids.category)).rejects.toThrow(NotFoundError);
  const restore = inWorkspace(workspace.id, (db) => restoreCategory(db, ids.category, workspace.actor));
  await expect(restore).rejects.toThrow(NotFoundError);
  expect((await list(workspace)).total).toBe(3);
  await purgeTrash(workspace.id);
  const left = await acrossWorkspaces.query("SELECT kind FROM trash WHERE workspace_id = $1 ORDER BY kind", [
    workspace.id,
  ]);
  expect(left).toEqual([{ kind: "article" }, { kind: "redirect" }, { kind: "synonym" }]);
});

test("columns that were added after a deletion get their defaults", async () => {
  const { workspace, ids } = await someTrash();
  const without = "UPDATE trash SET rows = rows #- '{categories,0,visibility}' WHERE id = $1::uuid RETURNING id";
  expect(await acrossWorkspaces.query(without, [ids.category])).toHaveLength(1);
  await inWorkspace(workspace.id, (db) => restoreCategory(db, ids.category, workspace.actor));
  const restored = await acrossWorkspaces.query("SELECT visibility FROM categories WHERE id = $1::uuid", [
    ids.category,
  ]);
  expect(restored).toEqual([{ visibility: "inherit" }]);
});
