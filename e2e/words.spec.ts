import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { addRedirect } from "@/lib/redirects/redirects";
import { addSynonyms } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle } from "@/testing/workspace";
import { actor, ask, complaintsOf, expectAccessible, message, signedIn, signIn, type TestWorkspace, test } from "./kit";

// Synonyms, pinned results and redirects take effect immediately for readers.
test.setTimeout(120_000);

/** Two published articles in a category. */
async function withArticles(workspace: TestWorkspace) {
  const category = await aCategory(workspace, { name: "Working here", slug: "working-here" });
  const article = (title: string, slug: string, html: string) => anArticle(workspace, { category, title, slug, html });
  const vacation = await article("Take a vacation", "vacation", "<p>Ask your lead for a vacation.</p>");
  const travel = await article("Travel with the team", "travel", "<p>Book a train.</p>");
  return { category, vacation, travel };
}

/** The number of articles that a reader's search finds. */
async function found(workspace: TestWorkspace, text: string): Promise<number> {
  const { body } = await ask(new URL(workspace.url).host, `/search/suggestions?q=${encodeURIComponent(text)}`);
  return (JSON.parse(body) as { total: number }).total;
}

/** The target of a reader's request for a path. */
async function led(workspace: TestWorkspace, path: string): Promise<[number, string | undefined]> {
  const { status, headers } = await ask(new URL(workspace.url).host, path);
  return [status, headers.location];
}

test("a synonym is added, tried, changed, removed and brought back, and the next search knows it", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await withArticles(workspace);
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/synonyms`);
  await expect(page.getByText("No synonyms yet.")).toBeVisible();
  await page.getByLabel("Search text").fill("pto");
  await page.getByRole("button", { name: "Explain results" }).click();
  await expect(page.getByText("A search for “pto” finds no articles.")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Add synonym" }).click();
  await page.getByLabel("Term", { exact: true }).fill("one two three four five six");
  await page.getByLabel("Synonyms").fill("vacation\nleave");
  await page.getByRole("button", { name: "Add synonym" }).click();
  await expect(page.getByText("up to 100 characters")).toBeVisible();
  await expect(page.getByLabel("Term", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Synonyms")).toHaveValue("vacation\nleave");
  await expectAccessible(page);
  await page.getByLabel("Term", { exact: true }).fill("pto");
  await page.getByLabel("Direction").selectOption("One-way");
  await page.getByRole("button", { name: "Add synonym" }).click();
  await expect(message(page)).toContainText("Synonym “pto” added");
  await expect(page.getByRole("row").filter({ hasText: "vacation, leave" })).toContainText("One-way");
  expect(await found(workspace, "pto")).toBe(1);
  await page.goto(`${workspace.url}/admin/synonyms?try=pto`);
  await expect(page.getByRole("list", { name: "Results" })).toContainText(
    "Take a vacation All words, in the title, “vacation” for “pto”",
  );
  await expectAccessible(page);

  await page.getByRole("link", { name: "pto", exact: true }).click();
  await expect(page.getByRole("heading", { name: "pto" })).toBeVisible();
  await expect(page.getByText("A search for “pto” finds 1 article")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Synonyms").fill("vacation\ntravel");
  await page.getByLabel("Direction").selectOption("Two-way");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Synonym “pto” saved");
  expect(await found(workspace, "pto")).toBe(2);

  await page.getByRole("button", { name: "Remove pto" }).click();
  await expect(message(page)).toContainText("Synonym “pto” removed");
  expect(await found(workspace, "pto")).toBe(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("“pto” restored.");
  expect(await found(workspace, "pto")).toBe(2);
  expect(complaints).toEqual([]);
});

test("of a pasted list all is added that can be, and the rest stays with its reasons", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/synonyms`);
  await page.getByRole("link", { name: "Paste a list" }).click();
  await page
    .getByRole("textbox", { name: "Synonyms" })
    .fill("sign in = log in, sign on\npto > vacation\nno sign here\nSign-In = enter\n?! = nothing");
  await page.getByRole("button", { name: "Add synonyms" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "not added" });
  await expect(alert).toContainText("2 added. 3 not added.");
  await expect(alert).toContainText("Put = (two-way) or > (one-way) between the words.");
  await expect(alert).toContainText('"Sign-In" already has a synonym');
  await expect(alert).toContainText('A term needs a letter or a digit, but "?!" has none.');
  await expect(page.getByRole("textbox", { name: "Synonyms" })).toHaveValue(
    "no sign here\nSign-In = enter\n?! = nothing",
  );
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Synonyms" }).fill("one = two");
  await page.getByRole("button", { name: "Add synonyms" }).click();
  await expect(message(page)).toContainText("1 synonym added");
  await expect(page.getByRole("row")).toHaveCount(4);

  await inWorkspace(workspace.id, (db) =>
    addSynonyms(
      db,
      Array.from({ length: 30 }, (_, index) => ({ term: `term ${index}`, replacements: [`word ${index}`] })),
      actor,
    ),
  );
  await page.goto(`${workspace.url}/admin/synonyms`);
  await expect(page.getByText("1–25 of 33")).toBeVisible();
  await page.getByLabel("Term or synonym").fill("WORD 29");
  await expect(page.getByRole("row").filter({ hasText: "term 29" })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  expect(complaints).toEqual([]);
});

