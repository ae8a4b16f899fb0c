import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "playwright/test";
import { createCategory, updateCategory } from "@/lib/categories/changes";
import { placeCategory } from "@/lib/categories/places";
import { inWorkspace } from "@/lib/db";
import { aCategory, anArticle } from "@/testing/workspace";
import {
  actor,
  ask,
  choose,
  complaintsOf,
  expectAccessible,
  message,
  overflow,
  signedIn,
  signIn,
  signInByForm,
  type TestWorkspace,
  test,
} from "./kit";

test.setTimeout(120_000);

/** Creates categories, each below the one before the colon: "Guides", "Guides: Install". Returns their ids by name. */
async function categories(workspace: TestWorkspace, names: string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  await inWorkspace(workspace.id, async (db) => {
    for (const text of names) {
      const [name = "", above] = text.split(": ").reverse();
      const parentId = (above && ids[above]) || null;
      ids[name] = (await createCategory(db, { name, parentId }, actor)).id;
    }
  });
  return ids;
}

const article = (workspace: TestWorkspace, category: { id: string; name: string }, title: string, sequence = 0) =>
  anArticle(workspace, { category, title, sequence });

const line = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true });

/** The tree as text: each level in order, subcategories in brackets. */
async function treeOf(page: Page): Promise<string> {
  const lines = await page.getByRole("treeitem").evaluateAll((all) =>
    all.map((one) => ({
      level: Number(one.getAttribute("aria-level")),
      name: document.getElementById(one.getAttribute("aria-labelledby") ?? "")?.textContent ?? "",
    })),
  );
  let text = "";
  let before = 0;
  for (const { level, name } of lines) {
    if (level > before) text += "(".repeat(before === 0 ? 0 : level - before);
    else text += `${")".repeat(before - level)} `;
    text += name;
    before = level;
  }
  return text + ")".repeat(Math.max(0, before - 1));
}

/** Drags something with the mouse to a fraction of a target's height. */
async function drag(page: Page, from: Locator, to: Locator, part: number, sideways = 0): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error("Nothing to drag.");
  const x = start.x + 140;
  await page.mouse.move(x, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 8, start.y + start.height / 2 + 8);
  await page.mouse.move(x + sideways, end.y + end.height * part, { steps: 6 });
  await page.mouse.up();
}

