import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { inWorkspace } from "@/lib/db";
import {
  homeOf,
  type NavCategory,
  publishedBranch,
  publishedCategory,
  publishedNames,
  publishedNav,
  publishedRoots,
} from "@/lib/reader/published-categories";
import { readAs, type Snapshot, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

function see<T>(
  workspace: TestWorkspace,
  work: (snapshot: Snapshot) => Promise<T>,
  viewer: Viewer = "anyone",
): Promise<T> {
  return readAs(workspace, viewer, work);
}

const hide = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => db.category.updateMany({ where: { id }, data: { visibility: "members" } }));

/** A tree as lines: indented, with counts, and with an asterisk where it is open. */
function lines(nav: NavCategory[], indent = ""): string[] {
  return nav.flatMap(({ name, count, open, children, articles }) => [
    `${indent}${name} ${count}${open ? " *" : ""}`,
    ...lines(children, `${indent}  `),
    ...articles.map(({ title }) => `${indent}  "${title}"`),
  ]);
}

/**
 * Guides (Install (Linux), Secret (Deeper)), News, and Empty, which has a draft alone.
 * Secret is for members. So is what is below it.
 */
async function aLibrary() {
  const workspace = await aWorkspace();
  const own = (name: string, fields: Parameters<typeof aCategory>[1] = {}) =>
    aCategory(workspace, { name, slug: name.toLowerCase(), ...fields });
  const news = await own("News", { sequence: 2 });
  const guides = await own("Guides", { sequence: 1, description: "How to." });
  const install = await own("Install", { parentId: guides.id });
  const linux = await own("Linux", { parentId: install.id });
  const secret = await own("Secret", { parentId: guides.id });
  const deeper = await own("Deeper", { parentId: secret.id });
  const empty = await own("Empty");
  const categories = { guides, install, linux, secret, deeper, news, empty };
  const store = (category: { id: string; name: string }, title: string, rest: object = {}) =>
    anArticle(workspace, { category, title, slug: title.toLowerCase().replaceAll(" ", "-"), ...rest });
  await store(guides, "Second", { sequence: 2 });
  await store(guides, "First", { sequence: 1, html: "<p>What comes first.</p>" });
  await store(guides, "Unfinished", { state: "draft" });
  await store(linux, "On Linux");
  await store(secret, "The plan");
  await store(deeper, "The whole plan");
  await store(news, "Hello");
  await store(empty, "Only thought of", { state: "draft" });
  await hide(workspace, secret.id);
  return { workspace, categories, store };
}

const unseen = ["Secret", "Deeper", "plan", "Unfinished", "Empty", "thought"];

function expectUnseen(shown: unknown): void {
  const text = JSON.stringify(shown);
  for (const word of unseen) expect(text).not.toContain(word);
}

