import { readFile } from "node:fs/promises";
import { expect, type Page } from "playwright/test";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { createRole } from "@/lib/members/roles";
import {
  actor,
  complaintsOf,
  expectAccessible,
  message,
  overflow,
  personsBrowser,
  signedIn,
  signIn,
  type TestWorkspace,
  test,
} from "./kit";
import { publish, putCategory, putMember } from "./library";

// Checks each page against axe's rules, in both themes, in the middle of a test.
test.setTimeout(120_000);

/** A row of a list on the overview. */
const listed = (page: Page, list: string, text: string) =>
  page.getByRole("region", { name: list, exact: true }).getByRole("listitem").filter({ hasText: text });

const counted = ({ id }: TestWorkspace, sql: string) =>
  readWorkspace(id, async (read) => (await read<{ count: number }>(sql))[0]?.count);

test("a new workspace is led through its first steps, which tick themselves off", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps).toContainText("0 of 5 done");
  await expect(page.getByText("Nothing has been read")).toBeVisible();
  await expectAccessible(page);
  const category = await putCategory(workspace, "Start");
  await publish(workspace, category, { title: "Opening hours", html: "<p>From eight.</p>" });
  await page.reload();
  await expect(steps).toContainText("1 of 5 done");
  await expect(steps.getByRole("listitem").filter({ hasText: "Bring your articles" })).toContainText("Done");

  await page.goto(`${workspace.url}/admin/insights`);
  await expect(page.getByText("Nothing has been read yet")).toBeVisible();
  await expect(page.getByText("No comparison yet").first()).toBeVisible();
  await expectAccessible(page);
  for (const list of ["most-read", "reasons", "broken-links"]) {
    await page.goto(`${workspace.url}/admin/insights/${list}`);
    await expect(page.getByRole("heading", { name: "Nothing in the last 30 days" })).toBeVisible();
    await expectAccessible(page);
  }
  expect(complaints).toEqual([]);
});

test("what readers read, search and say is there at once, and each list leads on", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  const category = await putCategory(workspace, "Start");
  const opening = await publish(workspace, category, {
    title: "Opening hours",
    html: '<p>From eight. See <a href="/articles/parking">parking</a>.</p>',
  });
  const forgotten = await publish(workspace, category, { title: "Gift cards", html: "<p>At the counter.</p>" });
  await inWorkspace(workspace.id, (db) =>
    db.article.update({
      where: { workspaceId_id: { workspaceId: workspace.id, id: forgotten.id } },
      data: { publishedAt: new Date("2020-01-01T00:00:00Z") },
    }),
  );

  const theirs = await browser.newContext({ userAgent: personsBrowser });
  const reader = await theirs.newPage();
  await reader.goto(opening.url);
  await reader.getByRole("button", { name: "No", exact: true }).click();
  await reader.getByLabel("What would have helped you?").fill("=Sunday is missing");
  await reader.getByRole("button", { name: "Send" }).click();
  await expect(reader.getByText("Thank you. Your words are kept")).toBeVisible();
  for (const term of ["wifi password", "Wifi Password", "opening"]) {
    await reader.goto(`${workspace.url}/search?q=${encodeURIComponent(term)}`);
    await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await theirs.close();
  await expect.poll(() => counted(workspace, "SELECT count(*)::int AS count FROM searches")).toBe(3);
  await expect.poll(() => counted(workspace, "SELECT count(*)::int AS count FROM article_views")).toBe(1);

  await signIn(page, workspace);
  await expect(page.getByText("Searches without a result")).toBeVisible();
  await expect(page.getByText("Newest changes")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Insights", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Insights" })).toBeVisible();
  await expect(listed(page, "Most read articles", "Opening hours")).toContainText("1");
  await expect(listed(page, "Searches without a result", "Wifi Password")).toContainText("2");
  await expect(page.getByText("2 found nothing (67 %)")).toBeVisible();
  await expect(listed(page, "Articles that did not help", "Opening hours")).toBeVisible();
  await expect(listed(page, "What readers say", "=Sunday is missing")).toContainText("Opening hours");
  await expect(listed(page, "Articles that nobody finds", "Gift cards")).toBeVisible();
  await expect(listed(page, "Links that lead nowhere", "/articles/parking")).toContainText("Opening hours");
  await expect(page.getByText("of 1 answer says that the article helped")).toBeVisible();
  const views = page.getByRole("img", { name: "Views in the last 30 days" });
  await expect(views).toBeVisible();
  await page.getByText("As a table").first().click();
  const table = page.getByRole("table", { name: "Views in the last 30 days" });
  await expect(table.getByRole("row")).toHaveCount(31);
  await expect(table.getByRole("row").last()).toContainText("1");
  await expectAccessible(page);
  await page.getByRole("link", { name: "12 months" }).click();
  await expect(page).toHaveURL(/period=12m/);
  await expect(page.getByRole("img", { name: "Views in the last 12 months" })).toBeVisible();
  await expect(listed(page, "Most read articles", "Opening hours")).toContainText("1");

  await page.getByRole("link", { name: "Searches without a result: all 1" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: "Make a synonym of “Wifi Password”" })).toHaveAttribute(
    "href",
    "/admin/synonyms/new?term=Wifi%20Password",
  );
  await page.getByRole("button", { name: "Write “Wifi Password”" }).click();
  await expect(message(page)).toContainText("“Wifi Password” is a draft now");
  await expect(page.getByRole("row").last()).toContainText("There is a draft");
  await expectAccessible(page);
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("The draft is gone.");
  await page.getByRole("button", { name: "Write “Wifi Password”" }).click();
  await expect(message(page)).toContainText("is a draft now");
  await page.goto(`${workspace.url}/admin`);
  await expect(
    page.getByText("Ada Lovelace added the article “Wifi Password” to the category “Start”").first(),
  ).toBeVisible();

  await page.goto(`${workspace.url}/admin/insights/reasons?period=7`);
  await expect(page.getByRole("row").last()).toContainText("=Sunday is missing");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("reasons-7.csv");
  expect(await readFile(await file.path(), "utf8")).toMatch(
    /^\uFEFFReason,Article,Helped,When\r\n'=Sunday is missing,Opening hours,no,2\d{3}-/,
  );
  for (const list of ["most-read", "top-searches", "nobody-opened", "did-not-help", "unread", "broken-links"]) {
    await page.goto(`${workspace.url}/admin/insights/${list}?period=90`);
    await expect(page.getByRole("navigation", { name: "Period" })).toBeVisible();
    await expectAccessible(page);
  }
  expect(complaints).toEqual([]);
});

