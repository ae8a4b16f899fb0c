import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { createMember, updateMember } from "@/lib/members/members";
import { aCategory, anArticle } from "@/testing/workspace";
import { choose, complaintsOf, expectAccessible, message, signIn, type TestWorkspace, test } from "./kit";

test.setTimeout(120_000);

/** Grace, an Editor, and another name that begins like a formula. */
async function withHistory(workspace: TestWorkspace): Promise<string> {
  const ada = { kind: "member", id: workspace.memberId, name: workspace.email, ip: "192.0.2.7" } as const;
  return inWorkspace(workspace.id, async (db) => {
    const person = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" };
    const grace = await createMember(db, person, ada);
    await updateMember(db, grace.id, { role: "Admin" }, ada);
    await db.auditEntry.create({
      data: {
        ...{ actorKind: "command_line", actorName: "Command line", action: "api_key.revoked", subjectKind: "api_key" },
        ...{ subjectName: '=HYPERLINK("https://evil.example")', createdAt: new Date("2020-02-01T12:00:00Z") },
      },
    });
    return grace.id;
  });
}

test("the log says who did what in words, is filtered, and leads to the thing", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await withHistory(workspace);
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/audit`);
  const sentence = "Ada Lovelace changed the role of Grace Hopper from Editor to Admin";
  const row = page.getByRole("row").filter({ hasText: sentence });
  await expect(row).toContainText("192.0.2.7");
  await row.getByText(sentence).click();
  await expect(row.getByText("Editor → Admin")).toBeVisible();
  await expect(row.getByText("member.updated")).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("link", { name: "Open Grace Hopper" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/members/${grace}`);

  await page.goto(`${workspace.url}/admin/audit`);
  await choose(page, "Actor", "Ada Lovelace");
  await page.getByLabel("Action").selectOption("Member: created");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByText("Ada Lovelace added Grace Hopper as Editor")).toBeVisible();
  await page.goto(`${workspace.url}/admin/audit?from=2020-02-01&to=2020-02-01`);
  await expect(page.getByText("Someone at the command line revoked the API key")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.goto(`${workspace.url}/admin/audit?to=2020-01-31`);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expectAccessible(page);
  // Invalid parameters are ignored.
  for (const query of ["from=2020-02-31", "before=x_y", "actor=x", "after=+275760-09-13T00:00:00Z_", "to=0001-01-01"]) {
    await page.goto(`${workspace.url}/admin/audit?${query}`);
    await expect(page.getByText(sentence)).toBeVisible();
  }
  expect(complaints).toEqual([]);
});

for (const javaScriptEnabled of [true, false])
  test(`a shorter retention says what it deletes before it applies, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    browser,
    aWorkspace,
  }) => {
    const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
    await withHistory(workspace);
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await signIn(page, workspace);
    await page.goto(`${workspace.url}/admin/settings`);
    const entries = page.getByLabel("Keep entries for");
    await entries.selectOption("5 years");
    await page.getByRole("button", { name: "Save changes" }).click();
    const loss = page.getByRole("alert").filter({ hasText: "older than" });
    await expect(loss).toHaveText("1 entry is older than 5 years and will be deleted. This can't be undone.");
    // Another choice asks again.
    await entries.selectOption("2 years");
    await page.getByRole("button", { name: "Delete and save" }).click();
    await expect(loss).toContainText("older than 2 years");
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByRole("button", { name: "Delete and save" }).click();
    await expect(message(page)).toContainText("Settings saved");
    await expect(entries).toHaveValue("730");
    await page.goto(`${workspace.url}/admin/audit`);
    await expect(
      page.getByText("changed the audit log retention of the knowledge base from forever to 2 years"),
    ).toBeVisible();
    await page.context().close();
  });

test("a long log is read page by page, on a phone too", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) =>
    db.auditEntry.createMany({
      data: Array.from({ length: 120 }, (_, index) => ({
        ...{ actorKind: "system", actorName: "Test", action: "thing.done", subjectKind: "thing" },
        subjectName: `number ${index}`,
        createdAt: new Date(Date.UTC(2020, 0, 1) - index * 1_000),
      })),
    }),
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/audit?subject=thing`);
  // The last tab, which the row scrolls to.
  await expect(page.getByRole("navigation", { name: "Settings" }).getByText("Audit log")).toBeInViewport({
    ratio: 0.9,
  });
  await expect(page.getByText("“number 49”")).toBeVisible();
  await expect(page.getByText("“number 50”")).toHaveCount(0);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByText("“number 50”")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByText("“number 119”")).toBeVisible();
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  await page.getByRole("link", { name: "Newer" }).click();
  await expect(page.getByText("“number 50”")).toBeVisible();
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(page.getByText("“number 0”")).toBeVisible();
});

test("the filtered log is downloaded whole, as a table that no spreadsheet runs", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await withHistory(workspace);
  await inWorkspace(workspace.id, (db) =>
    db.auditEntry.createMany({
      data: Array.from({ length: 2_500 }, (_, index) => ({
        ...{ actorKind: "system", actorName: "Test", action: "thing.done", subjectKind: "thing" },
        subjectName: `number ${index}`,
        createdAt: new Date(Date.UTC(2020, 5, 1)),
      })),
    }),
  );
  await signIn(page, workspace);
  const downloaded = async (query: string) => {
    await page.goto(`${workspace.url}/admin/audit?${query}`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-log-harbour-[\w-]+\.csv$/);
    return (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  };
  const things = await downloaded("subject=thing");
  expect(things).toHaveLength(2_501);
  expect(new Set(things).size).toBe(2_501);
  const [head, line = "", ...rest] = await downloaded("to=2020-03-01");
  expect(head).toMatch(/^\uFEFFTime \(UTC\),Event,/);
  expect(rest).toEqual([]);
  expect(line).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect(line).toContain('2020-02-01T12:00:00.000Z,"Someone at the command line revoked the API key');
});

test("the CSV lists the articles of a bulk action below its row", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const category = await aCategory(workspace, { name: "Setup" });
  const guides = await aCategory(workspace, { name: "Guides" });
  for (const title of ["Beans", "Water", "Milk"]) await anArticle(workspace, { category, title });
  await signIn(page, workspace);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${workspace.url}/admin/articles`);
  await page.getByLabel("Select Beans").check();
  await page.getByLabel("Select Water").check();
  const bar = page.getByRole("group", { name: "Selected articles" });
  // On a phone it is one row, which scrolls to its last button.
  expect((await bar.boundingBox())?.height).toBeLessThan(72);
  await choose(page, "Category to move to", guides.name);
  await bar.getByRole("button", { name: "Move", exact: true }).click();
  await expect(message(page)).toContainText("2 articles moved to Guides.");
  // The message stays above the bar.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(bar).toBeHidden();
  // The list is read again after the move, which ends the selection.
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Select Milk").check();
  await bar.getByRole("button", { name: "Clear" }).click();
  await expect(bar).toBeHidden();
  await expect(message(page)).toContainText("2 articles moved to Guides.");
  await page.goto(`${workspace.url}/admin/audit`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  const rows = (await readFile(await download.path(), "utf8"))
    .split("\r\n")
    .filter((row) => row.includes("articles.moved"));
  const columns = rows.map((row) => row.split(","));
  expect(columns.map((row) => [row[6], row[8]])).toEqual([
    ["2 articles", "to: Guides; from: Setup; articles: 2"],
    ["Beans", "category: Setup → Guides"],
    ["Water", "category: Setup → Guides"],
  ]);
  expect(new Set(columns.map((row) => row.at(-1))).size).toBe(1);
});
