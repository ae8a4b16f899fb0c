import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { emptyText } from "@/lib/articles/article-text";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

const base = "/api/external/v2/articles";

let workspace: TestWorkspace;
let guides: { id: string; name: string; slug: string };
let basics: { id: string; name: string; slug: string };
let site: string;
let uploadId: string;

const list = (query = "") => call(paths["/articles"], workspace, base + query);
const detail = (name: string) => call(paths["/articles/{article_id}"], workspace, `${base}/${name}`);
const slugs = async (query = "") =>
  (await list(query)).body.articles.map(({ slug }: { slug: string }) => slug) as string[];
const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const linkTo = (article: { id: string; title: string; slug: string }) => ({
  id: article.id,
  title: article.title,
  slug: article.slug,
  url: `/articles/${article.slug}`,
  full_url: `${site}/articles/${article.slug}`,
});

const articles: Record<
  "install" | "upgrade" | "remove" | "plans" | "look",
  { id: string; slug: string; title: string }
> = {} as never;

beforeAll(async () => {
  workspace = await aWorkspace();
  site = `http://${workspace.subdomain}.localhost:3000`;
  guides = await aCategory(workspace, { name: "Guides", slug: "guides", description: "How to", sequence: 2 });
  basics = await aCategory(workspace, { name: "Basics", slug: "basics", parentId: guides.id });
  const store = (fields: Omit<Parameters<typeof anArticle>[1], "category"> & { category?: typeof guides }) =>
    anArticle(workspace, { category: guides, ...fields });
  articles.install = await store({
    title: "Install the agent",
    html: '<h2>Before you begin</h2><p>Check the <strong>disk</strong>.</p><h3>On Linux</h3><p><img src="/uploads/x.png" alt="src=&quot;/"></p>',
    tags: ["Setup", "Linux"],
    keywords: ["download", "deploy"],
    metaDescription: "How the agent is installed.",
    pageTitle: "Installing",
    sequence: 1,
    createdAt: day(1),
    updatedAt: day(20),
  });
  articles.upgrade = await store({
    title: "Upgrade the agent",
    html: "<p>Newer disks.</p>",
    tags: ["setup"],
    sequence: 2,
    createdAt: day(2),
    updatedAt: day(10),
  });
  articles.plans = await store({
    title: "Plans for the agent",
    state: "draft",
    html: "<p>Secret disk plans.</p>",
    sequence: 3,
    createdAt: day(3),
    updatedAt: day(3),
  });
  articles.remove = await store({
    title: "Remove the agent",
    sequence: 4,
    createdAt: day(4),
    updatedAt: day(4),
    relatedIds: [articles.install.id, articles.plans.id],
  });
  articles.look = await store({ title: "A first look", category: basics, createdAt: day(5), updatedAt: day(5) });
  uploadId = await inWorkspace(workspace.id, async (db) => {
    const file = { filename: "agent.pdf", contentType: "application/pdf", byteSize: 1234, createdAt: day(6) };
    const { id } = await db.upload.create({ data: { ...file, storageKey: "agent", sha256: new Uint8Array(32) } });
    const draftOnly = await db.upload.create({ data: { ...file, storageKey: "later", sha256: new Uint8Array(32) } });
    await db.articleAttachment.createMany({
      data: [
        { articleId: articles.install.id, uploadId: id, inLive: true, inDraft: true },
        { articleId: articles.install.id, uploadId: draftOnly.id, inLive: false, inDraft: true },
      ],
    });
    return id;
  });
});

