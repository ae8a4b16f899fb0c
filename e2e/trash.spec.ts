import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { addRedirect } from "@/lib/redirects/redirects";
import { addSynonym } from "@/lib/synonyms/synonyms";
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
  type TestWorkspace,
  test,
} from "./kit";

test.setTimeout(120_000);

const statusOf = async (workspace: TestWorkspace, path: string) =>
  (await ask(new URL(workspace.url).host, path)).status;

/** One item of each kind that can be deleted. */
async function things(workspace: TestWorkspace) {
  const category = await aCategory(workspace, { name: "Guides", slug: "guides" });
  const other = await aCategory(workspace, { name: "Billing", slug: "billing" });
  const article = await anArticle(workspace, { category, title: "Refunds", slug: "refunds" });
  await anArticle(workspace, { category: other, title: "Invoices", slug: "invoices" });
  await inWorkspace(workspace.id, async (db) => {
    await addRedirect(db, { from: "/help", to: { kind: "article", id: article.id } }, workspace.url, actor);
    await addSynonym(db, { term: "pto", replacements: ["vacation"] }, actor);
  });
  return { article, other };
}

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

test("an article, a category, a redirect and a synonym are deleted, and restored from the trash", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { article, other } = await things(workspace);
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/trash`);
  await expect(page.getByRole("heading", { name: "The trash is empty" })).toBeVisible();
  await page.goto(`${workspace.url}/admin/redirects`);
  await page.getByRole("button", { name: "Remove /help" }).click();
  await expect(message(page)).toContainText("Redirect from /help removed");
  await page.goto(`${workspace.url}/admin/synonyms`);
  await page.getByRole("button", { name: "Remove pto" }).click();
  await expect(message(page)).toContainText("Synonym “pto” removed");
  await page.goto(`${workspace.url}/admin/articles/${article.id}/delete`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("Article deleted");
  await page.goto(`${workspace.url}/admin/categories/${other.id}/delete`);
  await choose(page, "Move contents to", "Guides");
  await page.getByRole("button", { name: "Delete category" }).click();
  await expect(message(page)).toContainText("Category deleted. Its contents are in “Guides.”");
  expect(await statusOf(workspace, "/articles/refunds")).toBe(410);
  expect(await statusOf(workspace, "/categories/billing")).toBe(301);
  expect(await statusOf(workspace, "/help")).toBe(404);

  await page.getByRole("link", { name: "Trash" }).first().click();
  await expect(page.getByRole("row")).toHaveCount(5);
  await expect(row(page, "Refunds")).toContainText("Ada Lovelace");
  await expect(row(page, "Refunds")).toContainText("30 days");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Restore /help" }).click();
  await expect(message(page)).toContainText("Nothing restored. The destination of this redirect was deleted.");
  await page.getByRole("button", { name: "Restore Refunds" }).click();
  await expect(message(page)).toContainText("“Refunds” restored.");
  expect(await statusOf(workspace, "/articles/refunds")).toBe(200);
  await page.getByRole("button", { name: "Restore Billing" }).click();
  await expect(message(page)).toContainText("“Billing” restored.");
  expect(await statusOf(workspace, "/categories/billing")).toBe(200);
  expect((await ask(new URL(workspace.url).host, "/categories/billing")).body).toContain("Invoices");
  await page.getByLabel("Select all on this page").check();
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.getByRole("button", { name: "Restore", exact: true }).first().click();
  await expect(message(page)).toContainText("2 items restored.");
  await expect(page.getByRole("heading", { name: "The trash is empty" })).toBeVisible();
  expect(await statusOf(workspace, "/help")).toBe(301);
  await page.goto(`${workspace.url}/admin/synonyms`);
  await expect(row(page, "pto")).toContainText("vacation");
  expect(complaints).toEqual([]);
});

test("the trash is filtered on a phone, and one thing is deleted permanently after a question", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await things(workspace);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/redirects`);
  await page.getByRole("button", { name: "Remove /help" }).click();
  await expect(message(page)).toContainText(" removed");
  await page.goto(`${workspace.url}/admin/synonyms`);
  await page.getByRole("button", { name: "Remove pto" }).click();
  await expect(message(page)).toContainText(" removed");
  await page.goto(`${workspace.url}/admin/trash?kind=synonym`);
  await expect(row(page, "pto")).toBeVisible();
  await expect(row(page, "/help")).toHaveCount(0);
  await page.getByLabel("Search trash").fill("nothing like it");
  await expect(page.getByRole("heading", { name: "No items found" })).toBeVisible();
  await page.getByRole("link", { name: "Show all items" }).click();
  await expect(row(page, "/help")).toBeVisible();
  expect(await overflow(page)).toBe(0);
  await page.getByRole("button", { name: "Delete: Delete “/help” permanently?" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete permanently" }).click();
  await expect(message(page)).toContainText("“/help” permanently deleted.");
  await expect(row(page, "/help")).toHaveCount(0);
  await expect(row(page, "pto")).toBeVisible();
});

test("things are restored without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { article } = await things(workspace);
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await page.goto(`${workspace.url}/admin/articles/${article.id}/delete`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("Article deleted");
  await page.goto(`${workspace.url}/admin/trash`);
  await page.getByLabel("Select Refunds").check();
  await page.getByRole("button", { name: "Restore", exact: true }).first().click();
  await expect(message(page)).toContainText("“Refunds” restored.");
  expect(await statusOf(workspace, "/articles/refunds")).toBe(200);
  await page.context().close();
});
