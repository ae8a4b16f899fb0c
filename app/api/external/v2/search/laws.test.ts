import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

// Rules for every search, whatever its words: which article comes first (for fields, see weights.test.ts), that pages
// divide one order, and which articles never appear.

let category: Awaited<ReturnType<typeof aCategory>>;
let workspace: TestWorkspace;

const answer = async (term: string, rest = "page_size=100", from = workspace) =>
  (await call(paths["/search"], from, `/api/external/v2/search?${rest}&search_term=${encodeURIComponent(term)}`)).body;
const titles = async (term: string): Promise<string[]> =>
  (await answer(term)).matches.map(({ title }: { title: string }) => title);
type Fields = Omit<Parameters<typeof anArticle>[1], "category"> & { category?: typeof category };
const store = (fields: Fields) => anArticle(workspace, { category, slug: letters(), ...fields });
/** Twelve letters that appear nowhere else and resemble no other words here. */
const letters = () => [...randomBytes(12)].map((byte) => "abcdefghklmnoprstuvz"[byte % 20]).join("");

// Each test has its own workspace, and so its own limit of searches (contract 55).
async function anotherWorkspace() {
  workspace = await aWorkspace();
  category = await aCategory(workspace, { name: "Lectern" });
}

/** Both insertion orders give the same ranking, so the comparison uses the texts, not their dates. */
async function expectOrder(query: string, articles: Fields[]) {
  const wanted = articles.map(({ title }) => title);
  for (const inTurn of [articles, articles.toReversed()]) {
    await anotherWorkspace();
    for (const article of inTurn) await store(article);
    expect([query, await titles(query)]).toEqual([query, wanted]);
  }
}

describe("of articles with the words in the same field", () => {
  const filler = "and then there is a good deal more to tell about something else before the other one is named, ";

  test("the phrase comes before words that stand apart in the title", async () => {
    await expectOrder("credit card", [
      { title: "Limits of a credit card" },
      { title: "A card for those who want credit" },
    ]);
    await expectOrder("credit card", [
      { title: "All the limits of every credit card that we know of" },
      { title: "Credit on a card" },
    ]);
  });

  test("the phrase comes before words that stand apart in the text", async () => {
    await expectOrder("credit card", [
      { title: "One", html: `<p>First ${filler}a credit card is asked for.</p>` },
      { title: "Two", html: `<p>Some credit, ${filler}a card. Credit, ${filler}card. A card ${filler}credit.</p>` },
    ]);
    await expectOrder("新しい鍵", [
      { title: "三", html: "<p>まず、新しい鍵を作成します。</p>" },
      { title: "四", html: "<p>鍵を失った方は、担当者に連絡してください。新しいものをお渡しします。</p>" },
    ]);
  });

  test("words close together come before words far apart", async () => {
    await expectOrder("credit card", [
      { title: "One", html: "<p>The credit on your card is shown here.</p>" },
      { title: "Two", html: `<p>The credit ${filler}${filler}your card.</p>` },
    ]);
  });

  test("all words, but far apart, come after most of the words in the title and side by side", async () => {
    const far = `<p>Undo ${filler.repeat(20)}</p><p>shipment ${filler.repeat(20)}</p><p>deadline.</p>`;
    const about = "<p>To undo a shipment, open the shipment. Undo it.</p>";
    await expectOrder("undo shipment deadline", [
      { title: "Undo shipment", html: about },
      { title: "One", html: far },
    ]);
    const near = "<p>There is an undo shipment deadline.</p>";
    for (const text of ["how do I undo shipment deadline", "what is the undo shipment deadline?"])
      await expectOrder(text, [
        { title: "One", html: near },
        { title: "Undo shipment", html: about },
      ]);
  });

  test("articles with some of the words are left out where others answer the search", async () => {
    const about = { title: "Undo shipment", html: "<p>To undo a shipment, open the shipment.</p>" };
    const titled = { title: "Shipment deadlines you can undo" };
    const quoted = { title: "One", html: "<p>There is an undo shipment deadline.</p>" };
    const apart = { title: "Two", html: `<p>Undo it, ${filler.repeat(3)}, shipment ${filler}, deadline.</p>` };
    await anotherWorkspace();
    for (const article of [about, apart]) await store(article);
    expect((await titles("undo shipment deadline")).toSorted()).toEqual(["Two", "Undo shipment"]);
    await store(quoted);
    expect(await titles("undo shipment deadline")).toEqual(["One", "Two"]);
    expect((await titles("how do I undo the shipment deadline")).toSorted()).toEqual(["One", "Two", "Undo shipment"]);
    await anotherWorkspace();
    for (const article of [about, titled, apart]) await store(article);
    for (const text of ["undo shipment deadline", "undo shipment deadlnie"])
      expect(await titles(text)).toEqual([titled.title, "Two"]);
    for (const question of ["how do I undo a shipment deadline", "how do I undo a shipment deadlnie"])
      expect((await titles(question)).toSorted()).toEqual([titled.title, "Two", "Undo shipment"]);
  });

  test("the order of the words counts", async () => {
    const credit = { title: "Pay by credit card" };
    const card = { title: "Pay by card credit" };
    await expectOrder("credit card", [credit, card]);
    await expectOrder("card credit", [card, credit]);
    const inText = [
      { title: "One", html: "<p>You can pay by credit card.</p>" },
      { title: "Two", html: "<p>You can pay by card credit.</p>" },
    ];
    await expectOrder("credit card", inText);
    await expectOrder("card credit", inText.toReversed());
  });

  test("the exact title comes before longer ones, and one that begins with the words before one that ends with them", async () => {
    const text = "<p>Lantern care, lantern care, lantern care.</p>";
    await expectOrder("lantern care", [
      { title: "Lantern care" },
      { title: "Lantern care for those who never had one before", html: text },
      { title: "More lantern care", html: text },
    ]);
    await expectOrder("LANTERN, CARE!", [{ title: "Lantern care" }, { title: "Lantern care again", html: text }]);
    await expectOrder("パスワード", [
      { title: "パスワード" },
      { title: "パスワードの変更について", html: "<p>パスワード、パスワード。</p>" },
      { title: "新しいパスワード" },
    ]);
    await expectOrder("uberweisung", [
      { title: "Überweisung" },
      { title: "Überweisung prüfen" },
      { title: "Die Überweisung" },
    ]);
  });

  test("a whole word comes before a longer word that begins so, though that title is shorter", async () => {
    await expectOrder("port", [{ title: "Port numbers of all our servers" }, { title: "Portability" }]);
  });
});

