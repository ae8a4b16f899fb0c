import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listArticles } from "@/lib/articles/articles";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { saveDraft } from "@/lib/articles/save-draft";
import { updateSnippets } from "@/lib/articles/snippet-updates";
import { undoBulkAction } from "@/lib/articles/undo";
import { findVersion, listVersions } from "@/lib/articles/versions";
import { derivedFrom } from "@/lib/articles/written-body";
import { inWorkspace, lockWorkspace, readWorkspace } from "@/lib/db";
import type { InvalidError } from "@/lib/errors";
import { workspaceLimits } from "@/lib/limits";
import { permissions } from "@/lib/members/roles";
import { findPreview, renderedPreview } from "@/lib/reader/previews";
import { publishedArticle } from "@/lib/reader/published-articles";
import { articleMarkdown } from "@/lib/reader/reader-markdown";
import { searchArticles } from "@/lib/search/search";
import {
  addSnippet,
  changeSnippet,
  checkSnippets,
  cleanedSnippet,
  deleteSnippet,
  findSnippet,
  holdSnippets,
  listSnippets,
  revisionOf,
  type Snippet,
} from "@/lib/snippets/snippets";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

const home = "https://docs.example.com";
const contentOf = ({ id }: TestWorkspace, markdown: string) => cleanedSnippet(id, markdown, home);

async function add(workspace: TestWorkspace, name: string, markdown: string) {
  const content = await contentOf(workspace, markdown);
  return inWorkspace(workspace.id, (db) => addSnippet(db, { name, content }, workspace.actor));
}

async function change(workspace: TestWorkspace, id: string, markdown: string) {
  const content = await contentOf(workspace, markdown);
  return inWorkspace(workspace.id, (db) => changeSnippet(db, id, content, workspace.actor));
}

const remove = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => deleteSnippet(db, id, workspace.actor));
const list = ({ id }: TestWorkspace) => readWorkspace(id, (read) => listSnippets(read, { limit: 50, offset: 0 }));
const work = ({ id }: TestWorkspace) => updateSnippets(id, new AbortController().signal);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "It was not refused.",
    (error: InvalidError) => error.fields.map(({ field, code }) => `${field} ${code}`),
  );

async function opened({ id }: TestWorkspace, articleId: string, side: "draft" | "live" = "draft") {
  const article = await readWorkspace(id, (read) => openDraft(read, articleId, side));
  if (!article) throw new Error("No such article.");
  return article;
}

async function write(workspace: TestWorkspace, id: string, html: string) {
  const now = await opened(workspace, id);
  const draft = await preparedDraft(workspace.id, { ...now.text, html });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
}

/** Saves a text as the draft and publishes it. */
async function publish(workspace: TestWorkspace, id: string, html: string, batch?: string) {
  await write(workspace, id, html);
  await publishArticles(workspace.id, [id], workspace.actor, { undo: batch });
}

async function published(html: string, given: { workspace?: TestWorkspace } = {}) {
  const workspace = given.workspace ?? (await aWorkspace());
  const category = await aCategory(workspace);
  const { id, slug } = await anArticle(workspace, { category, state: "draft", html: "<p>Draft</p>", source: null });
  await publish(workspace, id, html);
  return { workspace, id, slug };
}

/** What visitors see: the page's HTML without its tags. */
async function seen(workspace: TestWorkspace, slug: string) {
  const article = await readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
  return article?.renderedHtml.replace(/<[^>]*>/g, "") ?? null;
}

const found = async ({ id }: TestWorkspace, word: string) =>
  (await readWorkspace(id, (read) => searchArticles(read, id, word, { limit: 5, offset: 0 }))).total;

const contentVersion = async ({ id }: TestWorkspace) => {
  const [row] = await readWorkspace(id, (read) => read<{ version: bigint }>("SELECT version FROM content_versions"));
  return Number(row?.version);
};

