import { expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { updateCategory } from "@/lib/categories/changes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { type Compared, changeAndMirror, changesOf } from "@/testing/mirror";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

test("a copy made from changes alone equals the workspace after many writes, for every kind of key", {
  timeout: 60_000,
}, async () => {
  let last: Compared | undefined;
  await changeAndMirror({ writes: 80, every: 20 }, (compared) => {
    expect(compared.whole.copied).toEqual(compared.whole.listed);
    expect(compared.visible.copied).toEqual(compared.visible.listed);
    last = compared;
  });
  expect(last?.whole.copied.length).toBeGreaterThan(last?.visible.copied.length ?? 0);
});

test("a cursor that ended is refused with 410, and a text that is none with 422", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace) });
  const { body } = await changesOf(workspace);
  expect(body.changes).toHaveLength(1);
  expect((await changesOf(workspace, { after: body.cursor })).body).toMatchObject({ changes: [], has_more: false });
  await acrossWorkspaces.query("UPDATE content_versions SET changes_of = gen_random_uuid() WHERE workspace_id = $1", [
    workspace.id,
  ]);
  expect((await changesOf(workspace, { after: body.cursor })).status).toBe(410);
  expect((await changesOf(workspace, { after: "yesterday" })).body.details).toEqual([
    { field: "after", code: "invalid", message: "after must be a cursor of an earlier response." },
  ]);
});

test("a public key is told about members-only articles only if they were public", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { text } = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "site", scopes: ["public"] }, workspace.actor),
  );
  const show = (visibility: "members" | "everyone") =>
    inWorkspace(workspace.id, (db) => updateCategory(db, category.id, { visibility }, workspace.actor));
  await show("members");
  const { id } = await anArticle(workspace, { category });
  const follow = async () => {
    const { body } = await changesOf(workspace, {}, text);
    return body.changes.map((change: { article_id: string; removed: boolean }) => [change.article_id, change.removed]);
  };
  expect([await follow(), (await changesOf(workspace)).body.changes.length]).toEqual([[], 1]);
  await show("everyone");
  expect(await follow()).toEqual([[id, false]]);
  await show("members");
  expect(await follow()).toEqual([[id, true]]);
});
