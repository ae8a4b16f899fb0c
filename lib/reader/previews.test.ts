import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { DraftText } from "@/lib/articles/article-text";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import {
  endPreviews,
  findPreview,
  previewedId,
  previewPath,
  previewsEnded,
  renderedPreview,
} from "@/lib/reader/previews";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

const owner = randomUUID();

process.env.AUTH_SECRET ??= "a secret of these tests, long enough to be one";
const soon = new Date(Date.now() + 60_000);
const tokenOf = (path: string) => path.replace("/preview/", "");

async function anyArticle() {
  const workspace = await aWorkspace();
  const { id } = await anArticle(workspace, { category: await aCategory(workspace), state: "draft" });
  return { workspace, id };
}

test("a link to a preview leads to its article until its time is over, at its own workspace", async () => {
  const { workspace, id } = await anyArticle();
  const other = await aWorkspace();
  const token = tokenOf(previewPath(workspace.id, id, soon, 0));
  expect(await previewedId(workspace.id, token)).toBe(id);
  expect(await previewedId(workspace.id, token, new Date(soon.getTime() + 1_000))).toBeNull();
  expect(await previewedId(other.id, token)).toBeNull();
});

test("nobody makes such a link who does not know the secret: neither of another article, nor of another time", async () => {
  const { workspace, id } = await anyArticle();
  const other = await anArticle(workspace, { category: await aCategory(workspace), state: "draft" });
  const token = tokenOf(previewPath(workspace.id, id, soon, 0));
  const [, seconds = "", , seal = ""] = token.split(".");
  const later = (Number.parseInt(seconds, 36) + 60).toString(36);
  expect(await previewedId(workspace.id, token)).toBe(id);
  for (const made of [
    `${other.id}.${seconds}.0.${seal}`,
    `${id}.${later}.0.${seal}`,
    `${id}.${seconds}.1.${seal}`,
    `${id}.${seconds}.${seal}`,
    `${id}.${seconds}.`,
    `${id}.${seconds}`,
    "",
    "x",
  ]) {
    expect([made, await previewedId(workspace.id, made)]).toEqual([made, null]);
  }
});

test("revoking the preview links of an article ends earlier links but not later ones", async () => {
  const { workspace, id } = await anyArticle();
  const other = await anArticle(workspace, { category: await aCategory(workspace), state: "draft" });
  const link = async (articleId: string) => {
    const ended = await readWorkspace(workspace.id, (read) => previewsEnded(read, articleId));
    return tokenOf(previewPath(workspace.id, articleId, soon, ended ?? 0));
  };
  const made = [await link(id), await link(other.id)];
  const end = (target: { id: string }) => inWorkspace(target.id, (db) => endPreviews(db, id, workspace.actor));
  await expect(end(await aWorkspace())).rejects.toThrow(NotFoundError);
  for (const times of [1, 2]) {
    expect([times, await previewedId(workspace.id, made[0] ?? "")]).toEqual([times, id]);
    await end(workspace);
    expect([times, await previewedId(workspace.id, made[0] ?? "")]).toEqual([times, null]);
    made[0] = await link(id);
  }
  expect(await previewedId(workspace.id, made[0] ?? "")).toBe(id);
  expect(await previewedId(workspace.id, made[1] ?? "")).toBe(other.id);
});

