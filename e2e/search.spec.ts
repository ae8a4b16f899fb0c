import { expect, type Page } from "playwright/test";
import { takeLimit } from "@/lib/counters";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { limitSettings } from "@/lib/limits";
import { aCategory, anArticle } from "@/testing/workspace";
import { ask, expectAccessible, overflow, personsBrowser, type TestWorkspace, test } from "./kit";

// Readers' search and the feedback on articles.

const userAgent = personsBrowser;
test.use({ userAgent });

const articles = [
  ["reset-a-password", "Reset a password", "<p>Anyone who forgot a password asks for a new one by mail.</p>"],
  ["password-rules", "Password rules", "<p>A password has twelve characters, and nobody has to change it.</p>"],
  ["invoices", "Invoices", "<p>Every month an invoice is sent to the person who pays.</p>"],
] as const;

/** A workspace with three articles for everyone, and one for its members only. */
async function aRead(make: (input: { name: string; subdomain: string }) => Promise<TestWorkspace>, subdomain: string) {
  const workspace = await make({ name: "Harbour", subdomain });
  const category = await aCategory(workspace, { name: "Account", slug: "account" });
  for (const [slug, title, html] of articles) await anArticle(workspace, { category, slug, title, html });
  const closed = await aCategory(workspace, { name: "Internal", slug: "internal" });
  await anArticle(workspace, {
    category: closed,
    slug: "secret",
    title: "Password vault",
    html: "<p>Where it is.</p>",
  });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  return workspace;
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Search" });
const inputOf = (page: Page) => dialogOf(page).getByRole("combobox", { name: "Search" });
const optionsOf = (page: Page) => dialogOf(page).getByRole("option");
const activeOf = (page: Page) => dialogOf(page).getByRole("option", { selected: true });

/** Logged searches: term, number of results, whether a result was opened. */
const searches = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) =>
    read<{ term: string; found: number; clicked: boolean }>(
      "SELECT term, results_count AS found, clicked FROM searches ORDER BY term, clicked",
    ),
  );

async function opened(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(inputOf(page)).toBeFocused({ timeout: 500 });
  }).toPass();
}