test("readers, search, Markdown and lists have the content of a snippet, and drafts and versions keep its token", async () => {
  const workspace = await aWorkspace();
  await add(workspace, "mail", "[write](mailto:help@example.com) zebraword");
  await add(workspace, "steps", "## Steps\n\nGo.");
  const html = "<p>Please {{mail}} or {{unknown}}.</p>\n<p>{{steps}}</p>";
  const { id, slug } = await published(html, { workspace });
  expect(await seen(workspace, slug)).toBe("Please write zebraword or {{unknown}}.\nSteps\nGo.");
  const article = await readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
  expect(article?.headings).toEqual([{ id: "steps", level: 2, text: "Steps" }]);
  expect(await found(workspace, "zebraword")).toBe(1);
  const markdown = await readAs(workspace, "anyone", (sight) => articleMarkdown(sight, slug, home));
  expect(await markdown?.()).toContain("Please [write](mailto:help@example.com) zebraword or {{unknown}}.\n\n## Steps");
  const listed = await readWorkspace(workspace.id, (read) =>
    listArticles(read, { workspaceId: workspace.id, withText: true, limit: 9, offset: 0 }),
  );
  expect(listed.articles[0]?.html).toContain("zebraword");
  for (const side of ["draft", "live"] as const) expect((await opened(workspace, id, side)).text.html).toBe(html);
  const { versions } = await readWorkspace(workspace.id, (read) => listVersions(read, id, { limit: 1, offset: 0 }));
  const version = await readWorkspace(workspace.id, (read) => findVersion(read, id, versions[0]?.number ?? 0));
  expect(version?.text.html).toBe(html);
  await unpublishArticles(workspace.id, [id], workspace.actor);
  const [draft] = await readWorkspace(workspace.id, (read) =>
    read("SELECT html, text, headings FROM article_drafts WHERE id = $1::uuid", [id]),
  );
  expect(draft).toEqual({ html, text: "Please {{mail}} or {{unknown}}.\n{{steps}}", headings: [] });
});

test("a preview has the current content of a snippet", async () => {
  const { workspace, id } = await published("<p>Before</p>");
  const { snippet } = await add(workspace, "plan", "Plan A");
  const now = await opened(workspace, id);
  const draft = await preparedDraft(workspace.id, { ...now.text, html: "<p>{{plan}}</p>" });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
  const preview = async () => {
    const found = await readAs(workspace, "member", (sight) => findPreview(sight, id));
    return found && (await renderedPreview(workspace.id, found, "token")).renderedHtml;
  };
  expect(await preview()).toBe("<p>Plan A</p>");
  await change(workspace, snippet.id, "Plan B");
  expect(await preview()).toBe("<p>Plan B</p>");
});

test("creating, changing and deleting a snippet updates the published articles that name it, and no others", async () => {
  const { workspace, id, slug } = await published("<p>Ask {{mail}}.</p>");
  const other = await published("<p>Ask mail.</p>", { workspace });
  await publish(workspace, other.id, "<p>Other</p>");
  const changesOf = () =>
    readWorkspace(workspace.id, (read) => read("SELECT id::text, revision, updated_at FROM articles ORDER BY id"));
  const before = await changesOf();

  const { snippet, articles } = await add(workspace, "mail", "giraffeword");
  expect(articles).toBe(1);
  expect(await list(workspace)).toMatchObject({ snippets: [{ name: "mail", articles: 1, waiting: 1 }], waiting: 1 });
  let version = await contentVersion(workspace);
  await work(workspace);
  expect([await seen(workspace, slug), await found(workspace, "giraffeword")]).toEqual(["Ask giraffeword.", 1]);
  expect(await contentVersion(workspace)).toBeGreaterThan(version);
  expect(await list(workspace)).toMatchObject({ snippets: [{ name: "mail", articles: 1, waiting: 0 }], waiting: 0 });

  expect(await change(workspace, snippet.id, "ibexword")).toMatchObject({ articles: 1 });
  await work(workspace);
  const words = async () => [await found(workspace, "giraffeword"), await found(workspace, "ibexword")];
  expect([await seen(workspace, slug), await words()]).toEqual(["Ask ibexword.", [0, 1]]);
  // The same content again changes nothing.
  version = await contentVersion(workspace);
  expect(await change(workspace, snippet.id, "ibexword")).toMatchObject({ articles: 0 });
  await work(workspace);
  expect(await contentVersion(workspace)).toBe(version);

  expect(await remove(workspace, snippet.id)).toMatchObject({ articles: 1 });
  await work(workspace);
  expect([await seen(workspace, slug), await words()]).toEqual(["Ask {{mail}}.", [0, 0]]);
  expect(await changesOf()).toEqual(before);
  const actions = await readWorkspace(workspace.id, (read) =>
    read(
      `SELECT action, subject_name AS name FROM audit_entries WHERE subject_kind = 'snippet' ORDER BY created_at, id`,
    ),
  );
  expect(actions).toEqual(
    ["created", "updated", "deleted"].map((verb) => ({ action: `snippet.${verb}`, name: "mail" })),
  );
  expect(await seen(workspace, other.slug)).toBe("Other");
  expect((await opened(workspace, id)).hasDraft).toBe(false);
});

