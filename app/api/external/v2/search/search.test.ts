import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { inWorkspace } from "@/lib/db";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

let workspace: TestWorkspace;
let site: string;
let category: Awaited<ReturnType<typeof aCategory>>;

const search = (query: string) => call(paths["/search"], workspace, `/api/external/v2/search?${query}`);
const titles = async (term: string) =>
  (await search(`search_term=${encodeURIComponent(term)}`)).body.matches.map(({ title }: { title: string }) => title);
const mark = (word: string) => `<span class="article-matched-tag">${word}</span>`;

beforeAll(async () => {
  workspace = await aWorkspace();
  site = `http://${workspace.subdomain}.localhost:3000`;
  category = await aCategory(workspace, { name: "Payments & refunds" });
});

const store = (fields: Omit<Parameters<typeof anArticle>[1], "category"> & { category?: typeof category }) =>
  anArticle(workspace, { category, ...fields });

describe("a search", () => {
  test("answers matches with highlights of title, content and category", async () => {
    const article = await store({ title: "Refund <b>now</b>", html: "<p>Refunds & returns take 5 days.</p>" });
    const { body } = await search("search_term=refund");
    expect(body).toEqual({
      matches: [
        {
          id: article.id,
          url: `${site}/articles/${article.slug}`,
          title: "Refund <b>now</b>",
          category: "Payments & refunds",
          category_url: `${site}/categories/${category.slug}`,
          visibility: "public",
          matched_title: `${mark("Refund")} &lt;b&gt;now&lt;/b&gt;`,
          matched_heading: null,
          matched_content: `${mark("Refunds")} &amp; returns take 5 days.`,
          matched_category: `Payments &amp; ${mark("refunds")}`,
        },
      ],
      corrected_term: null,
      pagination: { total_records: 1, total_pages: 1, current_page_number: 1, page_size: 30 },
    });
    const inContent = (await search("search_term=returns")).body.matches[0];
    expect([inContent.matched_title, inContent.matched_content, inContent.matched_category]).toEqual([
      null,
      `Refunds &amp; ${mark("returns")} take 5 days.`,
      null,
    ]);
  });

  test("answers the heading of the best section, with its anchor", async () => {
    const html = `<p>Feed it twice a day.</p><h2>Wash & dry it</h2><p>Use lukewarm water.</p><h2>Löschen</h2><p>Sell the wombat.</p>`;
    const { slug } = await store({ title: "Keep a wombat", html });
    const best = async (term: string) => {
      const [match] = (await search(`search_term=${encodeURIComponent(term)}`)).body.matches;
      return [match.url, match.matched_heading, match.matched_content];
    };
    const page = `${site}/articles/${slug}`;
    expect(await best("wombat lukewarm")).toEqual([
      `${page}#wash--dry-it`,
      "Wash &amp; dry it",
      `Feed it twice a day. Wash &amp; dry it Use ${mark("lukewarm")} water. Löschen Sell the ${mark("wombat")}.`,
    ]);
    expect(await best("wash the wombat")).toEqual([
      `${page}#wash--dry-it`,
      `${mark("Wash")} &amp; dry it`,
      expect.stringContaining(mark("wombat")),
    ]);
    expect((await best("wombat sell")).slice(0, 2)).toEqual([`${page}#l%C3%B6schen`, "Löschen"]);
    // The title says as much, or there is no heading above the passage.
    expect((await best("wombat")).slice(0, 2)).toEqual([page, null]);
    expect((await best("twice")).slice(0, 2)).toEqual([page, null]);
  });

  test("has articles with every word first, in any mix of fields, each from the start of a word", async () => {
    await store({
      title: "Quorum settings",
      html: "<p>About replicas.</p>",
      keywords: ["zookeeper"],
      slug: "consensus",
    });
    for (const term of [
      "quorum",
      "quo",
      "QUÓRUM",
      "replicas quorum",
      "zoo sett",
      "consensus about",
      "quorum payments",
    ]) {
      expect([term, (await titles(term))[0]]).toEqual([term, "Quorum settings"]);
    }
    expect(await titles("uor")).toEqual([]);
    expect(await titles("quorum absent")).toEqual(["Quorum settings"]);
    expect(await titles("unheard absences")).toEqual([]);
    // Long enough to count as a word that lost its first letter.
    expect((await search("search_term=uorum")).body).toMatchObject({
      matches: [{ title: "Quorum settings" }],
      corrected_term: "quorum",
    });
  });

  test("orders by title, content, slug, category name and keywords", async () => {
    const walrus = await aCategory(workspace, { name: "Walrus" });
    await store({ title: "By keyword", keywords: ["walrus"] });
    await store({ title: "By category", category: walrus });
    await store({ title: "By slug", slug: "walrus-page" });
    await store({ title: "By content", html: "<p>The walrus.</p>" });
    await store({ title: "By title: walrus" });
    expect(await titles("walrus")).toEqual(["By title: walrus", "By content", "By slug", "By category", "By keyword"]);
  });

  test("puts the exact title before titles that only hold it", async () => {
    await store({ title: "Advanced lantern care", html: "<p>lantern lantern lantern</p>" });
    await store({ title: "Lantern care for beginners" });
    await store({ title: "Lantern care" });
    expect(await titles("lantern care")).toEqual([
      "Lantern care",
      "Lantern care for beginners",
      "Advanced lantern care",
    ]);
  });

  test("never finds drafts", async () => {
    await store({ title: "Narwhal facts" });
    await store({ title: "Narwhal plans", state: "draft" });
    expect(await titles("narwhal")).toEqual(["Narwhal facts"]);
  });

  test("pages in a total order: no article twice, none left out", async () => {
    for (let number = 0; number < 7; number++) {
      await store({ title: "Same thing", slug: `same-${number}`, updatedAt: new Date("2026-01-01") });
    }
    const found: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const { body } = await search(`search_term=same%20thing&page_size=2&page_number=${page}`);
      expect(body.pagination.total_records).toBe(7);
      found.push(...body.matches.map(({ url }: { url: string }) => url));
    }
    expect(new Set(found).size).toBe(7);
    const past = await search("search_term=same&page_number=99");
    expect([past.body.matches, past.body.pagination.total_records]).toEqual([[], 7]);
  });

  test("reads query and q where search_term is absent", async () => {
    await store({ title: "Ocelot" });
    await store({ title: "Puma" });
    const first = async (query: string) => (await search(query)).body.matches[0]?.title;
    expect(await first("query=ocelot")).toBe("Ocelot");
    expect(await first("q=puma")).toBe("Puma");
    expect(await first("search_term=ocelot&query=puma&q=puma")).toBe("Ocelot");
  });

  test("is refused without a text or with too long a text, and finds nothing without a letter or digit", async () => {
    const required = { field: "search_term", code: "required", message: "Search term is required" };
    for (const query of ["", "search_term=", "search_term=%20%20", "search_term=%09&page_size=1"]) {
      const { status, body } = await search(query);
      expect([query, status, body]).toEqual([
        query,
        422,
        { error: "Search term is required", code: "invalid_fields", details: [required] },
      ]);
    }
    expect((await search("page_number=0")).body.details).toHaveLength(2);
    expect((await search(`search_term=${"x".repeat(201)}`)).body.details).toEqual([
      { field: "search_term", code: "too_long", message: "Search term can have up to 200 characters." },
    ]);
    expect((await search("search_term=%3F%26%7C%21%27%3A*")).body).toMatchObject({ matches: [], corrected_term: null });
  });

  test("finds what the synonyms of the workspace say, and marks it", async () => {
    await store({ title: "Single sign on", html: "<p>One password for all.</p>" });
    const sso = async () => (await search("search_term=sso%20password")).body;
    expect((await sso()).matches).toMatchObject([{ matched_title: null }]);
    await inWorkspace(workspace.id, (db) =>
      addSynonym(db, { term: "SSO", replacements: ["single sign on"] }, workspace.actor),
    );
    expect(await sso()).toMatchObject({
      matches: [
        {
          // Small words are not highlighted, and "on" does not match as a prefix.
          matched_title: `${mark("Single")} ${mark("sign")} on`,
          matched_content: `One ${mark("password")} for all.`,
        },
      ],
      corrected_term: null,
    });
  });

  test("finds what synonyms say of a letter and a word, besides both written together", async () => {
    const stored = ["Radiograph of a lizard", "Lizard xray", "X-ray of another lizard"];
    for (const title of stored) await store({ title });
    await inWorkspace(workspace.id, (db) =>
      addSynonym(db, { term: "x-ray", replacements: ["radiograph"] }, workspace.actor),
    );
    for (const term of ["x ray lizard", "x-ray lizard", "lizard x ray"])
      expect([term, (await titles(term)).toSorted()]).toEqual([term, stored.toSorted()]);
  });

  test("finds synonyms of a misspelled word", async () => {
    for (const title of ["Veterinarian for a chameleon", "Animal doctor for a chameleon"]) await store({ title });
    await inWorkspace(workspace.id, (db) =>
      addSynonym(db, { term: "veterinarian", replacements: ["animal doctor"] }, workspace.actor),
    );
    const { body } = await search("search_term=vetrinarian%20chameleon");
    const found = body.matches.map(({ title }: { title: string }) => title);
    expect(found).toEqual(["Veterinarian for a chameleon", "Animal doctor for a chameleon"]);
    expect(body.matches[1].matched_title).toBe(`${mark("Animal")} ${mark("doctor")} for a ${mark("chameleon")}`);
    expect(body.corrected_term).toBe("veterinarian chameleon");
  });

  test("leaves out the small words of a question, and lists articles with some of the others last", async () => {
    await store({ title: "Move a hedgehog", html: "<p>Carry it gently.</p>" });
    const question = "How do I move my hedgehog?";
    const { body } = await search(`search_term=${encodeURIComponent(question)}`);
    expect(body).toMatchObject({
      matches: [{ matched_title: `${mark("Move")} a ${mark("hedgehog")}` }],
      corrected_term: null,
    });
    expect(await titles("carry my hedgehog home")).toEqual(["Move a hedgehog"]);
    await store({ title: "Hedgehogs at night", html: "<p>How do I know where my hedgehog is?</p>" });
    expect(await titles(question)).toEqual(["Move a hedgehog", "Hedgehogs at night"]);
    await store({ title: "How do I move", html: "<p>A hedgehog helps.</p>" });
    expect(await titles("how do i move")).toEqual(["How do I move", "Move a hedgehog"]);
  });

  test("finds other forms of a word, and what documents say for it, when it has more words", async () => {
    await store({ title: "Void an invoice", html: "<p>An aardvark may void what it has posted.</p>" });
    expect(await titles("cancelling aardvarks bills")).toEqual(["Void an invoice"]);
  });

  test("leaves out a small word of one letter as any other", async () => {
    await store({ title: "Calm the tortoise", html: "<p>Turn her over.</p>" });
    expect(await titles("how do you calm my tortoise")).toEqual(["Calm the tortoise"]);
    expect(await titles("how do i calm my tortoise")).toEqual(["Calm the tortoise"]);
  });

  test("finds two hyphenated words that share a part", async () => {
    await store({ title: "Check-in and check-out of the tortoise" });
    expect(await titles("check-in check-out")).toEqual(["Check-in and check-out of the tortoise"]);
    expect(await titles("checkout checkin")).toEqual(["Check-in and check-out of the tortoise"]);
  });

  test("takes operators, quotes and emoji as text", async () => {
    await store({ title: "Gecko" });
    for (const term of ["gecko & !", "'gecko':*", "(gecko", "gecko | nothing <->", 'gec"ko', "gecko 🎉", "gecko\\"]) {
      expect((await search(`search_term=${encodeURIComponent(term)}`)).status).toBe(200);
    }
    expect(await titles("(gecko) & 🎉")).toEqual(["Gecko"]);
  });
});