test("what is typed before the search is there is taken along, letter by letter, and Escape does not bring it back", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aRead(aWorkspace, "early");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/_scripts/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${workspace.url}/categories/account`, { waitUntil: "commit" });
  const field = page.getByRole("search").getByRole("searchbox", { name: "Search" });
  await field.click();
  await page.keyboard.type("passw");
  await expect(field).toHaveValue("passw");
  const typing = page.keyboard.type("ord rules", { delay: 15 });
  release();
  await typing;
  await expect(inputOf(page)).toHaveValue("password rules");
  await expect(optionsOf(page)).toHaveText([/Password rules/]);

  // From the field itself, which has the focus again.
  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toHaveCount(0);
  await field.click();
  await expect(inputOf(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("");
  await page.keyboard.press("Tab");
  await expect(dialogOf(page)).toHaveCount(0);
  await page.keyboard.press("/");
  await expect(inputOf(page)).toHaveValue("");
});

test("results come while typing, are chosen by keyboard and announced, and Escape leads back", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aRead(aWorkspace, "keys");
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${workspace.url}/categories/account`);
  const link = page.getByRole("main").getByRole("link", { name: "Invoices" });
  await link.focus();
  await opened(page);
  await page.keyboard.type("password");
  await expect(optionsOf(page)).toHaveCount(2);
  await expect(optionsOf(page).first().locator("mark").first()).toHaveText(/password/i);
  await expect(optionsOf(page).first()).toContainText("Account");
  await expect(dialogOf(page).getByRole("status")).toHaveText("2 results");
  await expect(inputOf(page)).toHaveAttribute("aria-expanded", "true");
  await expect(activeOf(page)).toHaveCount(1);
  await expect(inputOf(page)).toHaveAttribute("aria-activedescendant", (await activeOf(page).getAttribute("id")) ?? "");
  const [first, last] = [optionsOf(page).first(), optionsOf(page).last()];
  await expect(first).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(last).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Home");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(last).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(activeOf(page)).toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await expect(last).toHaveAttribute("aria-selected", "true");
  await expect(inputOf(page)).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(link).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(inputOf(page)).toHaveValue("password");
  // Reopened before the browser sends the close event.
  await page.evaluate(() => {
    document.querySelector("dialog")?.close();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
  });
  await expect(inputOf(page)).toHaveValue("password");
  await page.keyboard.type("invoi");
  await expect(optionsOf(page)).toHaveCount(1);
  await expect(activeOf(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/articles/invoices`);
  await expect.poll(() => searches(workspace)).toEqual([{ term: "invoi", found: 1, clicked: true }]);

  await opened(page);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await expect(optionsOf(page).first()).toHaveText("invoi");
  await expect(dialogOf(page).getByRole("option", { name: "Account" })).toBeVisible();
  await expect(activeOf(page)).toHaveCount(0);
  await expectAccessible(page);
  await optionsOf(page).first().click();
  await expect(inputOf(page)).toHaveValue("invoi");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await dialogOf(page).getByRole("button", { name: "Clear" }).click();
  await expect(dialogOf(page).getByRole("option", { name: "invoi", exact: true })).toHaveCount(0);
  await expect(dialogOf(page).getByRole("option", { name: "Account" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("recent-searches"))).toBeNull();
  expect(complaints).toEqual([]);
});

test("the key that opens the search can be turned off, by keyboard too, and stays off; Ctrl+K does not", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aRead(aWorkspace, "slash");
  await page.goto(`${workspace.url}/articles/invoices`);
  const hint = page.getByRole("search").getByText("/", { exact: true });
  const key = page.getByRole("contentinfo").getByRole("checkbox", { name: "Open search with /" });
  await expect(hint).toBeVisible();
  await opened(page);
  await page.keyboard.press("Escape");
  await expect(key).toBeChecked();
  await key.focus();
  await page.keyboard.press("Space");
  await expect(key).not.toBeChecked();
  await expect(hint).toBeHidden();

  await page.goto(`${workspace.url}/articles/password-rules`);
  await expect(hint).toBeHidden();
  const link = page.getByRole("main").getByRole("link", { name: "Account", exact: true });
  await link.focus();
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(inputOf(page)).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  // Typed into the search field, it would open the search like any other letter.
  await expect(link).toBeFocused();
  await page.keyboard.press("/");
  await expect(dialogOf(page)).toHaveCount(0);
  await key.click();
  await expect(hint).toBeVisible();
  await link.focus();
  await opened(page);
});

test("a correction is said, nothing found offers categories and all results, and both are remembered", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aRead(aWorkspace, "typo");
  await page.goto(`${workspace.url}/articles/invoices`);
  await page.getByRole("search").getByRole("searchbox").click();
  await expect(inputOf(page)).toBeFocused();
  await page.keyboard.type("pasword");
  await expect(dialogOf(page).getByText("Including results for password").first()).toBeVisible();
  await expect(optionsOf(page)).toHaveCount(2);
  await expect(dialogOf(page).getByRole("status")).toHaveText("2 results. Including results for password");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("xyzzyq");
  await expect(dialogOf(page).getByText("No results for “xyzzyq”").first()).toBeVisible();
  await expect(dialogOf(page).getByRole("status")).toHaveText("No results for “xyzzyq”");
  await expect(dialogOf(page).getByRole("listitem")).toHaveText(["Account"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/search?q=xyzzyq`);
  await expect(page.getByRole("main").getByText("No results for “xyzzyq”")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Account" })).toBeVisible();
  // Counts once, although it was typed and then submitted.
  await expect.poll(() => searches(workspace)).toContainEqual({ term: "xyzzyq", found: 0, clicked: false });
  expect((await searches(workspace)).filter(({ term }) => term === "xyzzyq")).toHaveLength(1);

  // Opening a result on the page counts too.
  await page.goto(`${workspace.url}/search?q=invoice`);
  await page.waitForLoadState("networkidle");
  await page.getByRole("main").getByRole("link", { name: "Invoices" }).click();
  await expect(page).toHaveURL(`${workspace.url}/articles/invoices`);
  await expect.poll(() => searches(workspace)).toContainEqual({ term: "invoice", found: 1, clicked: true });
});

test("on a slow network what was found stays, waiting is said, and what comes too late is dropped", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aRead(aWorkspace, "slow");
  await page.goto(`${workspace.url}/categories/account`);
  await opened(page);
  await page.keyboard.type("password");
  await expect(optionsOf(page)).toHaveCount(2);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route("**/search/suggestions?q=password+r", async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.keyboard.type(" r");
  await expect(dialogOf(page).getByText("Searching…").first()).toBeVisible();
  await expect(optionsOf(page)).toHaveCount(2);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("invoice");
  await expect(optionsOf(page)).toHaveCount(1);
  goOn();
  await expect(optionsOf(page)).toHaveCount(1);
  await expect(dialogOf(page).getByText("Searching…")).toBeHidden();
  await page.route("**/search/suggestions?q=invoices", (route) => route.abort());
  await page.keyboard.type("s");
  await expect(dialogOf(page).getByText("Search isn’t responding.").first()).toBeVisible();
  await expect(optionsOf(page)).toHaveCount(0);
  // Earlier results appear immediately.
  await page.keyboard.press("Backspace");
  await expect(optionsOf(page)).toHaveCount(1);
});

