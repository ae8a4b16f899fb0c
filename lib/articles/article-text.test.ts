import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DraftText, emptyDraft, textColumns, textFieldList } from "@/lib/articles/article-text";
import { findArticle } from "@/lib/articles/articles";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles } from "@/lib/articles/publish";
import { restoreVersion } from "@/lib/articles/restore-version";
import { saveDraft } from "@/lib/articles/save-draft";
import { contentHashOf } from "@/lib/articles/shared-draft";
import { findVersion, listVersions } from "@/lib/articles/versions";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { differingIn, draftFields, isSameField } from "@/testing/article-text";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

/** The columns that are no field of the text. */
const others = {
  article_live: [
    "workspace_id",
    "id",
    "rendered_html",
    "text",
    "excerpt",
    "headings",
    "markdown",
    "shown_html",
    "written",
  ],
  article_drafts: ["workspace_id", "id", "text", "headings", "updated_by", "updated_by_key", "updated_at"],
  article_versions: [
    ...[
      "workspace_id",
      "id",
      "article_id",
      "number",
      "kind",
      "tags",
      "created_by",
      "created_by_key",
      "created_via",
      "created_at",
      "summary",
    ],
  ],
};

const types = { text: "text NOT NULL", optional: "text", list: "text[] NOT NULL", flag: "boolean NOT NULL" };

test.each(Object.entries(others))(
  "every column of %s is declared with its type, or no field of a text",
  async (table, known) => {
    const { id } = await aWorkspace();
    const columns = await readWorkspace(id, (read) =>
      read<{ name: string; type: string }>(
        `SELECT attname AS name, format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END AS type
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [table],
      ),
    );
    const declared = Object.fromEntries(textFieldList.map(([, { column, kind }]) => [column, types[kind]]));
    const texts = columns.filter(({ name }) => !known.includes(name));
    expect(Object.fromEntries(texts.map(({ name, type }) => [name, type]))).toEqual(declared);
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(known));
    expect(textColumns("t")).toBe(
      Object.keys(declared)
        .map((column) => `t.${column}`)
        .join(", "),
    );
  },
);

async function aLibrary() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const relatedIds = [await anArticle(workspace, { category }), await anArticle(workspace, { category })];
  const attachmentIds = await inWorkspace(workspace.id, async (db) => {
    const file = { contentType: "application/pdf", byteSize: 1, sha256: new Uint8Array(32) };
    const uploads = [];
    for (const filename of ["a.pdf", "b.pdf"])
      uploads.push(await db.upload.create({ data: { ...file, filename, storageKey: filename } }));
    return uploads.map(({ id }) => id);
  });
  const choices = { relatedIds: relatedIds.map(({ id }) => id), attachmentIds };
  const base: DraftText = {
    ...emptyDraft,
    ...{ title: "Refunds", html: "<p>Published</p>", keywords: ["money"], tags: ["Orders"] },
    ...{ pageTitle: "All refunds", metaDescription: "How to get it back" },
    ...{ relatedIds: choices.relatedIds.slice(0, 1), attachmentIds: attachmentIds.slice(0, 1) },
  };
  return { workspace, category, choices, base };
}

test.each(draftFields)(
  "a draft that differs from the published text in %s alone is kept, versioned, restored and published with it",
  async (name) => {
    const { workspace, category, choices, base } = await aLibrary();
    const actor = { ...workspace.actor, id: workspace.admin.id };
    const opened = async (id: string, side?: "live") => {
      const article = await readWorkspace(workspace.id, (read) => openDraft(read, id, side));
      if (!article) throw new Error("No such article.");
      return article;
    };
    const save = async (id: string, text: DraftText) => {
      const { revision } = await opened(id);
      const draft = await preparedDraft(workspace.id, text);
      const saved = await inWorkspace(workspace.id, (db) => saveDraft(db, id, revision, draft, workspace.actor));
      if (saved.conflict) throw new Error("Someone else saved.");
      return saved;
    };
    const same = (text: DraftText, expected: DraftText) =>
      expect(draftFields.filter((field) => !isSameField(field, text, expected))).toEqual([]);

    await fc.assert(
      fc.asyncProperty(differingIn(name, base, choices), async (draft) => {
        const { id } = await anArticle(workspace, { ...base, category, slug: `refunds-${randomUUID()}` });
        same((await opened(id)).text, base);

        expect(await save(id, draft)).toMatchObject({ hasDraft: true });
        const stored = (await opened(id)).text;
        same(stored, draft);
        same((await opened(id, "live")).text, base);
        expect(contentHashOf(stored)).not.toBe(contentHashOf(base));
        expect(contentHashOf(stored)).toBe(contentHashOf(draft));

        expect(await save(id, base)).toMatchObject({ hasDraft: false });
        same((await opened(id)).text, base);

        if (name === "relatedIds" || name === "attachmentIds") await save(id, draft);
        else {
          const versions = () => readWorkspace(workspace.id, (read) => listVersions(read, id, { limit: 9, offset: 0 }));
          const [point] = (await versions()).versions;
          const version = await readWorkspace(workspace.id, (read) => findVersion(read, id, point?.number ?? 0));
          same({ ...draft, ...version?.text }, draft);
          const { revision } = await opened(id);
          expect(await restoreVersion(workspace.id, id, point?.number ?? 0, revision, actor)).toMatchObject({
            hasDraft: true,
          });
        }
        same((await opened(id)).text, draft);

        await publishArticles(workspace.id, [id], workspace.actor);
        expect(await opened(id)).toMatchObject({ hasDraft: false });
        same((await opened(id, "live")).text, draft);
        const article = await readWorkspace(workspace.id, (read) => findArticle(read, id));
        const tags = article?.tags.map((tag) => tag.name) ?? [];
        const attachmentIds = article?.attachments.map((file) => file.id) ?? [];
        same({ ...draft, ...article, tags, attachmentIds, relatedIds: draft.relatedIds }, draft);
        if (draft.relatedIds.length > 0) expect(article?.related.map((one) => one.id)).toEqual(draft.relatedIds);
      }),
      { numRuns: 3 },
    );
  },
);
