import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { publishedArticle } from "@/lib/reader/published-articles";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const articleOf = (workspace: TestWorkspace, slug: string, viewer: Viewer = "anyone") =>
  readAs(workspace, viewer, (snapshot) => publishedArticle(snapshot, slug));

const close = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) =>
    db.category.update({
      where: { workspaceId_id: { workspaceId: workspace.id, id } },
      data: { visibility: "members" },
    }),
  );

const slugs = (links: { slug: string }[] | undefined) => links?.map(({ slug }) => slug);

test("an article comes with all that its page shows, and without its author's address", async () => {
  const workspace = await aWorkspace();
  const root = await aCategory(workspace, { name: "Root" });
  const category = await aCategory(workspace, { name: "Leaf", parentId: root.id });
  const updatedAt = new Date("2026-03-04T05:06:07.089Z");
  const { id } = await anArticle(workspace, {
    category,
    title: "Keys",
    tags: ["b", "a"],
    updatedAt,
    createdAt: updatedAt,
    metaDescription: "About keys.",
    html: "<p>Text.</p><h2>One</h2><h2>Two</h2>",
  });
  const attachment = randomUUID();
  await inWorkspace(workspace.id, async (db) => {
    const file = { filename: "a.pdf", contentType: "application/pdf", byteSize: 1234n, sha256: Buffer.from("") };
    await db.upload.create({ data: { id: attachment, storageKey: attachment, ...file } });
    await db.articleAttachment.create({ data: { articleId: id, uploadId: attachment, inLive: true, inDraft: true } });
  });
  expect(await articleOf(workspace, "keys")).toEqual({
    id,
    slug: "keys",
    title: "Keys",
    categoryId: category.id,
    publishedAt: updatedAt,
    updatedAt,
    permalink: expect.stringMatching(/^a-[0-9a-f]{8}$/),
    renderedHtml: '<p>Text.</p>\n<h2 id="one">One</h2>\n<h2 id="two">Two</h2>',
    headings: [
      { id: "one", level: 2, text: "One" },
      { id: "two", level: 2, text: "Two" },
    ],
    showTableOfContents: true,
    pageTitle: null,
    metaDescription: "About keys.",
    summary: "About keys.",
    author: { id: workspace.admin.id, name: "Ada Admin", picture: `/avatars/${workspace.admin.id}.svg` },
    tags: [
      { id: expect.any(String), name: "b" },
      { id: expect.any(String), name: "a" },
    ],
    attachments: [
      ...[{ id: attachment, filename: "a.pdf", contentType: "application/pdf", byteSize: 1234 }].map((file) => ({
        ...file,
        path: `/uploads/${attachment}`,
      })),
    ],
    breadcrumbs: [
      { slug: root.slug, name: "Root" },
      { slug: category.slug, name: "Leaf" },
    ],
    previous: null,
    next: null,
    related: [],
  });
});

test("drafts, what another workspace has, and unknown slugs are equally not there", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  await anArticle(workspace, { category: await aCategory(workspace), slug: "draft", state: "draft" });
  await anArticle(other, { category: await aCategory(other), slug: "theirs" });
  const names = ["draft", "theirs", "unknown"];
  expect(await Promise.all(names.map((slug) => articleOf(workspace, slug, "member")))).toEqual([null, null, null]);
  expect((await articleOf(other, "theirs"))?.slug).toBe("theirs");
});

test("neighbors are the published articles of the same category, in reading order", async () => {
  const workspace = await aWorkspace();
  const [category, elsewhere] = [await aCategory(workspace), await aCategory(workspace)];
  await anArticle(workspace, { category, slug: "c", title: "C", sequence: 2 });
  await anArticle(workspace, { category, slug: "a", title: "Z", sequence: 1 });
  await anArticle(workspace, { category, slug: "draft", sequence: 1, title: "ZZ", state: "draft" });
  await anArticle(workspace, { category, slug: "b", title: "B", sequence: 2 });
  await anArticle(workspace, { category: elsewhere, slug: "elsewhere", title: "BB", sequence: 2 });
  const around = async (slug: string) => {
    const article = await articleOf(workspace, slug);
    return [article?.previous?.slug, article?.next?.slug];
  };
  expect([await around("a"), await around("b"), await around("c"), await around("elsewhere")]).toEqual([
    [undefined, "b"],
    ["a", "c"],
    ["b", undefined],
    [undefined, undefined],
  ]);
});

