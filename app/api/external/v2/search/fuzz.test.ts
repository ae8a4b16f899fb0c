import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";
import { drawing } from "@/tools/fuzz/draw";
import { aMixture, aSearchText } from "@/tools/fuzz/searches";

// Every run uses the same texts, so a failure comes from the change. FUZZ_SEED and FUZZ_TIMES draw other texts and more.
const seed = Number(process.env.FUZZ_SEED ?? 1);
const times = Number(process.env.FUZZ_TIMES ?? 1);
/** Fewer than a key may search in a minute (contract 55). */
const KEY_LASTS = 100;
const timeout = 20_000 + 40_000 * times;

test(
  "whatever is searched is answered with 200, or with what the contract says of its length",
  async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    for (let index = 0; index < 10; index++) {
      const draw = drawing(seed, 2_000_000 + index);
      await anArticle(workspace, { title: `${aMixture(draw, 3)} ${index}`, slug: `article-${index}`, category });
    }
    const newKey = (name: string) =>
      inWorkspace(workspace.id, (db) =>
        createApiKey(db, { name, scopes: ["content.read", "members.read"] }, workspace.actor),
      );
    let key = workspace.key.text;
    for (let index = 0; index < 40 * times; index++) {
      if (index % KEY_LASTS === KEY_LASTS - 1) key = (await newKey(String(index))).text;
      const draw = drawing(seed, 3_000_000 + index);
      const text = draw.chance(0.05) ? `a\0${aSearchText(draw)}` : aSearchText(draw);
      const query = new URLSearchParams({ search_term: text }).toString();
      const isWhole = [...text.trim()].length <= 200;
      const wanted = (status: number) => (query.length > 8_100 ? 414 : text.includes("\0") ? 400 : status);
      const searched = await call(paths["/search"], workspace, `/api/external/v2/search?${query}`, { key });
      expect([index, text, searched.status]).toEqual([index, text, wanted(isWhole && text.trim() !== "" ? 200 : 422)]);
      const filtered = await call(paths["/articles"], workspace, `/api/external/v2/articles?${query}`, { key });
      expect([index, text, filtered.status]).toEqual([index, text, wanted(isWhole ? 200 : 422)]);
    }
  },
  timeout,
);

test("a letter that is a whole phrase, two hundred times, is answered quickly", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const html = `<p>${"\ufdfa".repeat(1_000)}</p>`;
  await anArticle(workspace, { title: `Blessing ${"\ufdfa".repeat(10)}`, slug: "blessing", category, html });
  for (const text of ["\ufdfa".repeat(200), "\ufdfa ".repeat(100), `${"\ufdfa".repeat(199)}x`]) {
    const query = new URLSearchParams({ search_term: text }).toString();
    const start = performance.now();
    const { status, body } = await call(paths["/search"], workspace, `/api/external/v2/search?${query}`);
    expect([text, status]).toEqual([text, 200]);
    expect(performance.now() - start).toBeLessThan(2_000);
    if (text.includes(" ")) expect(body.matches).toHaveLength(1);
  }
});