describe("a misspelled search", () => {
  const question = async (term: string) => {
    const { body } = await search(`search_term=${encodeURIComponent(term)}`);
    return { found: body.matches.map(({ title }: { title: string }) => title), corrected: body.corrected_term };
  };

  test.each([
    ["a letter too few", "Cormrant", "cormorant"],
    ["a letter too many", "cormoorant", "cormorant"],
    ["another letter", "cormorand", "cormorant"],
    ["two letters swapped", "cormoratn", "cormorant"],
    ["two edits", "kormorand", "cormorant"],
    ["a blank too many", "cormo rant", "cormorant"],
    ["a blank too few", "seabirds", "sea birds"],
  ])("finds what was meant, of %s", async (_, term, corrected) => {
    const colony = await aWorkspace();
    const title = "Cormorants among sea birds";
    const html = "<p>A cormorant and its birds.</p>";
    await anArticle(colony, { category: await aCategory(colony), title, html });
    const path = `/api/external/v2/search?search_term=${encodeURIComponent(term)}`;
    const { body } = await call(paths["/search"], colony, path);
    expect(body).toMatchObject({ matches: [{ title }], corrected_term: corrected, pagination: { total_records: 1 } });
  });

  test("is told in the spelling that was searched, its other words as they were typed", async () => {
    await store({ title: "Über Albatros", html: "<p>The wandering albatros.</p>" });
    expect(await question("  Wandering, ALBATRSO!")).toEqual({
      found: ["Über Albatros"],
      corrected: "Wandering, albatros!",
    });
    // Accents come from the articles.
    expect(await question("ubre wand")).toEqual({ found: ["Über Albatros"], corrected: "über wand" });
  });

  test("marks the words that were found", async () => {
    await store({ title: "Pelican", html: "<p>A pelican fishes.</p>" });
    const [match] = (await search("search_term=pelicna")).body.matches;
    expect([match.matched_title, match.matched_content]).toEqual([mark("Pelican"), `A ${mark("pelican")} fishes.`]);
  });

  test("finds exact matches first, however light their field, and counts all", async () => {
    for (const title of ["Flamingo", "Flamingo at night"]) await store({ title, html: "<p>Flamingo, flamingo.</p>" });
    for (let number = 0; number < 9; number++)
      await store({ title: "Birds", slug: `birds-${number}`, html: "<p>The flamingo.</p>" });
    await store({ title: "An exact match", keywords: ["flamnigo"] });
    const { body } = await search("search_term=flamnigo");
    expect(body).toMatchObject({ corrected_term: "flamingo", pagination: { total_records: 12 } });
    const [first, second, third] = body.matches.map(({ title }: { title: string }) => title);
    expect([first, second, third]).toEqual(["An exact match", "Flamingo", "Flamingo at night"]);
  });

  test("is left alone where enough is found, or where nothing is like it", async () => {
    for (let number = 0; number < 40; number++) await store({ title: "Puffin", slug: `puffin-${number}` });
    for (const title of ["Pufin", "Pufin again", "Pufin once more"]) await store({ title });
    const { found, corrected } = await question("pufin");
    expect([found.toSorted(), corrected]).toEqual([["Pufin", "Pufin again", "Pufin once more"], null]);
    expect(await question("zzyzxqv")).toEqual({ found: [], corrected: null });
  });

  test("leaves a word of the workspace alone, unless it looks like a misspelling of a far more frequent one", async () => {
    for (let number = 0; number < 22; number++)
      await store({ title: "Kestrels", slug: `kestrels-${number}`, html: "<p>Their rating and hovering.</p>" });
    await store({ title: "One", slug: "eating", html: "<p>Eating with kestrals, hovring over fields.</p>" });
    await store({ title: "A kestrall for the title", slug: "title-word" });
    const corrected = async (term: string) => (await question(term)).corrected;
    expect(await corrected("eating")).toBeNull();
    expect(await corrected("kestrels eating fish")).toBeNull();
    expect(await corrected("kestrall")).toBeNull();
    // A half-typed word matches.
    expect(await corrected("eatin")).toBeNull();
    expect(await question("hovring")).toMatchObject({ corrected: "hovering", found: expect.arrayContaining(["One"]) });
    expect((await question("hovring")).found[0]).toBe("One");
  });

  test("treats a beginning that articles only have across a hyphen as misspelled if nothing is found", async () => {
    await store({ title: "Heron-related questions", slug: "heron-questions" });
    await store({ title: "Feeding the herons, here and there", slug: "heron-feeding" });
    expect(await question("heronr")).toEqual({ found: ["Heron-related questions"], corrected: null });
    const { found, corrected } = await question("heronr feeding");
    expect([found[0], corrected]).toEqual(["Feeding the herons, here and there", "heron feeding"]);
  });

  test("takes a letter and a word that articles only have as one for right", async () => {
    await store({ title: "Ostrich xtail feathers" });
    const { found, corrected } = await question("x tail ostrihc");
    expect([found[0], corrected]).toEqual(["Ostrich xtail feathers", "x tail ostrich"]);
  });

  test("is never corrected in the filter of a list", async () => {
    await store({ title: "Toucan" });
    expect(await question("tuocan")).toEqual({ found: ["Toucan"], corrected: "toucan" });
    const listed = async (term: string) =>
      (await call(paths["/articles"], workspace, `/api/external/v2/articles?search_term=${term}`)).body.articles;
    expect(await listed("toucan")).toHaveLength(1);
    expect(await listed("tuocan")).toEqual([]);
  });
});
