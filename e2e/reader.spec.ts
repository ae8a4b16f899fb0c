import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import {
  ask,
  complaintsOf,
  expectAccessible,
  overflow,
  password,
  signInByForm,
  submitSignIn,
  type TestWorkspace,
  test,
} from "./kit";
import { putArticle, putCategory } from "./library";

/** Guides (Install), News, and Secret for members, plus two former URLs, one of them of a deleted article. */
async function aLibrary(workspace: TestWorkspace) {
  const guides = await putCategory(workspace, "Guides", { sequence: 1, description: "How to do things." });
  const install = await putCategory(workspace, "Install", { parentId: guides });
  const news = await putCategory(workspace, "News", { sequence: 2 });
  const secret = await putCategory(workspace, "Secret", { sequence: 3, visibility: "members" });
  const first = await putArticle(workspace, guides, { title: "First steps", slug: "first-steps", sequence: 1 });
  await putArticle(workspace, guides, { title: "Second steps", slug: "second-steps", sequence: 2 });
  await putArticle(workspace, guides, { title: "Unfinished", slug: "unfinished", state: "draft" });
  await putArticle(workspace, install, { title: "On Linux", slug: "on-linux" });
  await putArticle(workspace, news, { title: "Hello", slug: "hello" });
  const plan = await putArticle(workspace, secret, { title: "The plan", slug: "the-plan" });
  await inWorkspace(workspace.id, (db) =>
    db.redirect.createMany({
      data: [
        { fromPath: "/articles/begin", kind: "article", articleId: first.id },
        { fromPath: "/categories/how-to", kind: "category", categoryId: guides },
        { fromPath: "/articles/to-plan", kind: "article", articleId: plan.id },
        { fromPath: "/old/handbook", kind: "url", url: "https://docs.example/handbook" },
        { fromPath: "/articles/retired", kind: "gone", categoryId: guides },
        { fromPath: "/articles/retired-plan", kind: "gone", categoryId: secret },
      ],
    }),
  );
  return { first, plan };
}

const secrets = ["Secret", "The plan", "Unfinished", "the-plan"];

const tree = (page: Page) => page.getByRole("navigation", { name: "Categories" });