describe("the tree beside a page", () => {
  it("shows the roots alone while none is current, with what is below in their counts", async () => {
    const { workspace } = await aLibrary();
    expect(lines(await see(workspace, publishedNav))).toEqual(["Guides 3", "News 1"]);
  });

  it("is open along the way to the current category, whose articles it has in reading order", async () => {
    const { workspace } = await aLibrary();
    const at = (category: string, viewer?: Viewer) =>
      see(workspace, async (snapshot) => lines(await publishedNav(snapshot, { category })), viewer);
    expect(await at("guides")).toEqual(["Guides 3 *", "  Install 1", '  "First"', '  "Second"', "News 1"]);
    expect(await at("linux")).toEqual(["Guides 3 *", "  Install 1 *", "    Linux 1 *", '      "On Linux"', "News 1"]);
    expect(await at("nowhere")).toEqual(["Guides 3", "News 1"]);
  });

  it("has no word and no count of what is for members, and shows it to them", async () => {
    const { workspace } = await aLibrary();
    for (const category of ["guides", "secret", "deeper", "empty"]) {
      expectUnseen(await see(workspace, (snapshot) => publishedNav(snapshot, { category })));
    }
    const members = await see(workspace, (snapshot) => publishedNav(snapshot, { category: "deeper" }), "member");
    expect(lines(members)).toEqual([
      "Guides 5 *",
      "  Install 1",
      "  Secret 2 *",
      "    Deeper 1 *",
      '      "The whole plan"',
      "News 1",
    ]);
  });

  it("takes two statements for a thousand categories, and sends no more than the open ones", async () => {
    const workspace = await aWorkspace();
    const word = randomBytes(4).toString("hex");
    const root = await aCategory(workspace, { name: "Root", slug: "root" });
    await inWorkspace(workspace.id, (db) =>
      db.category.createMany({
        data: Array.from({ length: 1000 }, (_, index) => ({
          name: `Below ${index}`,
          slug: `${word}-${index}`,
          parentId: root.id,
        })),
      }),
    );
    await anArticle(workspace, { category: root, title: "Here" });
    const last = await see(workspace, (snapshot) =>
      snapshot.read<{ id: string }>("SELECT id FROM categories WHERE slug = $1", [`${word}-999`]),
    );
    await anArticle(workspace, { category: { id: last[0]?.id ?? "", name: "Below 999" }, title: "There" });
    const statements: string[] = [];
    const nav = await see(workspace, (snapshot) =>
      publishedNav(
        { ...snapshot, read: (sql, values) => (statements.push(sql), snapshot.read(sql, values)) },
        { category: "root" },
      ),
    );
    expect(lines(nav)).toEqual(["Root 2 *", "  Below 999 1", '  "Here"']);
    expect(statements).toHaveLength(2);
  });
});

describe("a category's page", () => {
  it("says what it is, what is below it, and its articles in reading order", async () => {
    const { workspace, categories } = await aLibrary();
    expect(await see(workspace, (snapshot) => publishedCategory(snapshot, "guides"))).toEqual({
      id: categories.guides.id,
      slug: "guides",
      name: "Guides",
      description: "How to.",
      count: 3,
      ancestors: [],
      subcategories: [{ slug: "install", name: "Install", description: null, count: 1 }],
      articles: [
        { slug: "first", title: "First", summary: "What comes first." },
        { slug: "second", title: "Second", summary: "Nothing yet." },
      ],
      page: 1,
      pages: 1,
    });
    const linux = await see(workspace, (snapshot) => publishedCategory(snapshot, "linux"));
    expect(linux?.ancestors).toEqual([
      { slug: "guides", name: "Guides" },
      { slug: "install", name: "Install" },
    ]);
  });

  it("is not there for who may not see it, nor while nothing below it is published", async () => {
    const { workspace } = await aLibrary();
    for (const slug of ["secret", "deeper", "empty", "nowhere"]) {
      expect([slug, await see(workspace, (snapshot) => publishedCategory(snapshot, slug))]).toEqual([slug, null]);
    }
    const secret = await see(workspace, (snapshot) => publishedCategory(snapshot, "secret"), "member");
    expect(secret).toMatchObject({ name: "Secret", count: 2, articles: [{ title: "The plan" }] });
  });

  it("shows a changed title only when it is published", async () => {
    const { workspace } = await aLibrary();
    await inWorkspace(workspace.id, async (db) => {
      const { id } = await db.article.findFirstOrThrow({ where: { slug: "hello" } });
      await db.articleDraft.create({
        data: { id, title: "Unfinished", html: "<p>Unfinished</p>", text: "Unfinished" },
      });
    });
    const news = await see(workspace, (snapshot) => publishedCategory(snapshot, "news"));
    expect(news?.articles).toEqual([{ slug: "hello", title: "Hello", summary: "Nothing yet." }]);
  });

  it("has a hundred articles a page, each on one of them", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace, { name: "Many", slug: "many" });
    for (let number = 0; number < 101; number++) {
      await anArticle(workspace, { category, title: `Number ${String(number).padStart(3, "0")}` });
    }
    const page = (number: number) => see(workspace, (snapshot) => publishedCategory(snapshot, "many", number));
    const [one, two] = [await page(1), await page(2)];
    expect(one).toMatchObject({ page: 1, pages: 2, count: 101 });
    expect(one?.articles).toHaveLength(100);
    expect(two?.articles.map(({ title }) => title)).toEqual(["Number 100"]);
    expect([await page(0), await page(3)]).toEqual([null, null]);
  });
});