describe("an exact match", () => {
  test("comes before corrected ones, however light its field", async () => {
    await anotherWorkspace();
    await store({ title: "Exact", keywords: ["galery"] });
    for (let number = 0; number < 20; number++) await store({ title: "Gallery", html: "<p>Gallery, gallery.</p>" });
    const { matches, pagination } = await answer("galery");
    expect(matches[0].title).toBe("Exact");
    expect(pagination.total_records).toBe(matches.length);
  });

  test("of several words comes before corrected ones", async () => {
    await anotherWorkspace();
    await store({ title: "Exact", html: "<p>A flamnigo. What one of them feeds on.</p>" });
    for (let number = 0; number < 25; number++)
      await store({ title: "Flamingo feeds", html: "<p>Flamingo feeds.</p>" });
    expect((await titles("flamnigo feeds"))[0]).toBe("Exact");
  });

  test("a word is corrected beside one that nothing resembles", async () => {
    await anotherWorkspace();
    for (let number = 0; number < 5; number++) await store({ title: `Flamingo ${number}` });
    for (const term of ["flamnigo zzyzxqv", "flamnigo now", "flamnigo, anyway"]) {
      const { matches, corrected_term: corrected } = await answer(term);
      expect([term, matches.length, corrected?.startsWith("flamingo")]).toEqual([term, 5, true]);
    }
  });

  test("is not corrected to a word that slightly more articles have", async () => {
    await anotherWorkspace();
    for (let number = 0; number < 5; number++) await store({ title: `Contact ${number}` });
    await store({ title: "Contract" });
    await store({ title: "Contrast" });
    await store({ title: "Contrasts" });
    expect(await answer("contract")).toMatchObject({ matches: [{ title: "Contract" }], corrected_term: null });
  });
});