test("an old URL is redirected to an article found by its title, fixed when that is gone, removed and restored", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { category } = await withArticles(workspace);
  await anArticle(workspace, { category, title: "Sabbaticals", state: "draft" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/redirects`);
  await expect(page.getByRole("heading", { name: "No redirects yet" })).toBeVisible();
  await expectAccessible(page);
  expect(await led(workspace, "/help/leave")).toEqual([404, undefined]);

  await page.getByRole("link", { name: "Add redirect" }).click();
  await page.getByLabel("Old URL", { exact: true }).fill("/help/leave");
  const destination = page.getByRole("combobox", { name: "Destination" });
  await destination.fill("working");
  await page.getByRole("option", { name: "Working here Category" }).click();
  await expect(destination).toHaveValue("Working here");
  await destination.fill("sabb");
  await page.getByRole("option", { name: "Sabbaticals Draft in" }).click();
  await page.getByRole("button", { name: "Add redirect" }).click();
  await expect(page.getByText("“Sabbaticals” is not published, so readers would find nothing.")).toBeVisible();
  await page.getByLabel("Old URL", { exact: true }).fill("/articles/travel");
  await destination.fill("vacation");
  await expect(page.getByRole("option", { name: "Take a vacation" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(destination).toHaveValue("Take a vacation");
  await page.getByRole("button", { name: "Add redirect" }).click();
  await expect(page.getByText("The article “Travel with the team” has this URL")).toBeVisible();
  await expect(destination).toHaveValue("Take a vacation");
  await page.getByLabel("Old URL", { exact: true }).fill("/help/leave");
  await page.getByRole("button", { name: "Add redirect" }).click();
  await expect(message(page)).toContainText("Redirect from /help/leave added");
  await expect(page.getByRole("row").filter({ hasText: "/help/leave" })).toContainText("manually");
  expect(await led(workspace, "/help/leave?from=mail")).toEqual([301, "/articles/vacation?from=mail"]);
  await expectAccessible(page);

  await page.goto(`${workspace.url}/admin/redirects/new?from=/lost`);
  await page.getByLabel("When someone visits the old URL").selectOption("Show “page removed”");
  await page.getByRole("button", { name: "Add redirect" }).click();
  await expect(message(page)).toContainText("Redirect from /lost added");
  expect(await led(workspace, "/lost")).toEqual([410, undefined]);
  await page.getByRole("link", { name: "Redirect /lost" }).click();
  await expect(page.getByRole("heading", { name: "/lost" })).toBeVisible();
  await expectAccessible(page);
  await destination.fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("A URL on another site must begin with https://.")).toBeVisible();
  await destination.fill("/help/leave");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Redirect from /lost saved");
  expect(await led(workspace, "/lost")).toEqual([301, "/articles/vacation"]);

  await page.getByRole("button", { name: "Remove /lost" }).click();
  await expect(message(page)).toContainText("Redirect from /lost removed");
  expect(await led(workspace, "/lost")).toEqual([404, undefined]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("“/lost” restored.");
  expect(await led(workspace, "/lost")).toEqual([301, "/articles/vacation"]);
  await page.getByLabel("URL or title").fill("leave");
  await page.getByLabel("Source").selectOption("Manual");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Destination").selectOption("Page removed");
  await expect(page.getByRole("heading", { name: "No redirects found" })).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test("an article is pinned for a search, moved and unpinned, and readers find it there", async ({
  browser,
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await withArticles(workspace);
  const complaints = complaintsOf(page);
  const results = async (text: string) => {
    const { body } = await ask(new URL(workspace.url).host, `/search/suggestions?q=${encodeURIComponent(text)}`);
    return (JSON.parse(body) as { results: { title: string }[] }).results.map(({ title }) => title);
  };
  const shown = page.getByRole("list", { name: "Results" }).getByRole("listitem");
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/synonyms`);
  await expect(page.getByText("No pinned results yet.")).toBeVisible();
  await page.getByLabel("Search text").fill("t");
  await page.getByRole("button", { name: "Explain results" }).click();
  await expect(shown).toHaveText([/Take a vacation/, /Travel with the team/]);
  await page.getByRole("button", { name: "Pin Travel with the team for this search" }).click();
  await expect(message(page)).toContainText("Pinned for “t”");
  await expect(shown.first()).toContainText("Travel with the team Pinned");
  await page.getByRole("button", { name: "Pin Take a vacation for this search" }).click();
  await expect(shown).toHaveText([/Travel with the team.*Pinned/, /Take a vacation.*Pinned/]);
  await expectAccessible(page);
  expect(await results("T!")).toEqual(["Travel with the team", "Take a vacation"]);
  expect(complaints).toEqual([]);

  const plain = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await plain.goto(`${workspace.url}/admin/synonyms?try=t`);
  await plain.getByRole("button", { name: "Move Take a vacation up" }).click();
  await expect(message(plain)).toContainText("Moved in “t”");
  expect(await results("t")).toEqual(["Take a vacation", "Travel with the team"]);
  await plain.goto(`${workspace.url}/admin/synonyms`);
  const row = plain.getByRole("table", { name: "Pinned results" }).getByRole("row").nth(1);
  await expect(row.getByRole("listitem")).toHaveText([/Take a vacation/, /Travel with the team/]);
  for (const title of ["Take a vacation", "Travel with the team"]) {
    await plain
      .getByRole("table")
      .getByRole("button", { name: `Unpin ${title} from “t”` })
      .click();
    await expect(message(plain)).toContainText("Unpinned from “t”");
  }
  await expect(plain.getByText("No pinned results yet.")).toBeVisible();
  await plain.context().close();
});