test("published articles and drafts that use a snippet are counted and listed, each article once", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const [{ snippet }, category] = [await add(workspace, "mail", "us"), await aCategory(workspace)];
  const uses = async () => {
    const snippet = (await list(workspace)).snippets[0];
    return snippet && [snippet.articles, snippet.drafts];
  };
  expect(await uses()).toEqual([0, 0]);
  const [html, without] = ["<p>Ask {{mail}}.</p>", "<p>Ask {{mails}} or mail.</p>"];
  const one = (title: string, state: "draft" | "published", html: string, publishAt: Date | null = null) =>
    anArticle(workspace, { category, title, state, html, publishAt });
  await one("Published", "published", html);
  const both = await one("Both", "published", html);
  await write(workspace, both.id, "<p>Still {{mail}}.</p>");
  const removed = await one("Removed in the draft", "published", html);
  await write(workspace, removed.id, without);
  const added = await one("Added in the draft", "published", without);
  await write(workspace, added.id, html);
  const draft = await one("New", "draft", html);
  await one("Scheduled", "draft", html, new Date(Date.now() + 3_600_000));
  await one("Unrelated", "published", without);
  await published(html, { workspace: other });
  expect(await uses()).toEqual([3, 3]);
  const found = () => readWorkspace(workspace.id, (read) => findSnippet(read, snippet.id));
  const usedBy = async () =>
    (await found())?.usedBy.map(({ title, isDraft }) => `${title}${isDraft ? " (draft)" : ""}`);
  expect(await usedBy()).toEqual([
    ...["Both", "Published", "Removed in the draft"],
    ...["Added in the draft (draft)", "New (draft)", "Scheduled (draft)"],
  ]);
  expect((await found())?.usedBy[4]).toEqual({ id: draft.id, title: "New", isDraft: true });

  await unpublishArticles(workspace.id, [both.id], workspace.actor);
  await publishArticles(workspace.id, [added.id], workspace.actor);
  await inWorkspace(workspace.id, (db) => deleteArticles(db, [draft.id], { kind: "gone" }, home, workspace.actor));
  expect(await uses()).toEqual([3, 2]);
  for (let n = 0; n < 20; n++) await one(`Another ${n}`, "published", html);
  expect(await uses()).toEqual([23, 2]);
  expect(await usedBy()).toHaveLength(20);
});

test("more articles than fit into one step are all updated", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (let n = 0; n < 12; n++) await anArticle(workspace, { category, slug: `n-${n}`, html: "<p>Ask {{mail}}.</p>" });
  const { articles } = await add(workspace, "mail", "us");
  await work(workspace);
  const texts = await Promise.all(Array.from({ length: 12 }, (_, n) => seen(workspace, `n-${n}`)));
  expect([articles, [...new Set(texts)]]).toEqual([12, ["Ask us."]]);
});

test("a text that was derived before a change is updated after it is published", async () => {
  const { workspace, id, slug } = await published("<p>Draft</p>");
  const { snippet } = await add(workspace, "mail", "old");
  const content = await contentOf(workspace, "new");
  await whileOpen(
    workspace.id,
    (db) => changeSnippet(db, snippet.id, content, workspace.actor),
    () => publish(workspace, id, "<p>Ask {{mail}}.</p>"),
  );
  await work(workspace);
  expect(await seen(workspace, slug)).toBe("Ask new.");
});