test("chosen articles are related, five at most, and come before computed ones", async () => {
  const workspace = await aWorkspace();
  const [category, elsewhere] = [await aCategory(workspace), await aCategory(workspace)];
  const made: { id: string }[] = [];
  for (const name of ["one", "two", "three", "four", "five", "six"])
    made.push(await anArticle(workspace, { category: elsewhere, slug: name, title: name }));
  const like = { category: elsewhere, title: "Walrus feeding", html: "<p>Walrus and mussels.</p>" };
  await anArticle(workspace, { ...like, slug: "alike" });
  const relatedIds = made.map(({ id }) => id).reverse();
  await anArticle(workspace, { ...like, category, slug: "all-chosen", relatedIds });
  await anArticle(workspace, { ...like, category, slug: "some-chosen", relatedIds: relatedIds.slice(0, 2) });
  expect(slugs((await articleOf(workspace, "all-chosen"))?.related)).toEqual(["six", "five", "four", "three", "two"]);
  expect(slugs((await articleOf(workspace, "some-chosen"))?.related)).toEqual(["six", "five", "alike"]);
});

test("what is in a category for members is there for members alone, as a related article too", async () => {
  const workspace = await aWorkspace();
  const [open, above] = [await aCategory(workspace), await aCategory(workspace)];
  const closed = await aCategory(workspace, { parentId: above.id });
  const inside = await anArticle(workspace, { category: closed, slug: "inside", tags: ["x"] });
  const plain = await anArticle(workspace, { category: open, slug: "plain", tags: ["x"], sequence: 1 });
  await anArticle(workspace, { category: open, slug: "chosen", relatedIds: [inside.id, plain.id], sequence: 2 });
  await anArticle(workspace, { category: open, slug: "only", relatedIds: [inside.id], sequence: 3 });
  const seen = async (viewer: Viewer) => [
    (await articleOf(workspace, "inside", viewer))?.slug,
    slugs((await articleOf(workspace, "chosen", viewer))?.related),
    slugs((await articleOf(workspace, "plain", viewer))?.related)?.includes("inside"),
    slugs((await articleOf(workspace, "only", viewer))?.related)?.includes("inside"),
  ];
  const all = ["inside", ["inside", "plain"], true, true];
  expect(await seen("anyone")).toEqual(all);
  await close(workspace, above.id);
  expect(await seen("anyone")).toEqual([undefined, ["plain"], false, false]);
  expect(await seen("member")).toEqual(all);
});

test("readers have the published text while a draft differs from it", async () => {
  const workspace = await aWorkspace();
  const { id } = await anArticle(workspace, { category: await aCategory(workspace), slug: "a", title: "Live" });
  await inWorkspace(workspace.id, (db) =>
    db.articleDraft.create({
      data: { id, title: "Draft", html: "<p>d</p>", text: "d", updatedBy: workspace.admin.id },
    }),
  );
  expect(await articleOf(workspace, "a", "member")).toMatchObject({
    title: "Live",
    renderedHtml: "<p>Nothing yet.</p>",
  });
});

test("computed related articles are others than those before and after; chosen ones stay", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const [before, after] = [
    await anArticle(workspace, { category, slug: "before", sequence: 1 }),
    await anArticle(workspace, { category, slug: "after", sequence: 3 }),
  ];
  await anArticle(workspace, { category, slug: "far", sequence: 4 });
  await anArticle(workspace, { category, slug: "here", sequence: 2 });
  const shown = await articleOf(workspace, "here");
  expect([shown?.previous?.slug, shown?.next?.slug, slugs(shown?.related)]).toEqual(["before", "after", ["far"]]);
  await anArticle(workspace, { category, slug: "chosen", sequence: 2, title: "A", relatedIds: [before.id, after.id] });
  expect(slugs((await articleOf(workspace, "chosen"))?.related)?.slice(0, 2)).toEqual(["before", "after"]);
});
