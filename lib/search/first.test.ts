import { expect, test } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { pinArticle } from "@/lib/pins/pins";
import { explainSearch } from "@/lib/search/explain";
import { firstFor, firstForAll } from "@/lib/search/first";
import { searchArticles } from "@/lib/search/search";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

async function withArticles(...titles: string[]) {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const articles = await Promise.all(titles.map((title) => anArticle(workspace, { category, title })));
  return { workspace, category, ids: articles.map(({ id }) => id) as [string, string, ...string[]] };
}

/** Readers open an article from the results of a search. */
const open = ({ id }: TestWorkspace, term: string, articleId: string, readers: number, daysAgo = 1) =>
  acrossWorkspaces.query(
    `INSERT INTO search_opens (workspace_id, term_folded, article_id, day, viewer_hash)
     SELECT $1::uuid, $2, $3::uuid, current_date - $5::int, decode(md5(n::text), 'hex') FROM generate_series(1, $4) n`,
    [id, term, articleId, readers, daysAgo],
  );
const rate = ({ id }: TestWorkspace, articleId: string, helpful: boolean, times: number, daysAgo = 1) =>
  acrossWorkspaces.query(
    `INSERT INTO feedback (workspace_id, article_id, day, viewer_hash, helpful)
     SELECT $1::uuid, $2::uuid, current_date - $5::int, decode(md5(n::text || $3::boolean::text), 'hex'), $3::boolean
     FROM generate_series(1, $4) n`,
    [id, articleId, helpful, times, daysAgo],
  );
const pin = (workspace: TestWorkspace, term: string, articleId: string) =>
  inWorkspace(workspace.id, (db) => pinArticle(db, { term, articleId }, workspace.actor));
const first = ({ id }: TestWorkspace, folded: string, hidden: string[] = []) =>
  readWorkspace(id, (read) => firstFor(read, folded, hidden));
const opened = (id: string, readers: number) => ({ id, reason: "opened", readers });

test("pinned articles come first, then at most three that five readers or more opened, the most opened before", async () => {
  const { workspace, ids } = await withArticles("A", "B", "C", "D", "E", "F");
  const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string];
  await pin(workspace, "Get a refund", f);
  for (const [id, readers] of [
    [a, 4],
    [b, 5],
    [c, 9],
    [d, 7],
    [e, 6],
    [f, 20],
  ] as const)
    await open(workspace, "get a refund", id, readers);
  const all = [{ id: f, reason: "pinned" }, opened(c, 9), opened(d, 7), opened(e, 6)];
  expect(await first(workspace, "get a refund")).toEqual(all);
  for (const other of ["get a", "get a refund now", "refund", ""]) expect(await first(workspace, other)).toEqual([]);
  await open(workspace, "refund", a, 5);
  const found = await readWorkspace(workspace.id, (read) => firstForAll(read, ["refund", "get a refund", "none", ""]));
  expect(Object.fromEntries(found)).toEqual({ "get a refund": all, refund: [opened(a, 5)] });
});

test("readers of the last 90 days count, and articles that helped fewer readers than they did not help do not rise", async () => {
  const { workspace, ids } = await withArticles("A", "B");
  const [a, b] = ids;
  await open(workspace, "refund", a, 4, 89);
  await open(workspace, "refund", a, 40, 90);
  await open(workspace, "refund", b, 5);
  await rate(workspace, b, true, 2);
  await rate(workspace, b, false, 3);
  expect(await first(workspace, "refund")).toEqual([]);
  await open(workspace, "refund", a, 1, 0);
  await rate(workspace, b, true, 1, 2);
  expect(await first(workspace, "refund")).toEqual([opened(a, 5), opened(b, 5)].sort((x, y) => (x.id < y.id ? -1 : 1)));
  await rate(workspace, a, false, 50, 90);
  expect(await first(workspace, "refund")).toHaveLength(2);
});

test("drafts, articles of hidden categories and those of another workspace are left out", async () => {
  const { workspace, category, ids } = await withArticles("A", "B");
  const draft = await anArticle(workspace, { category, title: "Draft", state: "draft" });
  for (const id of [draft.id, ids[0]]) await pin(workspace, "refund", id);
  for (const id of [draft.id, ids[1]]) await open(workspace, "refund", id, 5);
  const other = await aWorkspace();
  expect(await first(workspace, "refund")).toEqual([{ id: ids[0], reason: "pinned" }, opened(ids[1], 5)]);
  expect(await first(workspace, "refund", [category.id])).toEqual([]);
  expect(await first(other, "refund")).toEqual([]);
});

/** The titles of a page of results, and the total. */
const found = async ({ id }: TestWorkspace, text: string, limit = 100, offset = 0, hidden: string[] = []) => {
  const { matches, total } = await readWorkspace(id, (read) =>
    searchArticles(read, id, text, { limit, offset, hidden }),
  );
  return [...matches.map(({ title }) => title), total];
};