test("categories are moved by mouse: into another, between others and out, and each move can be undone", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const ids = await categories(workspace, ["Guides", "Guides: Install", "Guides: Upgrade", "Billing", "News"]);
  await article(workspace, { id: ids.Billing ?? "", name: "Billing" }, "Pay by card");
  const complaints = complaintsOf(page);
  await signInByForm(page, workspace);
  await page.getByRole("link", { name: "Categories", exact: true }).first().click();
  await expect(line(page, "Billing")).toContainText("1 article");
  await expectAccessible(page);

  await drag(page, line(page, "Billing"), line(page, "Guides"), 0.5);
  await expect(message(page)).toContainText("Moved “Billing” to 3 of 3 in “Guides.”");
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Upgrade Billing) News");
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Moved “Billing” back.");
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Upgrade) Billing News");

  await drag(page, line(page, "News"), line(page, "Guides"), 0.1);
  await expect(message(page)).toContainText("Moved “News” to 1 of 3 at the top level.");
  // After the last of a level, and one level further up.
  await drag(page, line(page, "Install"), line(page, "Upgrade"), 0.9, -26);
  await expect(message(page)).toContainText("Moved “Install” to 3 of 4 at the top level.");
  await expect.poll(() => treeOf(page)).toBe("News Guides(Upgrade) Install Billing");
  await page.reload();
  await expect(line(page, "Billing")).toBeVisible();
  await expect.poll(() => treeOf(page)).toBe("News Guides(Upgrade) Install Billing");

  // Escape cancels the drag, and a click after it is a normal click.
  const box = await line(page, "News").boundingBox();
  await page.mouse.move((box?.x ?? 0) + 140, (box?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 140, (box?.y ?? 0) + 110, { steps: 4 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect.poll(() => treeOf(page)).toBe("News Guides(Upgrade) Install Billing");

  // A category cannot move below itself, so only the next move counts.
  await drag(page, line(page, "Guides"), line(page, "Upgrade"), 0.5);
  await expect.poll(() => treeOf(page)).toBe("News Guides(Upgrade) Install Billing");
  await drag(page, line(page, "News"), line(page, "Billing"), 0.9);
  await expect(message(page)).toContainText("Moved “News” to 4 of 4 at the top level.");
  await page.reload();
  await expect(line(page, "Billing")).toBeVisible();
  await expect.poll(() => treeOf(page)).toBe("Guides(Upgrade) Install Billing News");
  expect(complaints).toEqual([]);
});

test("the keyboard goes through the tree, moves, names, creates and deletes, and all of it is said", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await categories(workspace, ["Guides", "Guides: Install", "Guides: Upgrade", "Billing", "News"]);
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories`);
  await line(page, "Guides").focus();
  const at = (name: string) => expect(line(page, name)).toBeFocused();
  const said = page.locator("p[role=status]");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("ArrowDown", "ArrowDown");
  await at("Upgrade");
  await press("ArrowLeft");
  await at("Guides");
  await press("ArrowLeft");
  await expect(line(page, "Guides")).toHaveAttribute("aria-expanded", "false");
  await expect(line(page, "Install")).toHaveCount(0);
  await press("ArrowRight", "ArrowRight");
  await at("Install");
  await press("End");
  await at("News");
  await press("Home");
  await at("Guides");
  await press("b");
  await at("Billing");

  await press("Alt+ArrowUp");
  await expect(said).toHaveText("Moved “Billing” to 1 of 3 at the top level.");
  await at("Billing");
  await press("Alt+ArrowUp");
  await expect(said).toHaveText("“Billing” is already first.");
  await press("Alt+ArrowDown", "Alt+ArrowRight");
  await expect(said).toHaveText("Moved “Billing” to 3 of 3 in “Guides.”");
  await at("Billing");
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Upgrade Billing) News");
  await press("Alt+ArrowUp", "Alt+ArrowLeft");
  await expect(said).toHaveText("Moved “Billing” to 2 of 3 at the top level.");
  await expect(message(page)).toContainText("Moved “Billing” to 2 of 3 at the top level.");
  await press("Control+z");
  await expect(said).toHaveText("Moved “Billing” to 2 of 3 in “Guides.”");
  await expect(message(page)).toContainText("Moved “Billing” back.");
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Billing Upgrade) News");

  await press("F2");
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("Nonsense");
  await press("Escape");
  await at("Billing");
  await press("Enter");
  await page.keyboard.type("Payments");
  await press("Tab");
  await expect(page.getByRole("textbox", { name: "URL slug" })).toBeFocused();
  await page.keyboard.type("news");
  await press("Enter");
  await expect(page.getByText("Another category has this slug. Choose another one.")).toBeVisible();
  await page.getByRole("textbox", { name: "URL slug" }).fill("Paying for coffee");
  await press("Enter");
  await at("Payments");
  await expect(said).toHaveText("Saved “Payments.” Its URL is /categories/paying-for-coffee.");

  await press("Shift+Enter");
  await page.keyboard.type("Refunds");
  await press("Enter");
  await at("Refunds");
  await press("Control+Enter");
  await page.keyboard.type("Abroad");
  await press("Enter");
  await at("Abroad");
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Payments Refunds(Abroad) Upgrade) News");
  await press("Shift+Enter", "Escape");
  await at("Abroad");

  await press("Delete");
  await expect(message(page)).toContainText("Deleted “Abroad”");
  await at("Upgrade");
  await message(page).getByRole("button", { name: "Undo" }).click();
  await at("Abroad");
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Payments Refunds(Abroad) Upgrade) News");

  await press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: "Edit name and URL" })).toBeFocused();
  await expectAccessible(page);
  await press("Escape");
  await at("Abroad");
  await press("Shift+F10", "d", "d");
  await expect(page.getByRole("menuitem", { name: "Delete" })).toBeFocused();
  await press("Enter");
  await expect(message(page)).toContainText("Deleted “Abroad”");
  await page.reload();
  await expect(line(page, "News")).toBeVisible();
  await expect.poll(() => treeOf(page)).toBe("Guides(Install Payments Refunds Upgrade) News");
  expect(complaints).toEqual([]);
});

test("a move that is refused is taken back, and the page says why and shows what someone else did", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const ids = await categories(workspace, [
    ...["One", "One: Two", "Two: Three", "Three: Four", "Four: Five", "Five: Six"],
    ...["Billing", "News"],
  ]);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories`);
  await drag(page, line(page, "Billing"), line(page, "Six"), 0.5);
  await expect(message(page)).toContainText("Categories can have up to 6 levels. Move “Billing” further up.");
  await expect.poll(() => treeOf(page)).toBe("One(Two(Three(Four(Five(Six))))) Billing News");

  await inWorkspace(workspace.id, (db) =>
    placeCategory(db, ids.Billing ?? "", { parentId: ids.One ?? "", before: null }, actor),
  );
  await line(page, "Billing").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(message(page)).toContainText("Not moved. Someone moved “Billing,” and it is now in “One.”");
  await expect.poll(() => treeOf(page)).toBe("One(Two(Three(Four(Five(Six)))) Billing) News");
  await expect(line(page, "Billing")).toBeFocused();

  await page.keyboard.press("F2");
  await inWorkspace(workspace.id, (db) => updateCategory(db, ids.Billing ?? "", { name: "Invoices" }, actor));
  await page.keyboard.type("Payments");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Not saved. Someone else changed “Invoices.”")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Payments");

  await page.route("**/admin/categories", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(message(page)).toContainText("Can't reach the server, and nothing was changed.");
  await expect.poll(() => treeOf(page)).toMatch(/\) News$/);
});