test("a reader walks from the start page down to a category, without scripts and without what is not for them", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "walk" });
  await aLibrary(workspace);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(workspace.url);
  await expect(page).toHaveTitle("Harbour Coffee");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Coffee");
  await expect(page.getByPlaceholder("Search 4 articles")).toBeVisible();
  const categories = page.getByRole("region", { name: "Categories" });
  await expect(categories.getByRole("heading")).toHaveText(["Guides", "News"]);
  await expect(categories.getByText("3 articles", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Recently added" }).getByRole("listitem")).toHaveCount(4);
  const popular = page.getByRole("region", { name: "Popular articles" });
  await expect(popular).toHaveCount(0);
  for (const word of secrets) expect(await page.content()).not.toContain(word);

  await categories.getByRole("link", { name: "Guides" }).click();
  await expect(page).toHaveURL(`${workspace.url}/categories/guides`);
  await expect(page).toHaveTitle("Guides · Harbour Coffee");
  await expect(tree(page).locator("[aria-current=page]")).toContainText("Guides");
  await expect(page.getByRole("region", { name: "Articles" }).getByRole("heading")).toHaveText([
    "First steps",
    "Second steps",
  ]);
  await expect(tree(page).getByRole("link", { name: "Second steps" })).toHaveAttribute(
    "href",
    "/articles/second-steps",
  );
  for (const word of secrets) expect(await page.content()).not.toContain(word);

  await page.getByRole("region", { name: "Subcategories" }).getByRole("link", { name: "Install" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Install");
  const way = page.getByRole("navigation", { name: "Breadcrumbs" });
  await expect(way.getByRole("link")).toHaveText(["Home", "Guides"]);
  await way.getByRole("link", { name: "Guides" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Guides");
  await page.getByRole("searchbox").fill("linux");
  await page.getByRole("searchbox").press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/search?q=linux`);

  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { slug: "hello" }, data: { uniqueViewsCount: 1 } });
    // A view alone renders no page again.
    await db.category.updateMany({ where: { slug: "news" }, data: { description: "What is new." } });
  });
  await page.goto(workspace.url);
  await expect(popular.getByRole("link")).toHaveText(["HelloNews"]);
  await context.close();
});

for (const width of [1280, 390]) {
  test(`at ${width} pixels the pages are accessible in both themes and nothing runs off them`, async ({
    page,
    aWorkspace,
  }) => {
    test.setTimeout(120_000);
    const workspace = await aWorkspace({ name: "A knowledge base with a rather long name", subdomain: "reading" });
    await aLibrary(workspace);
    await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { accentColor: "#ffd400" } }));
    const complaints = complaintsOf(page);
    await page.setViewportSize({ width, height: 844 });
    const pages = [
      ["/", 200],
      ["/categories/guides", 200],
      ["/nothing/here", 404],
      ["/articles/retired", 410],
    ] as const;
    for (const [path, status] of pages) {
      expect([path, (await page.goto(workspace.url + path))?.status()]).toEqual([path, status]);
      await expect.poll(() => overflow(page)).toBe(0);
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  });
}

test("an old URL redirects with 301 and keeps the query", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Moved", subdomain: "moved" });
  const { first } = await aLibrary(workspace);
  const { host } = new URL(workspace.url);
  const moved = {
    "/articles/begin?from=mail&x=%20": "/articles/first-steps?from=mail&x=%20",
    [`/articles/${first.permalink}`]: "/articles/first-steps",
    "/categories/how-to": "/categories/guides",
    "/old/handbook?from=mail": "https://docs.example/handbook",
  };
  for (const [from, to] of Object.entries(moved)) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask(host, from, { method });
      expect([from, status, headers.location]).toEqual([from, 301, to]);
    }
  }
  await page.goto(`${workspace.url}/categories/how-to`);
  await expect(page).toHaveURL(`${workspace.url}/categories/guides`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Guides");
});

test("what is gone says so with 410, and offers the search and the categories", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Gone", subdomain: "gone" });
  await aLibrary(workspace);
  expect((await page.goto(`${workspace.url}/articles/retired`))?.status()).toBe(410);
  await expect(page).toHaveTitle("Article removed · Gone");
  await expect(page.getByRole("searchbox")).toBeVisible();
  const ways = page.getByRole("navigation", { name: "Or browse" });
  await expect(ways.getByRole("link")).toHaveText(["Home", "Guides", "News"]);
});

test("a hidden page is the 404 of a page that never was, and is there for a member", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Discreet", subdomain: "hidden" });
  const { plan } = await aLibrary(workspace);
  const visit = async (path: string) => {
    const answer = await page.goto(workspace.url + path);
    // Its scripts load the rest, so the comparison waits until everything is there.
    await expect(page.getByRole("group", { name: "Theme" })).toBeVisible();
    return { status: answer?.status(), title: await page.title(), said: await page.locator("body").innerText() };
  };
  const unknown = await visit("/articles/never-was");
  expect(unknown).toMatchObject({ status: 404, title: "Page not found · Discreet" });
  const hidden = ["/articles/the-plan", "/articles/to-plan", `/articles/${plan.permalink}`, "/categories/secret"];
  const feedback = ["/articles/never-was/feedback", "/articles/the-plan/feedback"];
  for (const path of [...hidden, "/articles/retired-plan", ...feedback]) {
    expect([path, await visit(path)]).toEqual([path, unknown]);
  }
  await signInByForm(page, workspace);
  expect(await visit("/categories/secret")).toMatchObject({ status: 200, title: "Secret · Discreet" });
});

test("a workspace for members leads others to its sign-in, and shows nothing but what is for everyone", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Club", subdomain: "club" });
  await aLibrary(workspace);
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
  for (const path of ["/", "/categories/guides", "/articles/begin", "/articles/retired", "/nothing"]) {
    await page.goto(workspace.url + path);
    await expect(page).toHaveURL(`${workspace.url}/admin/sign-in?${new URLSearchParams({ to: path })}`);
    await expect(page.getByText("This knowledge base is private")).toBeVisible();
    for (const word of [...secrets, "Guides", "First steps"]) expect(await page.content()).not.toContain(word);
  }
  await expectAccessible(page);
  await page.goto(`${workspace.url}/categories/guides`);
  await submitSignIn(page, workspace.email, password);
  await expect(page).toHaveURL(`${workspace.url}/categories/guides`);
  await expect(page.getByRole("contentinfo")).toContainText("Ada Lovelace");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in?to=%2F`);

  await page.context().clearCookies();
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { slug: "news" }, data: { visibility: "everyone" } }),
  );
  expect((await page.goto(workspace.url))?.status()).toBe(200);
  await expect(page.getByRole("region", { name: "Categories" }).getByRole("heading")).toHaveText(["News"]);
  for (const path of ["/categories/guides", "/articles/begin", "/never-was"]) {
    await page.goto(workspace.url + path);
    await expect(page).toHaveURL(`${workspace.url}/admin/sign-in?${new URLSearchParams({ to: path })}`);
  }
});