test("a search has them at its top and nowhere else, on pages of any size", async () => {
  const { workspace, category, ids } = await withArticles(
    "Money back",
    "Refund",
    "Refund a card",
    "Refund a gift card",
  );
  expect(await found(workspace, "refund")).toEqual(["Refund", "Refund a card", "Refund a gift card", 3]);
  await pin(workspace, "Refund!", ids[0]);
  await open(workspace, "refund", ids[3] as string, 5);
  const all = ["Money back", "Refund a gift card", "Refund", "Refund a card"];
  expect(await found(workspace, "refund")).toEqual([...all, 4]);
  for (const size of [1, 2, 3]) {
    const pages = [];
    for (let offset = 0; offset < 6; offset += size) {
      const page = await found(workspace, "refund", size, offset);
      expect(page.pop()).toBe(4);
      pages.push(...page);
    }
    expect(pages).toEqual(all);
  }
  expect(await found(workspace, "refun")).toEqual(["Refund", "Refund a card", "Refund a gift card", 3]);
  expect(await found(workspace, "refund", 9, 0, [category.id])).toEqual([0]);
  await pin(workspace, "zebra unicorn", ids[1]);
  expect(await found(workspace, "zebra unicorn")).toEqual(["Refund", 1]);
});

test("of very many matches they are left out as well, and the total and the pages stay exact", async () => {
  const { workspace, category, ids } = await withArticles("Zebra crossing", "About the zebra", "Elephant");
  const animals: string[] = [];
  await inWorkspace(
    workspace.id,
    async (db) => {
      for (let n = 0; n < 410; n++) {
        const html = n % 2 ? "<p>A zebra and a crossing.</p>" : "<p>Zebra crossing.</p>";
        animals.push(
          (await anArticle(workspace, { category, title: `Animal ${n}`, slug: `animal-${n}`, html }, db)).id,
        );
      }
    },
    60,
  );
  for (const term of ["zebra", "zebra crossing", "z"]) {
    const before = (await found(workspace, term, 500)).slice(0, -1);
    // One that does not match, one of the best, and the oldest and newest of those in the text.
    const [zebra = "", , elephant = ""] = ids;
    for (const id of [elephant, zebra, animals[0], animals[409]]) await pin(workspace, term, id as string);
    const expected = ["Elephant", "Zebra crossing", "Animal 0", "Animal 409"];
    const all = [...expected, ...before.filter((name) => !expected.includes(name as string))];
    expect(await found(workspace, term, 500)).toEqual([...all, all.length]);
    expect(await found(workspace, term, 200, 1)).toEqual([...all.slice(1, 201), all.length]);
    expect(await found(workspace, term, 200, 300)).toEqual([...all.slice(300), all.length]);
  }
}, 60_000);

test("each result of a search says why it stands where it does", async () => {
  const { workspace, category, ids } = await withArticles("Money back", "Refund a card", "Vouchers");
  const article = (title: string, html: string) => anArticle(workspace, { category, title, slug: title, html });
  await article("bank", "<p>A refund card.</p>");
  await inWorkspace(workspace.id, (db) =>
    addSynonym(db, { term: "refund", replacements: ["chargeback"] }, workspace.actor),
  );
  await article("dispute", "<p>A chargeback, late, on a card.</p>");
  await pin(workspace, "refund card", ids[0]);
  await open(workspace, "refund card", ids[2] as string, 12);
  const page = { limit: 10, offset: 0 };
  const why = async (text: string) =>
    (await readWorkspace(workspace.id, (read) => explainSearch(read, workspace.id, text, page))).matches.map(
      ({ title, why: { first: place, words, missing } }) =>
        place
          ? [title, place]
          : [title, ...words.map(({ word, as, field, articles }) => [word, as, field, articles]), missing],
    );
  const word = (word: string, as: string | null, field: string, articles: number) => [word, as, field, articles];
  const found = await why("refund card");
  // The last two are about equally good.
  const others = found.slice(3).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  expect([...found.slice(0, 3), ...others]).toEqual([
    ["Money back", { id: ids[0], reason: "pinned" }],
    ["Vouchers", opened(ids[2] as string, 12)],
    ["Refund a card", word("refund", null, "title", 3), word("card", null, "title", 3), []],
    ["bank", word("refund", null, "content", 3), word("card", null, "content", 3), []],
    ["dispute", word("refund", "chargeback", "content", 3), word("card", null, "content", 3), []],
  ]);
  expect((await why("carb"))[0]).toEqual(["Refund a card", word("card", null, "title", 3), []]);
});

test("an explanation names the form of a word that an article has", async () => {
  const { workspace } = await withArticles("Cancelling an order", "Order forms");
  const page = { limit: 10, offset: 0 };
  const { matches } = await readWorkspace(workspace.id, (read) =>
    explainSearch(read, workspace.id, "cancelled orders zebra", page),
  );
  expect(matches[0]?.title).toBe("Cancelling an order");
  expect(matches[0]?.why.words.map(({ word, as }) => [word, as])).toEqual([
    ["cancelled", "cancelling"],
    ["orders", "order"],
  ]);
  expect(matches[0]?.why.missing).toEqual(["zebra"]);
});