test("a preview shows what is written and not what readers see, with what stands beside it", async () => {
  const workspace = await aWorkspace();
  const above = await aCategory(workspace, { name: "Money" });
  const category = await aCategory(workspace, { name: "Back", parentId: above.id });
  const closed = await aCategory(workspace, { name: "Closed" });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  const related = await Promise.all([
    anArticle(workspace, { category, title: "Invoices" }),
    anArticle(workspace, { category, title: "Unpublished", state: "draft" }),
    anArticle(workspace, { category: closed, title: "For members" }),
  ]);
  const { id } = await anArticle(workspace, { category, title: "Refunds", html: "<p>Live</p>", tags: ["Old"] });
  const file = { storageKey: "key", filename: "form.pdf", contentType: "application/pdf", byteSize: 1 };
  const text: Partial<DraftText> = {
    title: "Get a refund",
    html: "<h2>First</h2><p>Draft</p>",
    tags: ["New"],
    pageTitle: "All of it",
    relatedIds: related.map((one) => one.id),
    showTableOfContents: false,
    metaDescription: "How it comes back",
  };
  const upload = await inWorkspace(workspace.id, (db) =>
    db.upload.create({ data: { ...file, sha256: new Uint8Array(32) } }),
  );
  const now = await readWorkspace(workspace.id, (read) => openDraft(read, id));
  if (!now) throw new Error("No such article.");
  const draft = await preparedDraft(workspace.id, { ...now.text, ...text, attachmentIds: [upload.id] });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
  const preview = (target: typeof workspace) => readAs(target, "anyone", (snapshot) => findPreview(snapshot, id));
  const found = await preview(workspace);
  if (!found) throw new Error("No preview.");
  const token = tokenOf(previewPath(workspace.id, id, soon, 0));
  expect(await renderedPreview(workspace.id, found, token)).toMatchObject({
    id,
    slug: "refunds",
    title: "Get a refund",
    pageTitle: "All of it",
    metaDescription: "How it comes back",
    showTableOfContents: false,
    tags: [{ name: "New" }],
    author: { name: "Ada Admin" },
    renderedHtml: expect.stringContaining("<p>Draft</p>"),
    headings: [{ text: "First" }],
    attachments: [{ filename: "form.pdf", path: `/uploads/${upload.id}?preview=${token}` }],
    breadcrumbs: [{ name: "Money" }, { name: "Back" }],
    related: [{ title: "Invoices" }],
  });
  expect(found.html).not.toContain("Live");
  expect(await preview(await aWorkspace())).toBeNull();
});

test("the files of a preview carry its token, and no other address does", async () => {
  const token = tokenOf(previewPath(randomUUID(), randomUUID(), soon, 0));
  const [picture, file] = [`/uploads/${randomUUID()}`, `/uploads/${randomUUID()}`];
  const html = `<p><img src="${picture}" alt='src="${picture}"'> <a href="${file}#p">it</a> src="${file}"
    <a href="https://example.com${file}">away</a> <a href="/articles/x">on</a></p>`;
  const read = { html, attachments: [{ path: file }] } as unknown as Parameters<typeof renderedPreview>[1];
  const { renderedHtml, attachments } = await renderedPreview(owner, read, token);
  const addresses = [...renderedHtml.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.filter((one) => one !== file)).toEqual([
    `${picture}?preview=${token}`,
    `${file}?preview=${token}#p`,
    `https://example.com${file}`,
    "/articles/x",
  ]);
  expect(renderedHtml.split(token)).toHaveLength(3);
  expect(attachments.map(({ path }) => path)).toEqual([`${file}?preview=${token}`]);
});

test("a text is rendered once for all links and requests, and again after a change", async () => {
  const read = (html: string) => ({ html, attachments: [] }) as unknown as Parameters<typeof renderedPreview>[1];
  const html = `<h2>${randomUUID()}</h2><p>Said</p>`;
  const tokens = ["a", "b"].map(() => tokenOf(previewPath(randomUUID(), randomUUID(), soon, 0)));
  const [first, second] = await Promise.all(tokens.map((token) => renderedPreview(owner, read(html), token)));
  const third = await renderedPreview(owner, read(html), tokens[0] ?? "");
  // The very same headings: nothing was read again.
  expect([second?.headings, third.headings].map((headings) => headings === first?.headings)).toEqual([true, true]);
  const changed = await renderedPreview(owner, read(`${html}<p>More</p>`), tokens[0] ?? "");
  expect([changed.headings === first?.headings, changed.renderedHtml]).toEqual([
    false,
    expect.stringContaining("<p>More</p>"),
  ]);
});
