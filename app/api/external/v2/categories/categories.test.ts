import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

type Made = { id: string; name: string; slug: string };

let workspace: TestWorkspace;
let site: string;
let guides: Made;
let setup: Made;
let linux: Made;
let about: Made;
let first: Made & { title?: string };

const list = async (query = "") =>
  (await call(paths["/categories"], workspace, `/api/external/v2/categories${query}`)).body;

beforeAll(async () => {
  workspace = await aWorkspace();
  site = `http://${workspace.subdomain}.localhost:3000`;
  about = await aCategory(workspace, { name: "About" });
  await aCategory(workspace, { name: "éclair" });
  await aCategory(workspace, { name: "Zoo" });
  guides = await aCategory(workspace, { name: "Guides", sequence: 1, description: "How to" });
  setup = await aCategory(workspace, { name: "Setup", parentId: guides.id });
  linux = await aCategory(workspace, { name: "Linux", parentId: setup.id });
  const text = `<p>${"word ".repeat(100)}</p>`;
  const article = await anArticle(workspace, {
    category: linux,
    title: "Packages",
    html: text,
    createdAt: new Date("2026-01-01"),
  });
  first = { ...article, name: "Linux" };
  await anArticle(workspace, { category: linux, title: "Hidden", state: "draft" });
  await anArticle(workspace, { category: guides, title: "Overview" });
});

const names = (categories: { name: string }[]) => categories.map(({ name }) => name);

describe("the list of categories", () => {
  test("lists and counts the roots in tree order: sequence, then name ignoring case and accents", async () => {
    const { categories, pagination } = await list();
    expect(names(categories)).toEqual(["Guides", "About", "éclair", "Zoo"]);
    expect(pagination).toEqual({ total_records: 4, total_pages: 1, current_page_number: 1, page_size: 30 });
    expect(names((await list("?page_size=2&page_number=2")).categories)).toEqual(["éclair", "Zoo"]);
  });

  test("nests each root's whole subtree, with true counts, ancestors and published articles", async () => {
    const [root] = (await list()).categories;
    const ancestorOf = ({ id, name, slug }: Made) => ({ id, name, url: `${site}/categories/${slug}` });
    const { articles, subcategories, ...rest } = root;
    expect(rest).toEqual({
      id: guides.id,
      name: "Guides",
      description: "How to",
      slug: "guides",
      sequence: 1,
      visibility: "public",
      visibility_setting: "inherit",
      parent_id: null,
      depth: 0,
      articles_count: 1,
      categories_count: 1,
      total_articles_count: 2,
      url: `${site}/categories/guides`,
      ancestors: [],
      children: [setup.id],
    });
    expect(articles).toHaveLength(1);
    expect(subcategories).toMatchObject([
      { id: setup.id, articles_count: 0, total_articles_count: 1, depth: 1, articles: [] },
    ]);
    expect(subcategories[0].subcategories).toEqual([
      {
        id: linux.id,
        name: "Linux",
        description: null,
        slug: "linux",
        sequence: null,
        visibility: "public",
        visibility_setting: "inherit",
        parent_id: setup.id,
        depth: 2,
        articles_count: 1,
        categories_count: 0,
        total_articles_count: 1,
        url: `${site}/categories/linux`,
        ancestors: [ancestorOf(guides), ancestorOf(setup)],
        children: [],
        subcategories: [],
        articles: [
          {
            id: first.id,
            url: `${site}/articles/packages`,
            title: "Packages",
            created_at: "2026-01-01T00:00:00.000Z",
            content: "word ".repeat(60).trim(),
          },
        ],
      },
    ]);
  });

  test("of all of them is flat, parents before children, each without nesting", async () => {
    const { categories, pagination } = await list("?scope=all");
    expect(names(categories)).toEqual(["Guides", "Setup", "Linux", "About", "éclair", "Zoo"]);
    expect(pagination.total_records).toBe(6);
    expect(categories[0]).not.toHaveProperty("subcategories");
    expect(categories[0]).toMatchObject({ total_articles_count: 2, children: [setup.id] });
    expect(names((await list("?scope=all&page_size=2&page_number=2")).categories)).toEqual(["Linux", "About"]);
    const [, , deep] = categories;
    expect(deep.ancestors).toHaveLength(2);
    expect(deep.depth).toBe(2);
  });

  test("refuses a scope that it does not know", async () => {
    expect((await list("?scope=some")).details).toEqual([
      { field: "scope", code: "invalid", message: "scope must be roots or all." },
    ]);
    expect(about.slug).toBe("about");
  });

  test("shows at most 100 articles of a category and counts them all", async () => {
    const big = await aCategory(workspace, { name: "Big", sequence: 0 });
    for (let number = 0; number < 101; number++) {
      await anArticle(workspace, {
        category: big,
        title: `Number ${number}`,
        slug: `number-${number}`,
        sequence: number,
      });
    }
    const [shown] = (await list()).categories;
    expect([shown.name, shown.articles_count, shown.articles.length]).toEqual(["Big", 101, 100]);
    expect(shown.articles[99].title).toBe("Number 99");
  });
});