describe("the list of articles", () => {
  test("holds both states, the newest first, with what a list item has", async () => {
    const { body } = await list();
    expect(body.articles.map(({ slug }: { slug: string }) => slug)).toEqual([
      "a-first-look",
      "remove-the-agent",
      "plans-for-the-agent",
      "upgrade-the-agent",
      "install-the-agent",
    ]);
    expect(body.articles[2]).toEqual({
      id: articles.plans.id,
      slug: "plans-for-the-agent",
      title: "Plans for the agent",
      state: "draft",
      visibility: "public",
      unique_views_count: 0,
      category: { id: guides.id, name: "Guides" },
      created_at: "2026-01-03T00:00:00.000Z",
      updated_at: "2026-01-03T00:00:00.000Z",
      full_url: `${site}/articles/plans-for-the-agent`,
    });
    expect(body.articles.some((article: object) => "content" in article)).toBe(false);
    const whole = await list("?include=content&state=draft");
    const { body: one } = await detail(articles.plans.id);
    const { html_content, content } = one.article;
    expect(whole.body.articles[0]).toMatchObject({ html_content, content });
    expect(body.pagination).toEqual({ total_records: 5, total_pages: 1, current_page_number: 1, page_size: 30 });
  });

  test("is filtered by category alone, by state, and by both", async () => {
    expect(await slugs(`?category_id=${basics.id}`)).toEqual(["a-first-look"]);
    expect(await slugs(`?category_id=${guides.id}`)).toHaveLength(4);
    expect(await slugs("?state=draft")).toEqual(["plans-for-the-agent"]);
    expect(await slugs(`?category_id=${guides.id}&state=published`)).toHaveLength(3);
  });

  test("of an unknown category, and of another workspace's, is empty", async () => {
    const other = await aWorkspace();
    const theirs = await aCategory(other);
    await anArticle(other, { category: theirs });
    for (const id of [theirs.id, "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d"]) {
      const { status, body } = await list(`?category_id=${id}`);
      expect([status, body.articles, body.pagination.total_records]).toEqual([200, [], 0]);
    }
  });

  test("finds words from their start in title and text of both states, and keeps its order", async () => {
    expect(await slugs("?search_term=dis")).toEqual(["plans-for-the-agent", "upgrade-the-agent", "install-the-agent"]);
    expect(await slugs("?search_term=agent%20disk&state=published&sort_by=title")).toEqual([
      "install-the-agent",
      "upgrade-the-agent",
    ]);
    expect(await slugs("?search_term=isk")).toEqual([]);
    // Only /search matches keywords and slugs.
    expect(await slugs("?search_term=download")).toEqual([]);
    expect(await slugs("?search_term=%3F%21")).toEqual([]);
    expect(await slugs("?search_term=")).toHaveLength(5);
  });

  test("is filtered by time of change, tag, author, external id and draft, and by all of them", async () => {
    const { id, admin, actor } = workspace;
    const author = await inWorkspace(id, (db) =>
      createMember(db, { email: "Grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" }, actor),
    );
    const published = await anArticle(workspace, {
      category: basics,
      title: "Filtered",
      tags: ["Live only"],
      externalId: "docs/Filtered.md",
      authorId: author.id,
      createdAt: new Date(day(1).getTime() + 3_600_000),
      updatedAt: day(30),
      draft: {
        ...emptyText,
        title: "Filtered",
        body: await derivedText(contentFromHtml("<p>New</p>")),
        tags: ["Draft only"],
        relatedIds: [],
        updatedAt: day(30),
        updatedBy: admin.id,
      },
    });
    const filtered = async (filters: Record<string, string>) => slugs(`?${new URLSearchParams(filters)}`);
    try {
      expect(await filtered({ updated_since: "2026-01-10T02:00:00+02:00" })).toEqual([
        "upgrade-the-agent",
        "filtered",
        "install-the-agent",
      ]);
      expect(await filtered({ updated_since: "2026-01-10T00:00:00.001Z" })).toEqual(["filtered", "install-the-agent"]);
      expect(await filtered({ tag: " SETUP" })).toEqual(["upgrade-the-agent", "install-the-agent"]);
      expect(await filtered({ tag: "live only" })).toEqual(["filtered"]);
      // Its draft has the tag, but the list shows the live text.
      expect(await filtered({ tag: "draft only" })).toEqual([]);
      expect(await filtered({ tag: "nothing" })).toEqual([]);
      expect(await filtered({ author_email: "gRACE@EXAMPLE.com" })).toEqual(["filtered"]);
      expect(await filtered({ author_email: "nobody@example.com" })).toEqual([]);
      expect(await filtered({ external_id: "docs/Filtered.md" })).toEqual(["filtered"]);
      expect(await filtered({ external_id: "docs/filtered.md" })).toEqual([]);
      expect(await filtered({ has_draft: "true" })).toEqual(["plans-for-the-agent", "filtered"]);
      expect(await filtered({ has_draft: "false" })).toHaveLength(4);
      const all = {
        updated_since: "2026-01-30T00:00:00Z",
        tag: "Live only",
        author_email: author.email,
        external_id: "docs/Filtered.md",
        has_draft: "true",
      };
      expect(await filtered({ ...all, state: "published" })).toEqual(["filtered"]);
      expect(await filtered({ ...all, has_draft: "false" })).toEqual([]);
      const { body } = await list("?updated_since=yesterday&has_draft=1");
      expect(body.details).toEqual([
        {
          field: "updated_since",
          code: "invalid",
          message: "updated_since must be a time with an offset, such as 2026-01-31T09:30:00Z. Encode + as %2B.",
        },
        { field: "has_draft", code: "invalid", message: "has_draft must be true or false." },
      ]);
    } finally {
      await inWorkspace(id, (db) => db.article.deleteMany({ where: { id: published.id } }));
    }
  });

  test("is sorted as asked, in any case of the direction", async () => {
    expect((await slugs("?sort_by=title"))[0]).toBe("a-first-look");
    expect((await slugs("?sort_by=title&order_by=DESC"))[0]).toBe("upgrade-the-agent");
    expect((await slugs("?sort_by=updated_at"))[0]).toBe("install-the-agent");
    expect((await slugs("?order_by=asc"))[0]).toBe("install-the-agent");
    expect((await list("?sort_by=unique_views_count")).status).toBe(200);
  });

  test("names every parameter of no use", async () => {
    const { status, body } = await list(
      "?state=live&category_id=guides&sort_by=slug&order_by=up&search_term=" + "x".repeat(201),
    );
    expect([status, body.details]).toEqual([
      422,
      [
        {
          field: "category_id",
          code: "invalid",
          message: "category_id must be the ID of a category, which is a UUID.",
        },
        { field: "state", code: "invalid", message: "state must be draft or published." },
        { field: "search_term", code: "too_long", message: "Search term can have up to 200 characters." },
        {
          field: "sort_by",
          code: "invalid",
          message: "sort_by must be created_at, updated_at, title, or unique_views_count.",
        },
        { field: "order_by", code: "invalid", message: "order_by must be ASC or DESC." },
      ],
    ]);
  });
});