test("the pages fit a phone, and work without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const category = await putCategory(workspace, "Start");
  await publish(workspace, category, { title: "Opening hours", html: "<p>From eight.</p>" });
  await inWorkspace(workspace.id, (db) =>
    db.search.create({ data: { term: "wifi", termFolded: "wifi", resultsCount: 0 } }),
  );
  const phone = { viewport: { width: 390, height: 844 } };
  const page = await signedIn(browser, workspace, phone);
  for (const path of ["/admin", "/admin/insights?period=90", "/admin/insights/without-result"]) {
    await page.goto(workspace.url + path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect([path, await overflow(page)]).toEqual([path, 0]);
  }
  const storageState = await page.context().storageState();
  const plain = await browser.newContext({ ...phone, storageState, javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${workspace.url}/admin/insights`);
  await still.getByRole("button", { name: "Write “wifi”" }).click();
  await expect(still.getByText("“wifi” is a draft now")).toBeVisible();
  await Promise.all([page.context().close(), plain.close()]);
});

test("insights are there for those alone who may read them, and who no longer may is led to the dashboard", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) => createRole(db, { name: "Writer", permissions: ["articles.write"] }, actor));
  const mary = await putMember(workspace, ["Mary", "Shelley"], "Writer");
  await signIn(page, workspace, mary.email);
  await expect(page.getByText("Published articles")).toBeVisible();
  await expect(page.getByText("Searches without a result")).toHaveCount(0);
  await expect(page.getByText("Newest changes")).toHaveCount(0);
  await expectAccessible(page);
  for (const path of ["/admin/insights", "/admin/insights/most-read"]) {
    await page.goto(workspace.url + path);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  }
  expect(await page.evaluate(async () => (await fetch("/admin/insights/most-read/csv")).status)).toBe(404);

  await inWorkspace(workspace.id, async (db) => {
    await db.role.updateMany({ where: { name: "Writer" }, data: { permissions: ["articles.write", "insights.read"] } });
    await db.search.create({ data: { term: "wifi", termFolded: "wifi", resultsCount: 0 } });
    await db.category.create({ data: { name: "Start", slug: "start" } });
  });
  await page.goto(`${workspace.url}/admin/insights/without-result`);
  await expect(page.getByRole("link", { name: "Make a synonym of “wifi”" })).toHaveCount(0);
  await inWorkspace(workspace.id, (db) =>
    db.role.updateMany({ where: { name: "Writer" }, data: { permissions: ["articles.write"] } }),
  );
  await page.getByRole("button", { name: "Write “wifi”" }).click();
  await expect(message(page)).toContainText("“wifi” is a draft now");
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("The draft is gone.");
  expect(await counted(workspace, "SELECT count(*)::int AS count FROM articles")).toBe(0);
});