test("a category is merged into another and one is deleted; their addresses lead to where things went, or are gone", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const ids = await categories(workspace, ["Guides", "Guides: Install", "Billing", "News"]);
  for (const name of ["Guides", "Install", "Billing"]) {
    await article(workspace, { id: ids[name] ?? "", name }, `About ${name}`);
  }
  const complaints = complaintsOf(page);
  const host = new URL(workspace.url).host;
  const answer = async (path: string) => {
    const { status, headers } = await ask(host, path);
    return [status, headers.location];
  };
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories`);
  await page.getByRole("button", { name: "Actions for Billing" }).click();
  await page.getByRole("menuitem", { name: "Merge…" }).click();
  await expect(page.getByRole("heading", { name: "Merge “Billing” into another category" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Merge into" }).click();
  await expect(page.locator("[role=option]")).toHaveText(["Guides", "InstallGuides", "News"]);
  await choose(page, "Merge into", "guides install");
  await page.getByRole("button", { name: "Merge category" }).click();
  await expect(message(page)).toContainText("Merged into “Install.” The old URL redirects there.");
  await expect(line(page, "Install")).toContainText("2 articles");
  expect(await answer("/categories/billing")).toEqual([301, "/categories/install"]);

  await line(page, "Guides").focus();
  await page.keyboard.press("Delete");
  await expect(page.getByRole("heading", { name: "Delete “Guides”" })).toBeVisible();
  await expect(
    page.getByText("1 article and 1 subcategory will move to the end of the category you choose."),
  ).toBeVisible();
  await expectAccessible(page);
  await choose(page, "Move contents to", "News");
  await page.getByRole("button", { name: "Delete category" }).click();
  await expect(message(page)).toContainText("Category deleted. Its contents are in “News.”");
  await expect.poll(() => treeOf(page)).toBe("News(Install)");
  expect(await answer("/categories/guides")).toEqual([301, "/categories/news"]);

  await page.getByRole("link", { name: "Create category" }).click();
  await page.getByLabel("Name").fill("Empty");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create category" }).click();
  await expect(message(page)).toContainText("Created “Empty”");
  await line(page, "Empty").focus();
  await page.keyboard.press("Delete");
  await expect(message(page)).toContainText("Deleted “Empty”");
  expect(await answer("/categories/empty")).toEqual([410, undefined]);
  expect(complaints).toEqual([]);
});

test("a category's page changes name, address, description and who may read, which closes all below", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const ids = await categories(workspace, ["Guides", "Guides: Install", "News"]);
  await article(workspace, { id: ids.Install ?? "", name: "Install" }, "Get it running");
  const host = new URL(workspace.url).host;
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories/${ids.Guides}`);
  await page.getByLabel("Name").fill("");
  await page.getByLabel("Name").fill("   ");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("A category needs a name.")).toBeVisible();
  await page.getByLabel("Name").fill("Handbook");
  await page.getByLabel("URL slug").fill("handbook");
  await page.getByLabel("Description").fill("All there is to know.");
  await page.getByLabel("Visibility").selectOption("Members only");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Saved “Handbook”");
  await expectAccessible(page);
  expect((await ask(host, "/articles/get-it-running")).status).toBe(404);
  await page.goto(`${workspace.url}/admin/categories/${ids.Install}`);
  await expect(page.getByText("“Handbook” is members-only, so this category is too.")).toBeVisible();
  await page.goto(`${workspace.url}/admin/categories`);
  await expect(line(page, "Handbook")).toContainText("Members only");
  await expect(line(page, "Install")).toContainText("Members only (inherited)");

  await line(page, "Install").focus();
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(message(page)).toContainText("Everyone can read it now.");
  expect((await ask(host, "/articles/get-it-running")).status).toBe(200);
});

