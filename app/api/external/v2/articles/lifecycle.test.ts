import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { aWriter, saveAsMember } from "@/testing/articles";
import { anArticle } from "@/testing/workspace";

const text = { title: "Refunds", html_content: "<p>Ask us.</p>" };

test("publishing makes the draft live, unpublishing makes it a draft again, and both are named in the log", async () => {
  const { workspace, create, send, get } = await aWriter();
  const { id } = (await create(text)).body.article;
  const publish = () => send("POST", "/articles/{article_id}/publish", [id]);
  const unpublish = () => send("POST", "/articles/{article_id}/unpublish", [id]);
  expect((await publish()).body).toMatchObject({ changed: true, has_draft: false, article: { state: "published" } });
  expect((await publish()).body).toMatchObject({ changed: false });
  expect((await unpublish()).body).toMatchObject({ changed: true, has_draft: true, article: { state: "draft" } });
  expect((await unpublish()).body).toMatchObject({ changed: false });
  expect((await get(id)).body.article.html_content).toBe(text.html_content);
  const entries = await inWorkspace(workspace.id, (db) => db.auditEntry.findMany({ where: { subjectId: id } }));
  expect(entries.map(({ action, actorName }) => `${actorName} ${action}`).sort()).toEqual([
    "Website sync article.created",
    "Website sync article.published",
    "Website sync article.unpublished",
  ]);
});

test("a member's draft is published only with its revision", async () => {
  const { workspace, create, send, draft } = await aWriter();
  const { id } = (await create(text)).body.article;
  await saveAsMember(workspace, id, { html: "<p>Half a sen</p>" });
  expect((await send("POST", "/articles/{article_id}/publish", [id])).status).toBe(409);
  const { revision } = await draft(id);
  const published = await send("POST", "/articles/{article_id}/publish", [id], { revision });
  expect(published.body.article.html_content).toBe("<p>Half a sen</p>");
});

test("an article without a text is not published", async () => {
  const { create, send } = await aWriter();
  const { id } = (await create({ title: "Empty", html_content: "" })).body.article;
  const { status, body } = await send("POST", "/articles/{article_id}/publish", [id]);
  expect([status, body.details]).toMatchObject([422, [{ field: "html_content", code: "required" }]]);
});

test("a deleted article redirects where it was told to, and is restored as it was", async () => {
  const { workspace, category, send, get, draft } = await aWriter();
  const target = await anArticle(workspace, { category, title: "Money back" });
  const { id } = await anArticle(workspace, { category, title: "Refunds", html: "<p>Live.</p>" });
  await saveAsMember(workspace, id, { html: "<p>Ada's draft.</p>" });
  const remove = (body?: object) => send("DELETE", "/articles/{article_id}", [id], body);
  const nowhere = await remove({ redirect_to: { path: "/articles/nowhere" } });
  expect([nowhere.status, nowhere.body.details[0].field]).toEqual([422, "redirect_to"]);
  expect((await remove({ revision: 7 })).status).toBe(412);
  expect((await remove({ redirect_to: { article_id: target.id } })).body).toEqual({
    deleted: { id, title: "Refunds", slug: "refunds" },
  });
  expect((await get("refunds")).body.article.id).toBe(target.id);
  expect((await get(id)).status).toBe(404);
  const restored = await send("POST", "/articles/{article_id}/restore", [id]);
  expect(restored.body).toMatchObject({ article: { id, slug: "refunds", state: "published" }, has_draft: true });
  expect((await draft(id)).draft).toMatchObject({ html_content: "<p>Ada's draft.</p>", changed_by: "Ada Admin" });
  expect((await send("POST", "/articles/{article_id}/restore", [id])).status).toBe(404);
});

test("a published article is restored by a key that may publish, and an external id that is taken stays where it is", async () => {
  const { workspace, category, put, send } = await aWriter(["content.draft", "content.delete"]);
  const live = await anArticle(workspace, { category, title: "Live" });
  const { id } = (await put("one", text)).body.article;
  for (const one of [live.id, id]) await send("DELETE", "/articles/{article_id}", [one]);
  const refused = await send("POST", "/articles/{article_id}/restore", [live.id]);
  expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("content.publish")]);
  const other = await put("one", text);
  const restored = await send("POST", "/articles/{article_id}/restore", [id]);
  expect([other.body.external_id, restored.body.external_id]).toEqual(["one", null]);
});

test("a member's draft is scheduled only with its revision, and a schedule on hold stays so", async () => {
  const { workspace, create, update, draft } = await aWriter();
  const { id } = (await create({ ...text, state: "published" })).body.article;
  await saveAsMember(workspace, id, { html: "<p>Half a sen</p>" });
  const at = (minutes: number) => ({ publish_at: new Date(Date.now() + minutes * 60_000).toISOString() });
  expect((await update(id, at(5))).body).toMatchObject({ code: "draft_changed_by_member" });
  expect((await draft(id)).publish_at).toBe(null);
  const { revision } = await draft(id);
  expect((await update(id, { ...at(5), revision })).status).toBe(200);
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id }, data: { publishHeld: true } }));
  expect((await update(id, at(6))).status).toBe(409);
  expect((await draft(id)).on_hold).toBe(true);
  expect((await update(id, { publish_at: null })).status).toBe(200);
});
