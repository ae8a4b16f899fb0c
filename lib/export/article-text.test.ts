import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DraftText, emptyDraft } from "@/lib/articles/article-text";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { exportWorkspace } from "@/lib/export/run";
import { storeUpload } from "@/lib/uploads/uploads";
import { differingIn, draftFields, isSameField } from "@/testing/article-text";
import { importing } from "@/testing/import";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-export-"));
  vi.stubEnv("DATA_DIR", folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const readTexts = (workspace: TestWorkspace, slugs: string[], side: "draft" | "live") =>
  readWorkspace(workspace.id, async (read) => {
    const texts: Record<string, DraftText> = {};
    const rows = await read<{ id: string }>("SELECT id::text FROM articles WHERE slug = ANY($1::text[])", [slugs]);
    for (const { id } of rows) {
      const article = await openDraft(read, id, side);
      if (article) texts[article.slug] = named(article);
    }
    return texts;
  });

/** A text with the names of its parts, which another workspace knows by other ids. */
const named = ({ text, related, attachments }: OpenDraft): DraftText => ({
  ...text,
  relatedIds: related.map(({ title }) => title),
  attachmentIds: attachments.map(({ filename }) => filename),
});

test("a draft that differs from the published text in any one field is exported and imported with it", async () => {
  const from = await aWorkspace();
  const category = await aCategory(from);
  const relatedIds = [
    await anArticle(from, { category, title: "One" }),
    await anArticle(from, { category, title: "Two" }),
  ].map(({ id }) => id);
  const upload = (filename: string) =>
    storeUpload(from.id, { filename, content: Buffer.from(filename), by: from.admin.id, kind: "attachment" });
  const attachmentIds = [(await upload("a.txt")).id, (await upload("b.txt")).id];
  const base: DraftText = {
    ...emptyDraft,
    ...{ title: "Refunds", html: "<p>Published</p>", keywords: ["money"], tags: ["Orders"] },
    ...{ pageTitle: "All refunds", metaDescription: "How to get it back" },
    ...{ relatedIds: relatedIds.slice(0, 1), attachmentIds: attachmentIds.slice(0, 1) },
  };
  const cases = draftFields.map((name) => {
    const [draft = base] = fc.sample(differingIn(name, base, { relatedIds, attachmentIds }), 1);
    return { name, draft, slug: name.toLowerCase() };
  });
  await inWorkspace(from.id, async (db) => {
    for (const { slug, draft } of cases) {
      const { id } = await anArticle(from, { ...base, category, slug, source: null }, db);
      const prepared = await preparedDraft(from.id, draft);
      expect(await saveDraft(db, id, 1, prepared, from.actor)).toMatchObject({ hasDraft: true });
    }
  });

  const file = join(folder, `${randomUUID()}.zip`);
  await exportWorkspace({ workspace: from, secret: "s" }, createWriteStream(file));
  const to = await aWorkspace();
  expect(await importing(to, file, { secret: "s" })).toMatchObject({ problems: [], findings: [] });

  const slugs = cases.map(({ slug }) => slug);
  const [drafts, lives] = [await readTexts(to, slugs, "draft"), await readTexts(to, slugs, "live")];
  expect(drafts).toEqual(await readTexts(from, slugs, "draft"));
  expect(lives).toEqual(await readTexts(from, slugs, "live"));
  for (const { name, slug } of cases) {
    const [draft, live] = [drafts[slug] as DraftText, lives[slug] as DraftText];
    expect([slug, draftFields.filter((field) => !isSameField(field, draft, live))]).toEqual([slug, [name]]);
  }
});