test("an article that is restored, or published again by undoing, has the snippets of today", async () => {
  const { workspace, id, slug } = await published("<p>Ask {{mail}}.</p>");
  const { snippet } = await add(workspace, "mail", "old");
  await work(workspace);
  const batch = randomUUID();
  await publish(workspace, id, "<p>Nothing</p>", batch);
  await change(workspace, snippet.id, "new");
  await work(workspace);
  await undoBulkAction(workspace.id, batch, workspace.actor, permissions);
  await work(workspace);
  expect(await seen(workspace, slug)).toBe("Ask new.");

  await inWorkspace(workspace.id, (db) => deleteArticles(db, [id], { kind: "gone" }, home, workspace.actor));
  await change(workspace, snippet.id, "newest");
  await work(workspace);
  await inWorkspace(workspace.id, (db) => restoreArticles(db, [id], workspace.actor, permissions));
  await work(workspace);
  expect(await seen(workspace, slug)).toBe("Ask newest.");
});

test("an article that is restored while a snippet changes has the new content", async () => {
  const { workspace, id, slug } = await published("<p>Ask {{mail}}.</p>");
  const { snippet } = await add(workspace, "mail", "old");
  await work(workspace);
  await inWorkspace(workspace.id, (db) => deleteArticles(db, [id], { kind: "gone" }, home, workspace.actor));
  const content = await contentOf(workspace, "new");
  await whileOpen(
    workspace.id,
    (db) => changeSnippet(db, snippet.id, content, workspace.actor),
    async () => {
      await inWorkspace(workspace.id, (db) => restoreArticles(db, [id], workspace.actor, permissions));
      await work(workspace);
    },
  );
  await work(workspace);
  expect(await seen(workspace, slug)).toBe("Ask new.");
});

