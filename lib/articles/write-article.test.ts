import { expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Scope } from "@/lib/api-keys/scopes";
import type { DraftText } from "@/lib/articles/article-text";
import { DraftConflict, type Expected } from "@/lib/articles/conflicts";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { schedulePublishing } from "@/lib/articles/schedule";
import { findVersion, listVersions } from "@/lib/articles/versions";
import {
  type ArticleInput,
  createArticle,
  NeedsPublishing,
  updateArticle,
  upsertArticle,
  type Wishes,
} from "@/lib/articles/write-article";
import { writtenBody } from "@/lib/articles/written-body";
import type { Actor } from "@/lib/audit/audit";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { outdatedDocuments } from "@/lib/search/reindex";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const home = "http://docs.example.com";

async function program(scopes: Scope[] = ["content.draft", "content.publish"]) {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides" });
  const { id } = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Website sync", scopes, createdBy: workspace.admin.id }, workspace.actor),
  );
  const actor: Actor = { kind: "api_key", id, name: "Website sync" };
  const mayPublish = scopes.includes("content.publish");
  const inputOf = async (html: string | undefined, rest: Partial<ArticleInput>, live: boolean) => ({
    text: {},
    ...rest,
    ...(html !== undefined && { body: await writtenBody(workspace.id, { html }, { home, live }) }),
  });
  type More = Partial<ArticleInput> & { publish?: boolean; expected?: Expected };
  const split = ({ publish = false, expected = {}, ...input }: More) => {
    const wishes: Wishes = { publish, mayPublish };
    return { wishes, expected, input };
  };
  const inCategory = { category };
  return {
    workspace,
    category,
    actor,
    create: async (title: string, html: string, more: More = {}) => {
      const { wishes, input } = split(more);
      const given = await inputOf(html, { ...inCategory, ...input, text: { title, ...input.text } }, !!wishes.publish);
      return inWorkspace(workspace.id, (db) => createArticle(db, { ...inCategory, ...given }, wishes, actor));
    },
    update: async (id: string, html: string | undefined, more: More = {}) => {
      const { wishes, expected, input } = split(more);
      const given = await inputOf(html, input, !!wishes.publish);
      return inWorkspace(workspace.id, (db) => updateArticle(db, id, given, wishes, expected, actor));
    },
    upsert: async (externalId: string, title: string, html: string, more: More = {}) => {
      const { wishes, expected, input } = split(more);
      const given = await inputOf(html, { ...input, text: { title, ...input.text } }, !!wishes.publish);
      return inWorkspace(workspace.id, (db) =>
        upsertArticle(db, externalId, { ...inCategory, ...given }, wishes, expected, actor),
      );
    },
    open: async (id: string) => (await readWorkspace(workspace.id, (read) => openDraft(read, id)))!,
    versions: (id: string) =>
      readWorkspace(workspace.id, async (read) => {
        const { versions } = await listVersions(read, id, { limit: 100, offset: 0 });
        return Promise.all(versions.map(async ({ number }) => (await findVersion(read, id, number))!));
      }),
  };
}

async function saveAsMember(workspace: TestWorkspace, id: string, text: Partial<DraftText>) {
  const now = (await readWorkspace(workspace.id, (read) => openDraft(read, id)))!;
  const draft = await preparedDraft(workspace.id, { ...now.text, ...text });
  return inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
}

const reasonOf = (error: unknown) => (error instanceof DraftConflict ? error.reason : error);

test("a program creates a draft in its own name, and the article has everything that it sent", async () => {
  const { workspace, category, create, open } = await program();
  const { id } = await create("Refunds", "<p>Ask us.</p><script>1</script>", {
    text: { tags: ["Money"], keywords: ["cash"] },
    externalId: "refunds.md",
  });
  const draft = await open(id);
  expect(draft).toMatchObject({
    slug: "refunds",
    state: "draft",
    category: { id: category.id },
    author: { id: workspace.admin.id },
    savedBy: { kind: "api_key", name: "API key “Website sync”" },
    externalId: "refunds.md",
    text: { title: "Refunds", html: "<p>Ask us.</p>", tags: ["Money"], keywords: ["cash"] },
  });
  const entries = await inWorkspace(workspace.id, (db) => db.auditEntry.findMany({ where: { subjectId: id } }));
  expect(entries).toMatchObject([{ action: "article.created", actorKind: "api_key", actorName: "Website sync" }]);
});

test("a published article is live with a version, and an equal text changes nothing", async () => {
  const { workspace, upsert, open, versions } = await program();
  const first = await upsert("refunds", "Refunds", "<p>Ask us.</p>", { publish: true });
  const { revision } = await open(first.id);
  const version = await contentVersionOf(workspace.subdomain);
  const second = await upsert("refunds", "Refunds", "<P>Ask  us.</P>", { publish: true });
  expect([first, second]).toEqual([
    { id: first.id, changed: true, created: true },
    { id: first.id, changed: false, created: false },
  ]);
  expect(await contentVersionOf(workspace.subdomain)).toEqual(version);
  expect(await open(first.id)).toMatchObject({ state: "published", hasDraft: false, revision });
  expect(await versions(first.id)).toMatchObject([{ kind: "publish", via: "api", by: "API key “Website sync”" }]);
});