for (const width of [1280, 390]) {
  test(`at ${width} pixels search, results and feedback are accessible in both themes`, async ({
    page,
    aWorkspace,
  }) => {
    test.setTimeout(120_000);
    const workspace = await aRead(aWorkspace, "axe");
    await page.setViewportSize({ width, height: 844 });
    // Colors in transition between themes have the contrast of neither.
    await page.emulateMedia({ reducedMotion: "reduce" });
    const fits = () => expect.poll(() => overflow(page)).toBe(0);
    for (const path of ["/search?q=pasword", "/search?q=xyzzyq", "/search", "/articles/invoices/feedback?helpful=no"]) {
      await page.goto(workspace.url + path);
      await fits();
      await expectAccessible(page);
    }
    await page.goto(`${workspace.url}/articles/invoices`);
    await page.getByRole("button", { name: "No", exact: true }).click();
    await expect(page.getByText("What went wrong?")).toBeVisible();
    await fits();
    await expectAccessible(page);
    await opened(page);
    await page.keyboard.type("pasword");
    await expect(optionsOf(page)).toHaveCount(2);
    await page.keyboard.press("ArrowDown");
    await fits();
    await expectAccessible(page);
    await page.keyboard.type("zzzzzz");
    await expect(dialogOf(page).getByText("No results for").first()).toBeVisible();
    await expectAccessible(page);
    const box = await dialogOf(page).boundingBox();
    if (width === 390) expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    else expect(box?.width).toBeLessThan(700);
  });
}