test("a change that waits for an article being published does not keep it from changing its slug", async () => {
  const workspace = await aWorkspace();
  const { snippet } = await add(workspace, "mail", "old");
  let changing: Promise<unknown> | undefined;
  await inWorkspace(workspace.id, async (db) => {
    // As publishing does.
    await holdSnippets(db);
    changing = change(workspace, snippet.id, "new");
    changing.catch(() => {});
    const waiting = () =>
      db.$queryRaw<object[]>`SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    while ((await waiting()).length === 0);
    await lockWorkspace(db);
  });
  await changing;
  expect((await list(workspace)).snippets).toMatchObject([{ text: "new" }]);
});

test("a text that would be too long with its snippets is refused, and a published one stays as it is", async () => {
  const { workspace, slug } = await published("<p>Ask {{mail}}.</p>");
  const { snippet } = await add(workspace, "mail", "us");
  await work(workspace);
  const many = `<p>${"{{mail}} ".repeat(1_000)}</p>`;
  expect((await derivedFrom(workspace.id, many)).shown?.text).toHaveLength(2_999);
  const long = await published(many, { workspace });
  await change(workspace, snippet.id, "x".repeat(3_000));
  expect(await refusal(derivedFrom(workspace.id, many))).toEqual(["html too_long"]);
  await work(workspace);
  expect((await seen(workspace, long.slug))?.slice(0, 8)).toBe("us us us");
  expect(await seen(workspace, slug)).toHaveLength(3_005);
  expect((await list(workspace)).waiting).toBe(0);
  // One element with a start and no end each.
  await change(workspace, snippet.id, "![](/a.png)![](/b.png)![](/c.png)");
  expect(await refusal(derivedFrom(workspace.id, `<p>${"{{mail}}".repeat(20_000)}</p>`))).toEqual(["html too_long"]);
});

test("the preview of a text that is too long with its snippets has their names", async () => {
  const { workspace, id } = await published("<p>Before</p>");
  await add(workspace, "long", "x".repeat(19_000));
  const now = await opened(workspace, id);
  const draft = await preparedDraft(workspace.id, { ...now.text, html: `<p>${"{{long}} ".repeat(110)}</p>` });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
  const found = await readAs(workspace, "member", (sight) => findPreview(sight, id));
  const preview = found && (await renderedPreview(workspace.id, found, "token"));
  expect(preview?.renderedHtml).toMatch(/^<p>{{long}} {{long}} /);
});

test("a snippet needs a name in the right form and a text, and each name is unique", async () => {
  const workspace = await aWorkspace();
  const refused = (name: string, markdown = "x") => refusal(add(workspace, name, markdown));
  for (const name of ["Mail", "-mail", "my mail", "mäil", "a".repeat(61)])
    expect([name, await refused(name)]).toEqual([name, ["name invalid"]]);
  expect(await refused("", " ")).toEqual(["name required", "content required"]);
  expect(await refused("long", "x".repeat(20_001))).toEqual(["content too_long"]);
  // Two bytes each.
  expect(await refused("long", "ä".repeat(10_001))).toEqual(["content too_long"]);
  await add(workspace, "mail", "x");
  expect(await refused("mail")).toEqual(["name taken"]);
  await add(await aWorkspace(), "mail", "x");
});

test("a workspace has a limited number of snippets, even with concurrent additions", async () => {
  const workspace = await aWorkspace();
  const rows = Array.from({ length: workspaceLimits.snippets - 1 }, (_, n) => ({
    name: `n-${n}`,
    html: "<p>x</p>",
    text: "x",
  }));
  await inWorkspace(workspace.id, (db) => db.snippet.createMany({ data: rows }));
  const tries = await Promise.all(["one", "two"].map((name) => refusal(add(workspace, name, "x"))));
  expect(tries.filter((answer) => answer === "It was not refused.")).toHaveLength(1);
  expect(tries).toContainEqual(["name not_allowed"]);
});

test("an editor learns which snippets don't exist, and which need a paragraph of their own", async () => {
  const workspace = await aWorkspace();
  const check = (...names: string[]) =>
    readWorkspace(workspace.id, async (read) => (await checkSnippets(read, names)).map(({ works }) => works));
  await add(await aWorkspace(), "mail", "x");
  expect(await check("mail")).toEqual([]);
  await add(workspace, "mail", "Ask **us**");
  await add(workspace, "two", "One\n\nTwo");
  await add(workspace, "code", "```\nx\n```");
  await add(workspace, "list", "- One");
  expect(await check("mail", "gone", "two", "code", "list")).toEqual([
    "anywhere",
    "nowhere",
    "alone",
    "alone",
    "alone",
  ]);
});

test("another workspace's snippet is neither read, used, changed nor deleted", async () => {
  const [theirs, { workspace, slug }] = [await aWorkspace(), await published("<p>Ask {{mail}}.</p>")];
  const { snippet } = await add(theirs, "mail", "secret");
  await work(workspace);
  expect(await seen(workspace, slug)).toBe("Ask {{mail}}.");
  expect(await readWorkspace(workspace.id, (read) => findSnippet(read, snippet.id))).toBeNull();
  await expect(change(workspace, snippet.id, "ours")).rejects.toThrow("This snippet was deleted.");
  await expect(remove(workspace, snippet.id)).rejects.toThrow("This snippet was deleted.");
  expect((await list(theirs)).snippets).toMatchObject([{ name: "mail", text: "secret" }]);
});

test("a change that is based on other content than the current one is refused", async () => {
  const workspace = await aWorkspace();
  const { snippet } = await add(workspace, "hours", "9 to 5");
  const content = await contentOf(workspace, "10 to 6");
  const changeFrom = (seen: string) =>
    inWorkspace(workspace.id, (db) => changeSnippet(db, snippet.id, content, workspace.actor, seen));
  await change(workspace, snippet.id, "8 to 4");
  const refused = changeFrom(revisionOf(snippet));
  expect(await refusal(refused)).toEqual(["content invalid"]);
  const [now] = (await list(workspace)).snippets;
  await expect(refused).rejects.toHaveProperty("revision", revisionOf(now as Snippet));
  expect(now?.text).toBe("8 to 4");
  await changeFrom(revisionOf(now as Snippet));
  expect((await list(workspace)).snippets[0]?.text).toBe("10 to 6");
});