test("everything can be done without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await page.goto(`${workspace.url}/admin/categories`);
  await expect(page.getByRole("heading", { name: "No categories yet" })).toBeVisible();
  for (const name of ["Guides", "Billing", "News"]) {
    await page.goto(`${workspace.url}/admin/categories/new`);
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Create category" }).click();
    await expect(message(page)).toContainText(`Created “${name}”`);
  }
  const names = page.getByRole("main").getByRole("listitem").locator("a.font-medium");
  await expect(names).toHaveText(["Guides", "Billing", "News"]);
  await page.getByRole("link", { name: "News", exact: true }).click();
  await page.getByLabel("Position").fill("1");
  await page.getByRole("button", { name: "Move" }).click();
  await expect(message(page)).toContainText("Moved “News.”");
  await page.goto(`${workspace.url}/admin/categories`);
  await expect(names).toHaveText(["News", "Guides", "Billing"]);
  await page.getByRole("link", { name: "Billing", exact: true }).click();
  await page.getByLabel("Parent").selectOption("Guides");
  await page.getByRole("button", { name: "Move" }).click();
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Moved “Billing” back.");
  await expect(names).toHaveText(["News", "Guides", "Billing"]);
  await page.getByRole("link", { name: "Billing", exact: true }).click();
  await page.getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete category" }).click();
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("“Billing” restored.");
  await expect(names).toHaveText(["News", "Guides", "Billing"]);
  await page.context().close();
});