test("synonyms and redirects are managed without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await withArticles(workspace);
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await page.goto(`${workspace.url}/admin/redirects/new`);
  await page.getByLabel("Old URL", { exact: true }).fill("/help/leave");
  await page.getByLabel("Destination").fill("vacation");
  await page.getByRole("button", { name: "Add redirect" }).click();
  await page.getByRole("radio", { name: "Take a vacation" }).check();
  await page.getByRole("button", { name: "Add redirect" }).click();
  await expect(message(page)).toContainText("Redirect from /help/leave added");
  await page.getByRole("button", { name: "Remove /help/leave" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await led(workspace, "/help/leave")).toEqual([301, "/articles/vacation"]);
  await page.goto(`${workspace.url}/admin/synonyms/paste`);
  await page.getByRole("textbox", { name: "Synonyms" }).fill("pto = vacation\nnothing");
  await page.getByRole("button", { name: "Add synonyms" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "1 not added." })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Synonyms" })).toHaveValue("nothing");
  await page.context().close();
});

test("who may not change settings finds neither, and no action of theirs", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) =>
    addRedirect(db, { from: "/old", to: { kind: "gone" } }, workspace.url, actor),
  );
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/redirects`);
  await expect(page.getByRole("button", { name: "Remove /old" })).toBeVisible();
  await inWorkspace(workspace.id, async (db) => {
    const role = await db.role.findFirstOrThrow({ where: { name: "Editor" } });
    // Bypasses the rule that keeps the last administrator.
    await db.member.updateMany({ where: { id: workspace.memberId }, data: { roleId: role.id } });
  });
  await page.getByRole("button", { name: "Remove /old" }).click();
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  expect(await led(workspace, "/old")).toEqual([410, undefined]);
  for (const path of ["synonyms", "synonyms/new", "synonyms/paste", "redirects", "redirects/new", "audit"]) {
    await page.goto(`${workspace.url}/admin/${path}`);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  }
});
