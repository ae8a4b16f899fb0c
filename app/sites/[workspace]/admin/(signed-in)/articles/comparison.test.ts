// @vitest-environment jsdom
import fc from "fast-check";
import { expect, test } from "vitest";
import { saysTheSame } from "@/components/admin/writing/same";
import { type DraftText, emptyDraft } from "@/lib/articles/article-text";
import { differingIn, draftFields } from "@/testing/article-text";
import { compareArticles } from "./_comparison";

const base: DraftText = {
  ...emptyDraft,
  ...{ title: "Refunds", html: "<p>Published</p>", keywords: ["money"], tags: ["Orders"] },
  ...{ pageTitle: "All refunds", metaDescription: "How to get it back" },
  ...{ relatedIds: ["Invoices"], attachmentIds: ["form.pdf"] },
};
const choices = { relatedIds: ["Invoices", "Orders"], attachmentIds: ["form.pdf", "map.png"] };

const comparable = ({ relatedIds, attachmentIds, ...text }: DraftText) => ({
  ...text,
  related: relatedIds,
  attachments: attachmentIds,
});

test("a text is the same as itself", async () => {
  expect(await compareArticles("one", comparable(base), comparable(base))).toMatchObject({ isSame: true, others: [] });
  expect(saysTheSame(base, { ...base })).toBe(true);
});

test.each(draftFields)("two texts that differ in %s alone are said to differ", async (name) => {
  await fc.assert(
    fc.asyncProperty(differingIn(name, base, choices), async (draft) => {
      expect((await compareArticles("one", comparable(base), comparable(draft))).isSame).toBe(false);
      expect(saysTheSame(base, draft)).toBe(false);
    }),
    { numRuns: 10 },
  );
});