test("a category is found by a word of its name, and counts the articles of its subcategories", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const windows = await aCategory(workspace, { name: "Windows" });
  const drivers = await aCategory(workspace, { name: "Printer drivers", parentId: windows.id });
  await aCategory(workspace, { name: "Linux" });
  await anArticle(workspace, { category: drivers, title: "Install a driver" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories`);
  await expect(line(page, "Windows")).toContainText("1 article");
  await page.keyboard.press("/");
  await page.keyboard.type("driver");
  await expect(line(page, "Linux")).toHaveCount(0);
  await expect(line(page, "Printer drivers")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await expect(line(page, "Windows")).toBeFocused();
  await page.getByLabel("Search categories").fill("mac");
  await expect(page.getByText("No categories found")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(line(page, "Linux")).toBeVisible();

  await line(page, "Windows").getByRole("link", { name: "1 article" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Install a driver" })).toBeVisible();
  await page.goto(`${workspace.url}/admin/categories/${drivers.id}/articles`);
  await page.getByRole("link", { name: "Install a driver" }).click();
  await expect(page).toHaveURL(/\/admin\/articles\/[0-9a-f-]{36}$/);
});

test("articles of a category are put in order by mouse and keyboard, five hundred of them", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const ids = await categories(workspace, ["Guides"]);
  await inWorkspace(workspace.id, async (db) => {
    const made = Array.from({ length: 500 }, (_, index) => ({ id: randomUUID(), title: `Article ${index + 1}` }));
    await db.article.createMany({
      data: made.map(({ id, title }, index) => ({
        ...{ id, title, slug: `article-${index + 1}`, permalink: `a-${id.slice(0, 8)}`, sequence: index + 1 },
        ...{ categoryId: ids.Guides ?? "", authorId: workspace.memberId, state: "published" },
      })),
    });
    const texts = { html: "", renderedHtml: "", text: "", excerpt: "", markdown: "" };
    await db.articleLive.createMany({ data: made.map(({ id, title }) => ({ id, title, ...texts })) });
  });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories`);
  await page.getByRole("button", { name: "Actions for Guides" }).click();
  await page.getByRole("menuitem", { name: "Reorder articles" }).click();
  const items = page.getByRole("list", { name: "Articles in order" }).getByRole("listitem");
  await expect(items).toHaveCount(500);
  const first = async (count: number) =>
    (await items.allTextContents()).slice(0, count).map((text) => text.replace(/^\d+/, ""));
  await expectAccessible(page, "ol > li:nth-child(n + 11)");

  await drag(page, items.nth(0), items.nth(2), 0.9);
  await expect(message(page)).toContainText("Moved “Article 1” to 3 of 500.");
  await expect.poll(() => first(4)).toEqual(["Article 2", "Article 3", "Article 1", "Article 4"]);
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Moved “Article 1” to 1 of 500.");
  await expect.poll(() => first(3)).toEqual(["Article 1", "Article 2", "Article 3"]);

  const grip = (title: string) => page.getByRole("button", { name: new RegExp(`^Move ${title}, number`) });
  await grip("Article 1").focus();
  await page.keyboard.press("End");
  await expect(grip("Article 500")).toBeFocused();
  await page.keyboard.press("Alt+Home");
  await expect(page.locator("p[role=status]")).toHaveText("Moved “Article 500” to 1 of 500.");
  await expect(grip("Article 500")).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(message(page)).toContainText("Moved “Article 500” to 2 of 500.");
  await expect.poll(() => first(3)).toEqual(["Article 1", "Article 500", "Article 2"]);
  await page.reload();
  await expect.poll(() => first(3)).toEqual(["Article 1", "Article 500", "Article 2"]);
  // Readers get the same order.
  const { body } = await ask(new URL(workspace.url).host, "/categories/guides");
  expect(body.indexOf("/articles/article-500")).toBeLessThan(body.indexOf('/articles/article-2"'));

  await page.getByText("Move an article").click();
  await page.getByLabel("Article", { exact: true }).selectOption("3. Article 2");
  await page.getByLabel("Position", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(message(page)).toContainText("Moved “Article 2” to position 1.");
  await expect.poll(() => first(2)).toEqual(["Article 2", "Article 1"]);
  expect(complaints).toEqual([]);
});

test("a phone has a menu for each category, and a finger drags by the grip", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const ids = await categories(workspace, [
    "Guides",
    "Guides: Installing and upgrading it on your own server",
    "Billing",
    "News",
  ]);
  await article(workspace, { id: ids.Guides ?? "", name: "Guides" }, "One");
  await article(workspace, { id: ids.Guides ?? "", name: "Guides" }, "Two");
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await signedIn(browser, workspace, phone);
  for (const path of ["", "/new", ...["", "/articles", "/merge", "/delete"].map((part) => `/${ids.Guides}${part}`)]) {
    await page.goto(`${workspace.url}/admin/categories${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect.poll(() => overflow(page)).toBe(0);
  }
  await page.goto(`${workspace.url}/admin/categories`);
  await page.getByRole("button", { name: "Actions for News" }).tap();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Move up" }).tap();
  await expect(message(page)).toContainText("Moved “News” to 2 of 3 at the top level.");

  // A touch gesture, as the browser receives it.
  const devtools = await page.context().newCDPSession(page);
  const [from, to] = [
    await line(page, "News").locator("[data-grip]").boundingBox(),
    await line(page, "Guides").boundingBox(),
  ];
  const x = (from?.x ?? 0) + 12;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", y: number) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  await touch("touchStart", (from?.y ?? 0) + 20);
  for (let move = 1; move <= 5; move++) {
    await touch("touchMove", (from?.y ?? 0) + 20 - (((from?.y ?? 0) - (to?.y ?? 0)) * move) / 5);
  }
  await touch("touchMove", (to?.y ?? 0) + (to?.height ?? 0) / 2);
  await touch("touchEnd", 0);
  await expect(message(page)).toContainText("Moved “News” to 2 of 2 in “Guides.”");

  await page.goto(`${workspace.url}/admin/categories/${ids.Guides}/articles`);
  await page.getByRole("button", { name: "Move Two up" }).tap();
  await expect(message(page)).toContainText("Moved “Two” to 1 of 2.");
  await page.context().close();
});

test("a thousand categories are unfolded, walked through and moved without a wait", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, async (db) => {
    const roots = Array.from({ length: 40 }, (_, number) => ({
      name: `Root ${number}`,
      slug: `root-${number}`,
      sequence: number,
    }));
    await db.category.createMany({ data: roots });
    const made = await db.category.findMany({ orderBy: { sequence: "asc" }, select: { id: true } });
    for (const [index, { id: parentId }] of made.entries()) {
      const data = Array.from({ length: 24 }, (_, number) => ({
        ...{ name: `Leaf ${index} ${number}`, slug: `leaf-${index}-${number}`, sequence: number, parentId },
      }));
      await db.category.createMany({ data });
    }
  });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/categories`);
  await expect(page.getByRole("treeitem")).toHaveCount(40);
  await page.getByRole("button", { name: "Expand all" }).click();
  await expect(page.getByRole("treeitem")).toHaveCount(1000);
  await line(page, "Leaf 3 3").focus();
  // From a key to the next picture.
  const frames = await page.evaluate(async () => {
    const list = document.querySelector("[role=tree]");
    const times: number[] = [];
    for (let move = 0; move < 10; move++) {
      const began = performance.now();
      list?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", altKey: move % 2 === 0, bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b);
  });
  console.log(
    `1,000 categories: a key takes ${Math.round(frames[5] ?? 0)} ms, at most ${Math.round(frames[9] ?? 0)} ms`,
  );
  expect(frames[5]).toBeLessThan(250);
});
