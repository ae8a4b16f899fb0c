import { beforeAll, describe, expect, test } from "vitest";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/lib/testing";
import { paths } from "../operations";

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

const store = (given: Omit<Parameters<typeof anArticle>[1], "category"> & { category?: typeof category }) =>
  anArticle(workspace, { category, ...given });

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
          matched_title: `${mark("Refund")} &lt;b&gt;now&lt;/b&gt;`,
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

  test("wants every word, in any mix of fields, each from the start of a word", async () => {
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
      expect([term, await titles(term)]).toEqual([term, ["Quorum settings"]]);
    }
    expect(await titles("uorum")).toEqual([]);
    expect(await titles("quorum absent")).toEqual([]);
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

  test("without a text, or with too long a one, is refused; one without a letter or digit finds nothing", async () => {
    const required = { field: "search_term", code: "required", message: "Search term is required" };
    for (const query of ["", "search_term=", "search_term=%20%20", "search_term=%09&page_size=1"]) {
      const { status, body } = await search(query);
      expect([query, status, body]).toEqual([query, 422, { error: "Search term is required", details: [required] }]);
    }
    expect((await search("page_number=0")).body.details).toHaveLength(2);
    expect((await search(`search_term=${"x".repeat(201)}`)).body.details).toEqual([
      { field: "search_term", code: "too_long", message: "Search term must have at most 200 characters." },
    ]);
    expect((await search("search_term=%3F%26%7C%21%27%3A*")).body).toMatchObject({ matches: [], corrected_term: null });
  });

  test("takes operators, quotes and emoji as text", async () => {
    await store({ title: "Gecko" });
    for (const term of ["gecko & !", "'gecko':*", "(gecko", "gecko | nothing <->", 'gec"ko', "gecko 🎉", "gecko\\"]) {
      expect((await search(`search_term=${encodeURIComponent(term)}`)).status).toBe(200);
    }
    expect(await titles("(gecko) & 🎉")).toEqual(["Gecko"]);
  });
});
