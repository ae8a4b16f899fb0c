import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { addSnippet, changeSnippet, cleanedSnippet } from "@/lib/snippets/snippets";
import { aWriter } from "@/testing/articles";

test("a published article has the content of snippets, and its draft their tokens", async () => {
  const { workspace, create, update, put, get, draft, send } = await aWriter();
  const contentOf = (markdown: string) => cleanedSnippet(workspace.id, markdown, "");
  const content = await contentOf("[write](mailto:help@example.com)");
  const { snippet } = await inWorkspace(workspace.id, (db) =>
    addSnippet(db, { name: "mail", content }, workspace.actor),
  );
  const made = await create({ title: "Contact", markdown_content: "Please \\{\\{mail}}.", state: "published" });
  expect([made.status, made.body.error ?? null]).toEqual([201, null]);
  const { id } = made.body.article;
  const shown = '<p>Please <a href="mailto:help@example.com">write</a>.</p>';
  const html = async () => (await get(id)).body.article.html_content;
  expect(await html()).toBe(shown);
  expect((await get(id)).body.article.content).toBe("Please write.");

  // The title alone changes, so the draft gets the text as it is written.
  expect((await update(id, { title: "Contact us" })).status).toBe(200);
  expect((await draft(id)).draft.html_content).toBe("<p>Please {{mail}}.</p>");
  const drafts = await inWorkspace(workspace.id, (db) => db.articleDraft.findMany({ select: { text: true } }));
  expect(drafts).toEqual([{ text: "Please {{mail}}." }]);
  expect((await send("POST", "/articles/{article_id}/publish", [id])).status).toBe(200);
  expect(await html()).toBe(shown);
  expect((await update(id, { html_content: "<p>Do {{mail}}.</p>", publish: true })).status).toBe(200);
  expect((await get(id)).body.article.content).toBe("Do write.");

  expect((await put("crm-1", { title: "One", html_content: "<p>{{mail}}</p>", publish: true })).status).toBe(201);
  const again = await put("crm-1", { title: "One", html_content: "<p>Now {{mail}}</p>", publish: true });
  expect([again.status, again.body.article.content]).toEqual([200, "Now write"]);

  const long = await contentOf("x".repeat(9_000));
  await inWorkspace(workspace.id, (db) => changeSnippet(db, snippet.id, long, workspace.actor));
  const refused = await update(id, { html_content: `<p>${"{{mail}} ".repeat(300)}</p>`, publish: true });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining("html_content")]);
});