describe("an article", () => {
  test("is answered whole", async () => {
    const { body } = await detail("install-the-agent");
    const { category, ...article } = body.article;
    expect(article).toEqual({
      id: articles.install.id,
      slug: "install-the-agent",
      title: "Install the agent",
      state: "published",
      visibility: "public",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-20T00:00:00.000Z",
      full_url: `${site}/articles/install-the-agent`,
      url: "/articles/install-the-agent",
      html_content: expect.stringContaining(`src="${site}/uploads/x.png"`),
      content: "Before you begin\nCheck the disk.\nOn Linux",
      author: {
        name: "Ada Admin",
        email: workspace.admin.email,
        profile_image_url: `${site}/avatars/${workspace.admin.id}.svg`,
      },
      tags: [
        { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Setup" },
        { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Linux" },
      ],
      attachments: [
        {
          id: uploadId,
          filename: "agent.pdf",
          content_type: "application/pdf",
          byte_size: 1234,
          url: `${site}/uploads/${uploadId}`,
          created_at: "2026-01-06T00:00:00.000Z",
        },
      ],
      // Nobody chose related articles: first the one that shares a tag, then the neighbors, never a draft.
      related_articles: [linkTo(articles.upgrade), linkTo(articles.remove)],
      keywords: ["download", "deploy"],
      next_article: linkTo(articles.upgrade),
      prev_article: {},
      table_of_contents: expect.stringContaining('href="#before-you-begin"'),
      show_table_of_contents: true,
    });
    expect(article.html_content).toContain('<h2 id="before-you-begin">');
    expect(body.meta).toEqual({
      url: `${site}/articles/install-the-agent`,
      page_title: "Installing",
      keywords: "download, deploy",
      meta_description: "How the agent is installed.",
    });
    expect(category).toMatchObject({
      id: guides.id,
      name: "Guides",
      depth: 0,
      articles_count: 3,
      total_articles_count: 4,
      children: [basics.id],
    });
    expect(category.articles.map(({ title }: { title: string }) => title)).toEqual([
      "Install the agent",
      "Upgrade the agent",
      "Remove the agent",
    ]);
    expect(category.subcategories[0]).toMatchObject({ id: basics.id, articles_count: 1 });
    expect(category.subcategories[0]).not.toHaveProperty("subcategories");
  });

  test("without SEO fields and neighbors has texts derived from it and empty objects", async () => {
    const { body } = await detail("a-first-look");
    expect(body.meta).toEqual({
      url: `${site}/articles/a-first-look`,
      page_title: "A first look",
      keywords: "",
      meta_description: "Nothing yet.",
    });
    expect([body.article.next_article, body.article.prev_article, body.article.table_of_contents]).toEqual([
      {},
      {},
      "",
    ]);
  });

  test("has the chosen related articles that are published, and skips drafts among its neighbors", async () => {
    const { body } = await detail("remove-the-agent");
    expect(body.article.related_articles).toEqual([linkTo(articles.install)]);
    expect(body.article.prev_article).toEqual(linkTo(articles.upgrade));
  });

  test("that is a draft answers its draft text", async () => {
    const { body } = await detail("plans-for-the-agent");
    expect([body.article.state, body.article.content]).toEqual(["draft", "Secret disk plans."]);
  });

  test("is found by id in any case, by slug, by permalink and by a former slug", async () => {
    const bySlug = (await detail("install-the-agent")).body;
    expect((await detail(articles.install.id)).body).toEqual(bySlug);
    expect((await detail(articles.install.id.toUpperCase())).body).toEqual(bySlug);
    const [row] = await acrossWorkspaces.query<{ permalink: string }>("SELECT permalink FROM articles WHERE id = $1", [
      articles.install.id,
    ]);
    expect(row?.permalink).toMatch(/^a-[0-9a-f]{8}$/);
    expect((await detail(row?.permalink ?? "")).body).toEqual(bySlug);
    const category = await aCategory(workspace);
    const moved = await anArticle(workspace, { category, title: "Old name" });
    await anArticle(workspace, { category, id: moved.id, title: "New name" });
    expect((await detail("old-name")).body).toEqual((await detail("new-name")).body);
    expect((await detail("new-name")).body.article.id).toBe(moved.id);
  });

  test("leaves the category's nesting out for clients that ask for a summary", async () => {
    const { body } = await detail("install-the-agent?category=summary");
    expect(body.article.category).toMatchObject({ id: guides.id, total_articles_count: 4, children: [basics.id] });
    expect(body.article.category).not.toHaveProperty("articles");
    expect(body.article.category).not.toHaveProperty("subcategories");
  });

  test("that does not exist is a 404, whatever its address looks like", async () => {
    for (const name of [
      "nothing",
      "a-00000000",
      "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d",
      "%20",
      "Install-The-Agent",
      "x".repeat(500),
    ]) {
      const { status, body } = await detail(name);
      expect([name, status, body]).toEqual([
        name,
        404,
        { error: "Not found. Check the ID in the URL.", code: "not_found" },
      ]);
    }
  });
});