test("when 20 upserts of a new id run concurrently, one creates the article", async () => {
  const { workspace, upsert } = await program();
  const writes = Array.from({ length: 20 }, (_, index) => upsert("one", "One", `<p>${index}</p>`));
  // On a slow machine, some may be told to try again later.
  const done = (await Promise.allSettled(writes)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(done.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(done.map(({ id }) => id)).size).toBe(1);
  expect(await inWorkspace(workspace.id, (db) => db.article.count())).toBe(1);
});

test("a member's draft blocks a program until it has seen the draft or keeps it as a version", async () => {
  const { workspace, create, update, open, versions } = await program();
  const { id } = await create("Refunds", "<p>By the program.</p>");
  await saveAsMember(workspace, id, { html: "<p>By Ada.</p>" });
  const now = await open(id);
  const refused = await update(id, "<p>Again.</p>").catch((error: unknown) => error);
  expect(refused).toMatchObject({ reason: "member", now: { revision: now.revision, savedBy: { name: "Ada Admin" } } });
  expect(await update(id, "<p>Again.</p>", { publish: true }).catch(reasonOf)).toBe("member");
  expect(await update(id, undefined, { publish: true }).catch(reasonOf)).toBe("member");
  expect(await update(id, "<p>Again.</p>", { expected: { revision: now.revision - 1 } }).catch(reasonOf)).toBe("stale");
  expect((await open(id)).text.html).toBe("<p>By Ada.</p>");

  await update(id, "<p>Again.</p>", { expected: { keepVersion: true } });
  expect((await open(id)).text.html).toBe("<p>Again.</p>");
  await saveAsMember(workspace, id, { html: "<p>By Ada, later.</p>" });
  await update(id, "<p>Seen.</p>", { expected: { revision: (await open(id)).revision } });
  const kept = (await versions(id)).map(({ text, by }) => [text.html, by]);
  expect(kept).toEqual(
    expect.arrayContaining([
      ["<p>By the program.</p>", "API key “Website sync”"],
      ["<p>By Ada.</p>", "Ada Admin"],
      ["<p>Again.</p>", "API key “Website sync”"],
      ["<p>By Ada, later.</p>", "Ada Admin"],
    ]),
  );
});

test("a live text that is replaced in one call is a version, and so is a member's draft beside it", async () => {
  const { workspace, category, update, open, versions } = await program();
  const { id } = await anArticle(workspace, { category, title: "Refunds", html: "<p>Live.</p>" });
  await saveAsMember(workspace, id, { html: "<p>Ada's next.</p>" });
  await update(id, "<p>New.</p>", { publish: true, expected: { keepVersion: true } });
  expect(await open(id)).toMatchObject({ hasDraft: false, text: { html: "<p>New.</p>" } });
  expect((await versions(id)).map(({ text }) => text.html)).toEqual([
    "<p>New.</p>",
    "<p>Ada's next.</p>",
    "<p>Live.</p>",
  ]);
});

test("a draft beside a live text changes nothing that readers see, and without its scope nothing else does", async () => {
  const { workspace, category, update } = await program(["content.draft"]);
  const other = await aCategory(workspace, { name: "Other" });
  const { id } = await anArticle(workspace, { category, title: "Refunds", html: "<p>Live.</p>" });
  const version = await contentVersionOf(workspace.subdomain);
  await update(id, "<p>Next.</p>", { text: { title: "Money back", tags: ["New"] } });
  for (const more of [
    { publish: true },
    { slug: "elsewhere" },
    { category: other },
    { publishAt: new Date(Date.now() + 60_000) },
  ]) {
    expect(await update(id, undefined, more).catch((error: unknown) => error)).toBeInstanceOf(NeedsPublishing);
  }
  expect(await contentVersionOf(workspace.subdomain)).toEqual(version);
});

test("a member's schedule does not make a program's draft live unless the key may publish", async () => {
  for (const scopes of [["content.draft"], ["content.draft", "content.publish"]] as Scope[][]) {
    const { workspace, create, update, open } = await program(scopes);
    const { id } = await create("Refunds", "<p>One.</p>");
    const at = new Date(Date.now() + 60_000);
    await inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, workspace.actor));
    await update(id, "<p>Two.</p>");
    expect([scopes, (await open(id)).publishHeld]).toEqual([scopes, !scopes.includes("content.publish")]);
  }
});

test("fields that are not sent stay, and a change without a text needs no new one", async () => {
  const { create, update, open } = await program();
  const { id } = await create("Refunds", "<h2>Ask</h2><p>Us.</p>", { text: { tags: ["Money"] }, publish: true });
  await update(id, undefined, { text: { title: "Money back" }, publish: true });
  expect(await open(id)).toMatchObject({ text: { title: "Money back", tags: ["Money"] }, hasDraft: false });
  await update(id, undefined, { text: { tags: ["Cash"] } });
  expect(await open(id)).toMatchObject({ text: { title: "Money back", tags: ["Cash"] }, hasDraft: true });
  expect((await open(id)).text.html).toContain("Us.");
});

test("an article with a new external id is also changed for searches, which sort by the time of the change", async () => {
  const { workspace, create, update } = await program();
  const { id } = await create("Refunds", "<p>One.</p>", { publish: true });
  await update(id, undefined, { externalId: "refunds.md" });
  expect(await readWorkspace(workspace.id, (read) => outdatedDocuments(read, workspace.id, [id]))).toEqual([]);
});

test("20 programs that write one article at the same time leave every text in a version or the draft", async () => {
  const { create, update, open, versions } = await program();
  const { id } = await create("Refunds", "<p>Start.</p>");
  const texts = Array.from({ length: 20 }, (_, index) => `<p>Writer ${index}.</p>`);
  // On a slow machine, some may be told to try again later.
  const done = await Promise.allSettled(texts.map((html) => update(id, html)));
  const accepted = texts.filter((_, index) => done[index]?.status === "fulfilled");
  expect(accepted.length).toBeGreaterThan(1);
  const kept = [(await open(id)).text.html, ...(await versions(id)).map(({ text }) => text.html)];
  expect(accepted.filter((html) => !kept.includes(html))).toEqual([]);
});