describe("paging", () => {
  const day = new Date("2026-01-01");

  /** Every page of a search, with the number of matches on each. All pages must agree on everything else. */
  async function pages(term: string, size: number) {
    const found: string[] = [];
    const counts: number[] = [];
    const { corrected_term, pagination } = await answer(term, `page_size=${size}`);
    for (let page = 1; page <= pagination.total_pages; page++) {
      const body = await answer(term, `page_size=${size}&page_number=${page}`);
      expect(body).toMatchObject({ corrected_term, pagination: { ...pagination, current_page_number: page } });
      counts.push(body.matches.length);
      found.push(...body.matches.map(({ id }: { id: string }) => id));
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found).toHaveLength(pagination.total_records);
    const past = await answer(term, `page_size=${size}&page_number=${pagination.total_pages + 1}`);
    expect(past).toMatchObject({ matches: [], pagination: { total_records: found.length } });
    return { corrected_term, counts, found };
  }

  test("neither repeats nor drops while sixty articles tie", async () => {
    await anotherWorkspace();
    const ids: string[] = [];
    for (let number = 0; number < 60; number++)
      ids.push((await store({ title: "Same thing", html: "<p>All of it.</p>", updatedAt: day })).id);
    const { counts, found } = await pages("same thing", 7);
    expect(counts).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 4]);
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect((await pages("all of", 25)).found.toSorted()).toEqual(ids.toSorted());
  });

  test("is one order over all fields: the heavier ones on the earlier pages", async () => {
    await anotherWorkspace();
    const weights = new Map<string, number>();
    const named = await aCategory(workspace, { name: "Gallery" });
    const ways: Fields[] = [
      { title: "A gallery" },
      { html: "<p>In the gallery.</p>" },
      { slug: "gallery" },
      { category: named },
      { keywords: ["gallery"] },
    ];
    for (let number = 0; number < 60; number++) {
      const way = ways[number % 5] as Fields;
      const slug = way.slug && `${way.slug}-${number}`;
      const { id } = await store({ ...way, title: way.title ?? "Another", ...(slug && { slug }), updatedAt: day });
      weights.set(id, number % 5);
    }
    const { found } = await pages("gallery", 7);
    expect(found.map((id) => weights.get(id))).toEqual([0, 1, 2, 3, 4].flatMap((weight) => Array(12).fill(weight)));
  });

  test("of corrected words is the same: sixty articles, once each", async () => {
    await anotherWorkspace();
    const ids: string[] = [];
    for (let number = 0; number < 60; number++)
      ids.push(
        (await store({ title: number % 2 ? "A gallery" : "Another", html: "<p>In the gallery.</p>", updatedAt: day }))
          .id,
      );
    const { corrected_term, found } = await pages("galelry", 7);
    expect(corrected_term).toBe("gallery");
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  test("of exact and corrected matches together begins with the exact ones", async () => {
    await anotherWorkspace();
    const exact: string[] = [];
    for (let number = 0; number < 60; number++) {
      const isExact = number === 20 || number === 40;
      const html = `<p>In the ${isExact ? "galery" : "gallery"}.</p>`;
      const { id } = await store({ title: "Another", html, updatedAt: day });
      if (isExact) exact.push(id);
    }
    const { found } = await pages("galery", 7);
    expect(found.slice(0, 2).toSorted()).toEqual(exact.toSorted());
  });
});

describe("what nobody may see", () => {
  beforeAll(anotherWorkspace);
  const nothing = { matches: [], corrected_term: null, pagination: { total_records: 0 } };

  test("a draft is never found, in none of its fields", async () => {
    const named = await aCategory(workspace, { name: "Narwhal" });
    const everywhere = { slug: "narwhal", category: named, keywords: ["narwhal"], html: "<p>Narwhal.</p>" };
    await store({ ...everywhere, title: "Narwhal plans", state: "draft" });
    expect(await answer("narwhal")).toMatchObject(nothing);
    await store({ title: "Narwhal facts" });
    expect(await titles("narwhal")).toEqual(["Narwhal facts"]);
  });

  test("a word that only a draft has is never offered", async () => {
    const { id } = await store({
      title: "Xylophone",
      html: "<p>Marimba.</p>",
      keywords: ["glockenspiel"],
      state: "draft",
    });
    for (const wrong of ["xylophnoe", "marmiba", "glockenspeil", "xylo phone"])
      expect([wrong, await answer(wrong)]).toMatchObject([wrong, nothing]);
    await store({ id, title: "Xylophone" });
    expect(await answer("xylophnoe")).toMatchObject({ matches: [{ id }], corrected_term: "xylophone" });
    expect(await answer("marmiba")).toMatchObject(nothing);
  });

  test("a word of an article that is a draft again is no longer suggested", async () => {
    const { id } = await store({ title: "Ocarina" });
    expect(await answer("ocarnia")).toMatchObject({ matches: [{ id }], corrected_term: "ocarina" });
    await store({ id, title: "Ocarina", state: "draft" });
    expect(await answer("ocarnia")).toMatchObject(nothing);
  });

  test("a word that was removed from an article is no longer suggested", async () => {
    const { id } = await store({ title: "Clavichord" });
    expect(await answer("clavihcord")).toMatchObject({ matches: [{ id }], corrected_term: "clavichord" });
    await store({ id, title: "Harmonium" });
    expect(await answer("clavihcord")).toMatchObject(nothing);
    expect(await answer("harmonuim")).toMatchObject({ matches: [{ id }], corrected_term: "harmonium" });
  });

  test("a word that only another workspace has is never offered", async () => {
    const other = await aWorkspace();
    const { id } = await anArticle(other, { category: await aCategory(other), title: "Bandoneon" });
    expect(await answer("bandoenon", "", other)).toMatchObject({ matches: [{ id }], corrected_term: "bandoneon" });
    expect(await answer("bandoenon")).toMatchObject(nothing);
    expect(await answer("bandoneon")).toMatchObject(nothing);
  });
});
