import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { emptyDraft } from "@/lib/articles/article-text";
import { lackOf, preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles } from "@/lib/articles/publish";
import { saveDraft } from "@/lib/articles/save-draft";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { renderedPreview } from "@/lib/reader/previews";
import { searchArticles } from "@/lib/search/search";
import { startedDocument } from "@/lib/threads/pool";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

// What one member writes holds up nobody else: this thread is free while a text is worked on.

/** How busy this thread is during some work: 1 is always. */
async function busyDuring(work: Promise<unknown>): Promise<number> {
  const before = performance.eventLoopUtilization();
  await work;
  return performance.eventLoopUtilization(before).utilization;
}

const many = Array.from({ length: 15_000 }, (_, n) => `<p>Line ${n % 7}</p>`).join("");

test.each<[string, () => Promise<unknown>]>([
  ["saved", () => preparedDraft(randomUUID(), { ...emptyDraft, title: "Long", html: many })],
  ["checked before publishing", () => lackOf(randomUUID(), { title: "Long", html: many })],
  [
    "shown in a preview",
    () =>
      renderedPreview(
        randomUUID(),
        { html: many, attachments: [] } as unknown as Parameters<typeof renderedPreview>[1],
        "token",
      ),
  ],
])(
  "15,000 paragraphs are %s while this thread stays free",
  async (_, work) => {
    expect(await busyDuring(work())).toBeLessThan(0.5);
  },
  60_000,
);

test("40,000 different words are published and found while this thread stays free", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category });
  const words = Array.from({ length: 40_000 }, (_, n) => `слово${n.toString(36)}`);
  const draft = await preparedDraft(workspace.id, { ...emptyDraft, title: "Words", html: `<p>${words.join(" ")}</p>` });
  const started = await startedDocument(workspace.id, draft);
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, 1, draft, workspace.actor, false, started));
  expect(await busyDuring(publishArticles(workspace.id, [id], workspace.actor))).toBeLessThan(0.3);
  const { total } = await readWorkspace(workspace.id, (read) =>
    searchArticles(read, workspace.id, words[2_000] as string, { limit: 5, offset: 0 }),
  );
  expect(total).toBe(1);
}, 60_000);

test("a line of code that takes hours to highlight is published plain, and this thread stays free", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category });
  const html = `<p>Before</p><pre><code class="language-csharp">${"&lt;a ".repeat(330)}</code></pre>`;
  const draft = await preparedDraft(workspace.id, { ...emptyDraft, title: "Code", html });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, 1, draft, workspace.actor));
  const publishing = publishArticles(workspace.id, [id], workspace.actor);
  expect(await busyDuring(publishing)).toBeLessThan(0.5);
  const [live] = await readWorkspace(workspace.id, (read) =>
    read<{ html: string }>("SELECT rendered_html AS html FROM article_live WHERE id = $1::uuid", [id]),
  );
  expect(live?.html).toContain('<code class="language-csharp">&lt;a &lt;a ');
}, 60_000);
