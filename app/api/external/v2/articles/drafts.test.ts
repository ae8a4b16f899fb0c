import { expect, test } from "vitest";
import { aWriter, saveAsMember } from "@/testing/articles";
import { anArticle } from "@/testing/workspace";

test("a draft is read, and discarded with a version of it", async () => {
  const { workspace, category, update, draft, send, get } = await aWriter();
  const { id } = await anArticle(workspace, { category, title: "Refunds", html: "<p>Live.</p>" });
  expect(await draft(id)).toMatchObject({
    has_draft: false,
    draft: { html_content: "<p>Live.</p>", changed_by: null },
  });
  await update(id, { html_content: "<p>Next.</p>" });
  expect(await draft(id)).toMatchObject({ has_draft: true, draft: { html_content: "<p>Next.</p>" } });
  const discard = (body?: object) => send("DELETE", "/articles/{article_id}/draft", [id], body);
  expect((await discard()).body).toMatchObject({ changed: true, has_draft: false });
  expect((await discard()).body).toMatchObject({ changed: false });
  await saveAsMember(workspace, id, { html: "<p>Ada.</p>" });
  expect((await discard()).status).toBe(409);
  expect((await discard({ on_conflict: "keep_version" })).body).toMatchObject({ changed: true });
  const { versions } = (await send("GET", "/articles/{article_id}/versions", [id])).body;
  expect(versions.map(({ created_by }: { created_by: string }) => created_by)).toEqual([
    "Ada Admin",
    "API key “Website sync”",
    null,
  ]);
  expect((await get(id)).body.article.html_content).toBe("<p>Live.</p>");
});

test("the draft of an article that was never published is not discarded", async () => {
  const { create, send } = await aWriter();
  const { id } = (await create({ title: "Refunds", html_content: "<p>One.</p>" })).body.article;
  expect((await send("DELETE", "/articles/{article_id}/draft", [id])).status).toBe(422);
});

test("versions are listed in pages, read, and restored as the draft", async () => {
  const { create, update, draft, send } = await aWriter();
  const { id } = (await create({ title: "Refunds", html_content: "<p>1</p>", tags: ["One"] })).body.article;
  await update(id, { html_content: "<p>2</p>", publish: true });
  await update(id, { title: "Money back", html_content: "<p>3</p>", tags: ["Three"] });
  const list = await send("GET", "/articles/{article_id}/versions", [id]);
  expect(list.body).toMatchObject({
    versions: [
      { number: 2, kind: "publish", created_via: "api", title: "Refunds" },
      { number: 1, kind: "autosave", created_via: "api", created_by: "API key “Website sync”" },
    ],
    pagination: { total_records: 2 },
  });
  const get = (number: string) => send("GET", "/articles/{article_id}/versions/{number}", [id, number]);
  expect((await get("1")).body.version).toMatchObject({ html_content: "<p>1</p>", tags: ["One"] });
  for (const number of ["0", "3", "one", "99999999999"]) expect((await get(number)).status).toBe(404);
  const restored = await send("POST", "/articles/{article_id}/versions/{number}/restore", [id, 1]);
  expect(restored.body).toMatchObject({ changed: true, has_draft: true, article: { html_content: "<p>2</p>" } });
  expect((await draft(id)).draft).toMatchObject({ title: "Refunds", html_content: "<p>1</p>", tags: ["One"] });
  const versions = (await send("GET", "/articles/{article_id}/versions", [id])).body.versions;
  expect(versions[0]).toMatchObject({ title: "Money back" });
});
