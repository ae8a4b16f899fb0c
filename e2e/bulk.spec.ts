import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { aCategory, anArticle } from "@/testing/workspace";
import { chooseAction, write, written } from "./desk";
import { choose, complaintsOf, expectAccessible, message, signIn, test } from "./kit";

test.setTimeout(120_000);

test("all results of a filter are selected, moved in the background, and moved back", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "many" });
  const [setup, other] = [await aCategory(workspace, { name: "Setup" }), await aCategory(workspace, { name: "Other" })];
  await aCategory(workspace, { name: "Guides" });
  const addArticles = (category: typeof setup, titles: string[]) =>
    inWorkspace(
      workspace.id,
      async (db) => {
        for (const title of titles) await anArticle(workspace, { category, title }, db);
      },
      30,
    );
  await addArticles(
    setup,
    Array.from({ length: 55 }, (_, index) => `Step ${index + 1}`),
  );
  await addArticles(other, ["Untouched"]);
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/articles?category=${setup.id}`);
  const bar = page.getByRole("group", { name: "Selected articles" });
  await page.getByLabel("Select all on this page").check();
  await expect(bar).toContainText("50 selected");
  // The bar is in one line, with room for a scrollbar and longer numbers.
  await page.setViewportSize({ width: 1240, height: 720 });
  expect((await bar.boundingBox())?.height).toBeLessThan(60);
  await bar.getByRole("button", { name: "Select all 55 results" }).click();
  await expect(bar).toContainText("55 selected");
  await expectAccessible(page);
  // Without one of its rows, the selection is the page's again.
  await page.getByRole("checkbox", { name: "Select Step 55", exact: true }).uncheck();
  await expect(bar).toContainText("49 selected");
  await page.getByLabel("Select all on this page").check();
  await bar.getByRole("button", { name: "Select all 55 results" }).click();
  await choose(page, "Category to move to", "Guides");
  await bar.getByRole("button", { name: "Move", exact: true }).click();
  await expect(message(page)).toContainText("55 articles moved to Guides.");
  await expect(page.getByRole("heading", { name: "No articles found" })).toBeVisible();

  // The undo is there after the message is gone.
  await page.goto(`${workspace.url}/admin/articles?sort=title`);
  await expect(message(page)).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "Guides" })).toHaveCount(50);
  const recent = page.getByRole("region", { name: "Your recent changes" });
  await expect(recent).toContainText("Moved 55 articles to Guides");
  await recent.getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("55 articles reverted.");
  await expect(page.getByRole("row").filter({ hasText: "Guides" })).toHaveCount(0);

  await page.goto(`${workspace.url}/admin/audit?subject=article`);
  const entries = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await expect(entries).toHaveCount(3);
  await expect(entries.nth(1)).toContainText("undid moving 55 articles from Setup to Guides");
  await expect(entries.nth(2)).toContainText("moved 55 articles from Setup to Guides");
  await entries.nth(2).getByRole("link", { name: "Open" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Setup → Guides" })).toHaveCount(50);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Step 12", exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/articles\/[0-9a-f-]{36}$/);
  expect(complaints).toEqual([]);
});

test("an article is published and moved from its menu in the list", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "row" });
  const category = await aCategory(workspace, { name: "Guides" });
  await aCategory(workspace, { name: "Other" });
  await anArticle(workspace, { category, title: "Fees", state: "draft" });
  await anArticle(workspace, { category, title: "Refunds", state: "draft" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/articles`);
  // Visible once scripts run.
  await expect(page.getByLabel("Select all on this page")).toBeVisible();
  await page.getByLabel("Select Fees").check();
  await page.getByRole("button", { name: "Actions for Refunds" }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Move…" }).click();
  const bar = page.getByRole("group", { name: "Selected articles" });
  await expect(bar).toContainText("1 selected");
  await expect(page.getByRole("combobox", { name: "Category to move to" })).toBeFocused();
  await page.getByRole("option", { name: "Other" }).click();
  await bar.getByRole("button", { name: "Move", exact: true }).click();
  await expect(message(page)).toContainText("1 article moved to Other.");
  const row = page.getByRole("row").filter({ hasText: "Refunds" });
  await expect(row).toContainText("Other");
  await expect(bar).toBeHidden();

  await page.getByRole("button", { name: "Actions for Refunds" }).click();
  await page.getByRole("menuitem", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(message(page)).toContainText("published");
  await page.goto(`${workspace.url}/admin/articles`);
  await expect(row).toContainText("Published");
  await page.getByRole("button", { name: "Actions for Refunds" }).click();
  await page.getByRole("menuitem", { name: "Unpublish…" }).click();
  await expect(page.getByRole("heading", { name: "Unpublish “Refunds”" })).toBeVisible();
});

test("an article is duplicated from the list and from the editor, and the copy opens", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "copies" });
  const category = await aCategory(workspace, { name: "Guides" });
  await anArticle(workspace, { category, title: "Refunds", html: "<p>Money back</p>", tags: ["Money"] });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/articles`);
  // Visible once scripts run.
  await expect(page.getByLabel("Select all on this page")).toBeVisible();
  await page.getByRole("button", { name: "Actions for Refunds" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(message(page)).toContainText("Article duplicated.");
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Copy of Refunds");
  await expect(written(page)).toHaveText("Money back");
  await write(page, "<p>Money back, soon</p>");
  await chooseAction(page, "Duplicate");
  // The copy of the copy has the text that was not saved yet.
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Copy of Copy of Refunds");
  await expect(written(page)).toHaveText("Money back, soon");
});

test("a new article starts from a draft that serves as a template", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "templates" });
  const category = await aCategory(workspace, { name: "Guides" });
  await aCategory(workspace, { name: "Other" });
  const published = { category, title: "Refunds", html: "<p>Money back</p>" };
  await anArticle(workspace, published);
  await anArticle(workspace, {
    ...published,
    title: "How-to template",
    html: "<p>Before you start</p>",
    state: "draft",
  });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/articles/new`);
  await page.getByLabel("Title").fill("Close an account");
  await choose(page, "Category", "Other");
  await page.getByRole("combobox", { name: "Start from" }).fill("template");
  await page.getByRole("option", { name: /How-to template/ }).click();
  await expect(page.getByRole("combobox", { name: "Start from" })).toHaveValue("How-to template");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create article" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Close an account");
  await expect(written(page)).toHaveText("Before you start");
  await expect(page.getByRole("combobox", { name: "Category" })).toHaveValue("Other");
});