describe("the start page", () => {
  it("offers the roots, and what is new", async () => {
    const { workspace, store, categories } = await aLibrary();
    const { id } = await store(categories.news, "Newest", { sequence: 9 });
    const publishedAt = new Date("2031-02-03T04:05:06Z");
    await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id }, data: { publishedAt } }));
    const home = await see(workspace, homeOf);
    expect(home.categories).toEqual([
      { slug: "guides", name: "Guides", description: "How to.", count: 3 },
      { slug: "news", name: "News", description: null, count: 2 },
    ]);
    expect(home.recent[0]).toEqual({
      slug: "newest",
      title: "Newest",
      publishedAt,
      category: { slug: "news", name: "News" },
    });
    expect(home.recent).toHaveLength(5);
  });

  it("calls popular what was viewed, the most viewed first, and nothing before", async () => {
    const { workspace } = await aLibrary();
    expect((await see(workspace, homeOf)).popular).toEqual([]);
    await inWorkspace(workspace.id, async (db) => {
      for (const [slug, uniqueViewsCount] of [
        ["first", 2],
        ["on-linux", 7],
        ["the-plan", 90],
        ["unfinished", 80],
      ] as const) {
        await db.article.updateMany({ where: { slug }, data: { uniqueViewsCount } });
      }
    });
    expect((await see(workspace, homeOf)).popular).toEqual([
      { slug: "on-linux", title: "On Linux", category: { slug: "linux", name: "Linux" } },
      { slug: "first", title: "First", category: { slug: "guides", name: "Guides" } },
    ]);
    const members = await see(workspace, homeOf, "member");
    expect(members.popular.map(({ title }) => title)).toEqual(["The plan", "On Linux", "First"]);
  });

  it("has no word of what is for members or not published", async () => {
    const { workspace } = await aLibrary();
    expectUnseen(await see(workspace, homeOf));
    const members = JSON.stringify(await see(workspace, homeOf, "member"));
    for (const word of ["Secret", "plan"]) expect(members).toContain(word);
    for (const word of ["Unfinished", "Empty", "thought"]) expect(members).not.toContain(word);
  });

  it("of a workspace for members is empty for others, but for what is for everyone", async () => {
    const { workspace, categories } = await aLibrary();
    await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
    expect(await see(workspace, homeOf)).toEqual({ categories: [], cut: false, total: 0, popular: [], recent: [] });
    expect(await see(workspace, publishedNav)).toEqual([]);
    await inWorkspace(workspace.id, (db) =>
      db.category.updateMany({ where: { id: categories.news.id }, data: { visibility: "everyone" } }),
    );
    expect((await see(workspace, homeOf)).categories.map(({ name }) => name)).toEqual(["News"]);
  });
});

