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
  signInByForm,
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
  await signInByForm(page, workspace);
  const steps = page.getByRole("region", { name: "Get started" });
  await expect(steps).toContainText("0 of 5 complete");
  await expect(page.getByText("No views in the last 7 days.")).toBeVisible();
  await expectAccessible(page);
  const category = await putCategory(workspace, "Start");
  await publish(workspace, category, { title: "Opening hours", html: "<p>From eight.</p>" });
  await page.reload();
  await expect(steps).toContainText("3 of 5 complete");
  await expect(steps.getByRole("listitem").filter({ hasText: "Write your first article" })).toContainText("Done");
  await steps.getByRole("button", { name: "Dismiss" }).click();
  await expect(steps).toHaveCount(0);
  await page.getByRole("link", { name: "Published articles" }).click();
  await expect(page.getByText("1 result")).toBeVisible();

  await page.goto(`${workspace.url}/admin/insights`);
  await expect(page.getByRole("heading", { name: "No reader activity in the last 30 days" })).toBeVisible();
  await expect(page.getByRole("region")).toHaveCount(0);
  await expectAccessible(page);
  const nothing = "Nothing in the last 30 days";
  for (const [list, name] of Object.entries({
    "most-read": nothing,
    reasons: nothing,
    "broken-links": "No broken links",
  })) {
    await page.goto(`${workspace.url}/admin/insights/${list}`);
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expectAccessible(page);
  }
  expect(complaints).toEqual([]);
});

test("views, searches and feedback appear immediately, and each list opens", async ({ page, browser, aWorkspace }) => {
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
  await reader.getByLabel("How can we improve this article?").fill("=Sunday is missing");
  await reader.getByRole("button", { name: "Send" }).click();
  await expect(reader.getByText("Thanks! We’ve shared your feedback")).toBeVisible();
  for (const term of ["wifi password", "Wifi Password", "opening"]) {
    await reader.goto(`${workspace.url}/search?q=${encodeURIComponent(term)}`);
    await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await theirs.close();
  await expect.poll(() => counted(workspace, "SELECT count(*)::int AS count FROM searches")).toBe(3);
  await expect.poll(() => counted(workspace, "SELECT count(*)::int AS count FROM article_views")).toBe(1);

  await signInByForm(page, workspace);
  await expect(page.getByText("Searches with no results")).toBeVisible();
  await expect(page.getByText("Recent activity")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Insights", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Insights" })).toBeVisible();
  await expect(listed(page, "Most-read articles", "Opening hours")).toContainText("1");
  await expect(listed(page, "Searches with no results", "Wifi Password")).toContainText("2");
  await expect(page.getByText("2 with no results (67%)")).toBeVisible();
  await expect(listed(page, "Least helpful articles", "Opening hours")).toBeVisible();
  await expect(listed(page, "Reader comments", "=Sunday is missing")).toContainText("Opening hours");
  await expect(listed(page, "Articles with no views", "Gift cards")).toBeVisible();
  await expect(listed(page, "Broken links", "/articles/parking")).toContainText("Opening hours");
  await expect(page.getByText("of 1 answer said")).toBeVisible();
  const views = page.getByRole("img", { name: "Views in the last 30 days" });
  await expect(views).toBeVisible();
  await page.getByText("View as table").first().click();
  const table = page.getByRole("table", { name: "Views in the last 30 days" });
  await expect(table.getByRole("row")).toHaveCount(31);
  await expect(table.getByRole("row").last()).toContainText("1");
  await expectAccessible(page);
  await page.getByRole("link", { name: "12 months" }).click();
  await expect(page).toHaveURL(/period=12m/);
  await expect(page.getByRole("img", { name: "Views in the last 12 months" })).toBeVisible();
  await expect(listed(page, "Most-read articles", "Opening hours")).toContainText("1");

  await page.getByRole("link", { name: "Searches with no results: all 1" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: "Add synonym for “Wifi Password”" })).toHaveAttribute(
    "href",
    "/admin/synonyms/new?term=Wifi%20Password",
  );
  await page.getByRole("button", { name: "Write article “Wifi Password”" }).click();
  await expect(message(page)).toContainText("Draft “Wifi Password” created");
  await expect(page.getByRole("row").last()).toContainText("Draft exists");
  await expectAccessible(page);
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Draft deleted");
  await page.getByRole("button", { name: "Write article “Wifi Password”" }).click();
  await expect(message(page)).toContainText("created");
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
    /^\uFEFFComment,Article,Helpful,Time\r\n'=Sunday is missing,Opening hours,no,2\d{3}-/,
  );
  for (const list of ["most-read", "top-searches", "nobody-opened", "did-not-help", "unread", "broken-links"]) {
    await page.goto(`${workspace.url}/admin/insights/${list}?period=90`);
    // Broken links show the current state, without a period.
    await expect(page.getByRole("navigation", { name: "Period" })).toHaveCount(list === "broken-links" ? 0 : 1);
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
  await still.getByRole("button", { name: "Write article “wifi”" }).click();
  await expect(still.getByText("Draft “wifi” created")).toBeVisible();
  await Promise.all([page.context().close(), plain.close()]);
});

test("insights are there for those alone who may read them, and who no longer may is led to the dashboard", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) => createRole(db, { name: "Writer", permissions: ["articles.write"] }, actor));
  const mary = await putMember(workspace, ["Mary", "Shelley"], "Writer");
  await signInByForm(page, workspace, mary.email);
  await expect(page.getByText("Published articles")).toBeVisible();
  await expect(page.getByText("Searches with no results")).toHaveCount(0);
  await expect(page.getByText("Recent activity")).toHaveCount(0);
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
  await expect(page.getByRole("link", { name: "Add synonym for “wifi”" })).toHaveCount(0);
  await inWorkspace(workspace.id, (db) =>
    db.role.updateMany({ where: { name: "Writer" }, data: { permissions: ["articles.write"] } }),
  );
  await page.getByRole("button", { name: "Write article “wifi”" }).click();
  await expect(message(page)).toContainText("Draft “wifi” created");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Draft deleted");
  expect(await counted(workspace, "SELECT count(*)::int AS count FROM articles")).toBe(0);
});
