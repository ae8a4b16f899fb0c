import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
import { languages } from "@/testing/languages/languages";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

// One knowledge base in many languages, so that each language's words compete with those of all others.

let workspace: TestWorkspace;
/** The article of a title: "en invoice". */
const names = new Map<string, string>();

beforeAll(async () => {
  workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Lectern" });
  for (const { code, articles } of languages) {
    const stored = Object.entries(articles).map(async ([key, article], index) => {
      // A slug made from the title would repeat each word in plain Latin letters.
      const slug = `zq${code}${String.fromCharCode(97 + index)}`;
      await anArticle(workspace, { category, slug, ...article });
      names.set(article.title, `${code} ${key}`);
    });
    await Promise.all(stored);
  }
}, 60_000);

describe.each(languages)("in $code", ({ code, questions }) => {
  let asker: TestWorkspace;

  // A separate key, because searches are limited by key (contract 55).
  beforeAll(async () => {
    const key = await inWorkspace(workspace.id, (db) =>
      createApiKey(
        db,
        { name: code, scopes: ["content.read", "members.read"], createdBy: workspace.admin.id },
        workspace.actor,
      ),
    );
    asker = { ...workspace, key };
  });

  test.each(questions)("$query: $why", async ({ query, finds, first, only, corrected }) => {
    const wanted = finds.map((key) => `${code} ${key}`);
    const path = `/api/external/v2/search?page_size=100&search_term=${encodeURIComponent(query)}`;
    const { body } = await call(paths["/search"], asker, path);
    const found: string[] = body.matches.map(({ title }: { title: string }) => names.get(title));
    expect(found).toEqual(expect.arrayContaining(wanted));
    if (first) expect(found[0]).toBe(wanted[0]);
    // Articles with some of the words follow.
    if (only) expect(found.slice(0, wanted.length).toSorted()).toEqual(wanted.toSorted());
    if (wanted.length === 0) expect(found).not.toEqual([]);
    if (corrected !== true) expect(body.corrected_term).toBe(corrected ?? null);
  });
});