test("the keyboard passes the frame by its first stop, and on a phone opens and closes the tree", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Keyboard", subdomain: "keys" });
  await aLibrary(workspace);
  await page.goto(`${workspace.url}/categories/guides`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${workspace.url}/categories/guides`);
  await expect(tree(page)).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).focus();
  await page.keyboard.press("Enter");
  await expect(tree(page)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(tree(page).getByRole("link", { name: "Guides" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(tree(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Menu" })).toBeFocused();
});

test("on a phone the tree opens without scripts too", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Pocket", subdomain: "pocket" });
  await aLibrary(workspace);
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${workspace.url}/categories/guides`);
  await expect(tree(page)).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await tree(page).getByRole("link", { name: "News" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("News");
  await context.close();
});

test("a theme that was chosen stays, and is there before the page is drawn", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Themes", subdomain: "themes" });
  const context = await browser.newContext({ colorScheme: "light" });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto(workspace.url);
  const light = await ground();
  await page.getByRole("radio", { name: "System" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  const dark = await ground();
  expect(dark).not.toBe(light);
  // The HTML up to the start of its body, before any script of the application.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("body")) return;
      observer.disconnect();
      document.documentElement.setAttribute("data-seen", document.documentElement.dataset.theme ?? "none");
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-seen", "dark");
  expect(await ground()).toBe(dark);
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await page.getByText("System", { exact: true }).click();
  expect(await ground()).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await ground()).toBe(dark);
  expect(complaints).toEqual([]);
  await context.close();

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const without = await plain.newPage();
  await without.goto(workspace.url);
  await expect(without.getByRole("link", { name: "Team sign-in" }).first()).toBeVisible();
  await expect(without.getByText("Dark", { exact: true })).toBeHidden();
  await plain.close();
});

test("the workspace's color is the accent, in a readable shade", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Colorful", subdomain: "color" });
  const complaints = complaintsOf(page);
  const accent = async (colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme });
    return page.evaluate(() => {
      const monogram = document.querySelector("header a > span[aria-hidden]") as Element;
      return getComputedStyle(monogram).backgroundColor;
    });
  };
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { accentColor: "#0b5cad" } }));
  await page.goto(workspace.url);
  expect(await accent("light")).toBe("rgb(11, 92, 173)");
  expect(await accent("dark")).not.toBe("rgb(11, 92, 173)");
  expect(complaints).toEqual([]);
});

test("a long category has pages that lead to each other", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Long", subdomain: "long" });
  const many = await putCategory(workspace, "Many");
  for (let number = 1; number <= 101; number++) {
    await putArticle(workspace, many, { title: `Number ${number}`, slug: `number-${number}`, sequence: number });
  }
  await page.goto(`${workspace.url}/categories/many`);
  const titles = page.getByRole("region", { name: "Articles" }).getByRole("heading");
  await expect(titles).toHaveCount(100);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveTitle("Many, page 2 · Long");
  await expect(titles).toHaveText(["Number 101"]);
  await expect(page.getByRole("link", { name: "Previous" })).toHaveAttribute("rel", "prev");
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page).toHaveURL(`${workspace.url}/categories/many`);
  for (const query of ["?page=3", "?page=0", "?page=x", "?page=1&page=2"]) {
    expect([query, (await page.goto(`${workspace.url}/categories/many${query}`))?.status()]).toEqual([query, 404]);
  }
});

test("of many categories each is on a page, and no page names them all", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Forest", subdomain: "forest" });
  for (let number = 1; number <= 61; number++) {
    const name = `Root ${String(number).padStart(2, "0")}`;
    const category = await putCategory(workspace, name, { sequence: number });
    await putArticle(workspace, category, { title: `In ${name}`, slug: `in-${number}` });
  }
  await page.goto(workspace.url);
  const categories = page.getByRole("region", { name: "Categories" });
  await expect(categories.getByRole("heading")).toHaveCount(24);
  await expect(page.getByPlaceholder("Search 61 articles")).toBeVisible();
  await categories.getByRole("link", { name: "All categories" }).click();
  await expect(page).toHaveURL(`${workspace.url}/categories`);
  await expect(page).toHaveTitle("All categories · Forest");
  await expect(categories.getByRole("link")).toHaveCount(60);
  await expect(tree(page).getByRole("link")).toHaveCount(61);
  await expect(tree(page).getByRole("link").last()).toHaveText("All categories");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(categories.getByRole("heading")).toHaveText(["Root 61"]);
  await categories.getByRole("link", { name: "Root 61" }).click();
  await expect(tree(page).locator("[aria-current=page]")).toContainText("Root 61");
  expect((await page.goto(`${workspace.url}/categories?page=3`))?.status()).toBe(404);
  const ways = page.getByRole("navigation", { name: "Or browse" });
  await expect(ways.getByRole("link")).toHaveCount(14);
  const { body } = await ask(new URL(workspace.url).host, "/search/suggestions?q=xyzzyq");
  expect((JSON.parse(body) as { categories: object[] }).categories).toHaveLength(12);
  await page.goto(`${workspace.url}/search?q=xyzzyq`);
  await expect(page.getByRole("main").getByRole("link")).toHaveCount(13);
});