describe("many categories", () => {
  /** A hundred roots, R 001 to R 100, and below the last a hundred, B 001 to B 100, each with an article. */
  async function aForest() {
    const workspace = await aWorkspace();
    const last = await aCategory(workspace, { name: "R 100", slug: "r-100", sequence: 100 });
    const { id } = await anArticle(workspace, { category: last, title: "Last", slug: "last" });
    await inWorkspace(workspace.id, async (db) => {
      for (const [name, count, above] of [
        ["R", 99, "NULL"],
        ["B", 100, `'${last.id}'::uuid`],
      ] as const) {
        await db.$executeRawUnsafe(
          `INSERT INTO categories (name, slug, sequence, parent_id)
           SELECT '${name} ' || lpad(n::text, 3, '0'), lower('${name}-' || lpad(n::text, 3, '0')), n, ${above} FROM generate_series(1, ${count}) n`,
        );
      }
      await db.$executeRawUnsafe(
        `INSERT INTO articles (permalink, slug, category_id, author_id, state, title)
         SELECT 'a-' || left(md5(c.slug), 8), 'in-' || c.slug, c.id, a.author_id, 'published', 'In ' || c.name
         FROM categories c, articles a WHERE a.id = '${id}' AND c.slug <> 'r-100'`,
      );
    });
    return workspace;
  }

  it("are bounded in the tree, where the way to the current one is always there", async () => {
    const workspace = await aForest();
    const closed = await see(workspace, publishedNav);
    expect([closed.length, closed[58]?.cut, closed[59]]).toMatchObject([60, false, { name: "R 060", cut: true }]);
    const open = await see(workspace, (snapshot) => publishedNav(snapshot, { category: "b-090" }));
    expect(open).toHaveLength(60);
    const { children = [], ...last } = open.at(-1) ?? {};
    expect(last).toMatchObject({ name: "R 100", open: true, cut: true });
    expect(children.map(({ name }) => name).slice(57)).toEqual(["B 058", "B 059", "B 090"]);
    expect(children.at(-1)).toMatchObject({ cut: true, articles: [{ title: "In B 090" }] });
  });

  it("are on pages, each on one of them", async () => {
    const workspace = await aForest();
    const roots = (page: number) => see(workspace, (snapshot) => publishedRoots(snapshot, page));
    const [one, two] = [await roots(1), await roots(2)];
    const names = [...(one?.categories ?? []), ...(two?.categories ?? [])].map(({ name }) => name);
    expect([one?.pages, names.length, new Set(names).size, names[99]]).toEqual([2, 100, 100, "R 100"]);
    expect([await roots(0), await roots(3)]).toEqual([null, null]);
    const below = (page: number) => see(workspace, (snapshot) => publishedCategory(snapshot, "r-100", page));
    const [first, second] = [await below(1), await below(2)];
    expect([first?.subcategories.length, second?.subcategories.length, second?.pages]).toEqual([60, 40, 2]);
    expect([second?.subcategories[0]?.name, second?.articles, await below(3)]).toEqual(["B 061", [], null]);
  });

  it("are named by the start page as far as there is room, and counted all", async () => {
    const home = await see(await aForest(), homeOf);
    expect([home.categories.length, home.cut, home.total]).toEqual([24, true, 200]);
  });
});

describe("a category of many articles", () => {
  it("has those around the current one in the tree", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace, { name: "Many", slug: "many" });
    for (let number = 0; number < 70; number++) {
      const title = `Number ${String(number).padStart(2, "0")}`;
      await anArticle(workspace, { category, title, slug: `n-${number}`, sequence: number < 35 ? 1 : 2 });
    }
    const around = async (article?: string) => {
      const [many] = await see(workspace, (snapshot) => publishedNav(snapshot, { category: "many", article }));
      const numbers = many?.articles.map(({ slug }) => Number(slug.slice(2))) ?? [];
      const first = numbers[0] ?? -1;
      expect([many?.own, numbers]).toEqual([70, Array.from({ length: 30 }, (_, index) => first + index)]);
      return first;
    };
    expect(await around()).toBe(0);
    expect(await Promise.all(["n-0", "n-10", "n-35", "n-60", "n-69", "unknown"].map(around))).toEqual([
      0, 0, 20, 40, 40, 0,
    ]);
  });
});

describe("the tree that readers open in place", () => {
  it("has what is directly in a category, as far as the visitor may see it", async () => {
    const { workspace } = await aLibrary();
    expect(await see(workspace, (snapshot) => publishedBranch(snapshot, "guides"))).toEqual({
      categories: [{ slug: "install", name: "Install" }],
      articles: [
        { slug: "first", title: "First" },
        { slug: "second", title: "Second" },
      ],
      own: 2,
      cut: false,
    });
    for (const slug of ["secret", "deeper", "empty", "nowhere"]) {
      expect([slug, await see(workspace, (snapshot) => publishedBranch(snapshot, slug))]).toEqual([slug, null]);
    }
    const members = await see(workspace, (snapshot) => publishedBranch(snapshot, "secret"), "member");
    expect(members?.articles).toEqual([{ slug: "the-plan", title: "The plan" }]);
  });

  it("names all categories with the way to them, but not those for members", async () => {
    const { workspace } = await aLibrary();
    expect(await see(workspace, publishedNames)).toEqual([
      { slug: "guides", name: "Guides", above: "" },
      { slug: "install", name: "Install", above: "Guides" },
      { slug: "linux", name: "Linux", above: "Guides › Install" },
      { slug: "news", name: "News", above: "" },
    ]);
  });
});