test("without scripts search and feedback are forms, page by page", async ({ browser, aWorkspace }) => {
  const workspace = await aRead(aWorkspace, "plain");
  const context = await browser.newContext({ javaScriptEnabled: false, userAgent });
  const page = await context.newPage();
  await page.goto(`${workspace.url}/articles/invoices`);
  await page.getByRole("searchbox", { name: "Search" }).fill("pasword");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/search?q=pasword`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Results for “pasword”");
  await expect(page.getByText("Including results for password")).toBeVisible();
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText([/password/i, /password/i]);
  await page.goto(`${workspace.url}/search?q=password&page=7`);
  await expect(page.getByText("That page doesn’t exist.")).toBeVisible();
  await page.getByRole("link", { name: "Go to the last page" }).click();
  await page.getByRole("link", { name: "Reset a password" }).click();
  await expect(page).toHaveURL(`${workspace.url}/articles/reset-a-password`);

  await page.getByRole("button", { name: "No", exact: true }).click();
  await expect(page).toHaveURL(`${workspace.url}/articles/reset-a-password/feedback?helpful=no`);
  await page.getByLabel("Information is missing").check();
  await page.getByLabel("How can we improve this article?").fill("The address to ask at.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thanks! We’ve shared your feedback with the team.")).toBeVisible();
  const said = () => readWorkspace(workspace.id, (read) => read("SELECT helpful, choice, reason FROM feedback"));
  expect(await said()).toEqual([{ helpful: false, choice: "missing", reason: "The address to ask at." }]);
  await page.getByRole("link", { name: "Back to Reset a password" }).click();
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await expect(page.getByText("Glad it helped.")).toBeVisible();
  expect(await said()).toEqual([{ helpful: true, choice: null, reason: null }]);
  await context.close();
});

test("feedback is given in place, and changed", async ({ page, aWorkspace }) => {
  const workspace = await aRead(aWorkspace, "feedback");
  const said = () => readWorkspace(workspace.id, (read) => read("SELECT helpful, choice, reason FROM feedback"));
  await page.goto(`${workspace.url}/articles/invoices`);
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Thanks for your feedback." })).toBeVisible();
  expect(await said()).toEqual([{ helpful: true, choice: null, reason: null }]);
  await page.getByRole("button", { name: "No", exact: true }).click();
  await page.getByLabel("It’s hard to understand").check();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Thanks! We’ve shared your feedback with the team.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Was this helpful?" })).toBeFocused();
  await expect(page).toHaveURL(`${workspace.url}/articles/invoices`);
  expect(await said()).toEqual([{ helpful: false, choice: "unclear", reason: null }]);
});

test("what is for members, of another workspace or no request of ours is refused", async ({ aWorkspace }) => {
  const workspace = await aRead(aWorkspace, "refused");
  const other = await aRead(aWorkspace, "other");
  const host = new URL(workspace.url).host;
  const fetchPage = async (path: string) => ask(host, path);
  const found = JSON.parse((await fetchPage("/search/suggestions?q=password")).body) as { results: { url: string }[] };
  expect(found.results.map(({ url }) => url).sort()).toEqual([
    "/articles/password-rules",
    "/articles/reset-a-password",
  ]);
  expect((await fetchPage("/search/suggestions?q=password")).headers["cache-control"]).toBe("no-store");
  for (const query of ["", "?q=", "?q=%01%FE", `?q=${"x".repeat(3_000)}`, "?q=%F0%9F%8E%89", "?q[]=1&q=2"]) {
    expect((await fetchPage(`/search/suggestions${query}`)).status).toBeLessThan(500);
    expect((await fetchPage(`/search${query}`)).status).toBeLessThan(500);
  }
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(host, path, { method: "POST", body, headers: { Origin: workspace.url, ...headers } });
  const json = { "Content-Type": "application/json" };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const body of ["", "[]", '{"text":1}', '{"search":"x","opened":true}', "\0"])
    expect((await post("/search/log", body, json)).status).toBe(422);
  expect((await post("/search/log", "{}", { ...json, Origin: other.url })).status).toBe(403);
  for (const slug of ["secret", "nothing"])
    expect((await post(`/articles/${slug}/feedback/send`, "helpful=no", form)).status).toBe(404);
  expect((await ask(host, "/articles/secret/feedback")).status).toBe(404);
  const refused = await post("/articles/invoices/feedback/send", "helpful=perhaps", form);
  expect([refused.status, refused.body.split("\n")[0]]).toEqual([422, 'Send "helpful" as "yes" or "no".']);
  const tooLong = await post("/articles/invoices/feedback/send", `helpful=no&reason=${"x".repeat(2_001)}`, {
    ...form,
    Accept: "application/json",
  });
  expect([tooLong.status, JSON.parse(tooLong.body)]).toEqual([
    422,
    { error: '"reason" can have up to 2,000 characters.' },
  ]);
  // Programs get no thanks for ignored feedback. A person with an unusual browser gets an explanation.
  const unknown = await post("/articles/invoices/feedback/send", "helpful=no", form);
  expect([unknown.status, unknown.body.split("\n")[0]]).toEqual([
    403,
    "We couldn’t save your feedback from this browser.",
  ]);
  const long = await post("/articles/invoices/feedback/send", `helpful=no&reason=${"x".repeat(70_000)}`, form);
  expect(long.status).toBe(413);
  expect((await ask(host, "/articles/invoices")).body).toContain("Was this helpful?");
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { feedbackEnabled: false } }));
  expect((await post("/articles/invoices/feedback/send", "helpful=no", form)).status).toBe(404);
  expect((await ask(host, "/articles/invoices")).body).not.toContain("Was this helpful?");
});

test("only what a person is shown is remembered as a search, and only so many a minute are made", async ({
  aWorkspace,
}) => {
  const workspace = await aRead(aWorkspace, "limit");
  const host = new URL(workspace.url).host;
  const fetchPage = (term: string, headers: Record<string, string> = {}, method = "GET") =>
    ask(host, `/search?q=${term}`, { method, headers: { "User-Agent": userAgent, ...headers } });
  await fetchPage("nobodyhead", {}, "HEAD");
  await fetchPage("nobodyscript", { RSC: "1" });
  await fetchPage("nobodyahead", { "Sec-Purpose": "prefetch;prerender" });
  await fetchPage("nobodyold", { Purpose: "prefetch" });
  await fetchPage("nobodybot", { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  const found = await fetchPage("password");
  expect([found.status, found.body.includes("Results for")]).toEqual([200, true]);
  await expect.poll(() => searches(workspace)).toEqual([{ term: "password", found: 2, clicked: false }]);

  await Promise.all(
    Array.from({ length: limitSettings.RATE_LIMIT_TYPING }, () =>
      takeLimit("resultPage", { workspace: workspace.id, network: "127.0.0.1" }),
    ),
  );
  const refused = await fetchPage("invoice");
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect(refused.body).toContain("You’re searching too fast.");
  expect(refused.body).toContain('value="invoice"');
  expect(refused.body).not.toContain("/articles/invoices");
  expect((await ask(host, "/search")).status).toBe(200);
  expect(await searches(workspace)).toHaveLength(1);
});
