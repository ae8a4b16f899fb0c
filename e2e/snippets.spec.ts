import { expect } from "playwright/test";
import { aDraft, written } from "./desk";
import { ask, complaintsOf, expectAccessible, message, signIn, test } from "./kit";

test.setTimeout(120_000);

test("a snippet is created, chosen in the editor, changed everywhere and deleted", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  const seen = async (path: string) => (await ask(new URL(workspace.url).host, path)).body;
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/snippets`);
  await expect(page.getByText("No snippets yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Create snippet" }).click();
  await page.getByLabel("Name").fill("support-email");
  await page.getByLabel("Content").fill("[help@harbour.example](mailto:help@harbour.example)");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create snippet" }).click();
  await expect(message(page)).toContainText("Snippet “support-email” created.");

  const { path } = await aDraft(workspace, "Contact");
  await page.goto(path);
  await written(page).click();
  await page.keyboard.type("Write to {{supp");
  await expect(page.getByRole("option", { name: "support-email" })).toBeVisible();
  await expectAccessible(page);
  for (const _ of "{{supp") await page.keyboard.press("Backspace");
  await page.keyboard.type("/snip");
  await expect(page.getByRole("option", { name: "Snippet", exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "support-email" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" today.");
  await expect(written(page)).toHaveText("Write to {{support-email}} today.");
  await expect(written(page).locator(".snippet")).toHaveText("{{support-email}}");
  await page.getByRole("button", { name: "Publish", exact: true }).first().click();
  const box = page.getByRole("dialog", { name: "Publish" });
  await box.getByRole("button", { name: "Publish", exact: true }).click();
  await expect.poll(() => seen("/articles/contact")).toContain(">help@harbour.example</a> today.");

  await page.goto(`${workspace.url}/admin/snippets`);
  await page.getByRole("link", { name: "1 article with the snippet support-email" }).click();
  await expect(page.getByText("1 published article uses this snippet.", { exact: true })).toBeVisible();
  const users = page.getByRole("region", { name: "Articles", exact: true });
  await expect(users.getByRole("link", { name: "Contact" })).toHaveAttribute("href", new URL(path).pathname);
  await expectAccessible(page);
  await page.getByLabel("Content").fill("hello@harbour.example");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("1 article is being updated.");
  await expect.poll(() => seen("/articles/contact"), { timeout: 20_000 }).toContain("hello@harbour.example");
  expect(await seen("/articles/contact.md")).toContain("hello@harbour.example");
  await expect(page.getByRole("link", { name: "support-email", exact: true })).toBeVisible();
  await expect(page.getByText("1 article is being updated.", { exact: true })).toHaveCount(0, { timeout: 20_000 });

  await page.getByRole("button", { name: "Delete: Delete “support-email”?" }).click();
  await expect(
    page.getByText("1 published article uses this snippet. Readers will see {{support-email}}"),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(message(page)).toContainText("Snippet “support-email” deleted. 1 article is being updated.");
  await expect
    .poll(() => seen("/articles/contact"), { timeout: 20_000 })
    .toContain("Write to {{support-email}} today.");
  expect(complaints).toEqual([]);
});

test("two people who change a snippet at the same time don't overwrite each other unasked", async ({
  page,
  aWorkspace,
  browser,
}) => {
  const workspace = await aWorkspace({ name: "Opening hours", subdomain: "hours" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/snippets/new`);
  await page.getByLabel("Name").fill("hours");
  await page.getByLabel("Content").fill("9 to 5");
  await page.getByRole("button", { name: "Create snippet" }).click();
  await page.getByRole("link", { name: "hours", exact: true }).click();
  await expect(page.getByLabel("Content")).toHaveValue("9 to 5");
  const other = await browser.newPage();
  await signIn(other, workspace);
  await other.goto(page.url());
  await other.getByLabel("Content").fill("8 to 4");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(message(other)).toContainText("Snippet “hours” saved.");
  await other.close();

  await page.getByLabel("Content").fill("10 to 6");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Someone else changed this snippet")).toBeVisible();
  await expect(page.getByRole("region", { name: "As readers see it" })).toContainText("8 to 4");
  await expect(page.getByLabel("Content")).toHaveValue("10 to 6");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Snippet “hours” saved.");
});
