import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "playwright/test";
import { everyScope } from "@/lib/api-keys/scopes";
import { inWorkspace } from "@/lib/db";
import { complaintsOf, rulesOfColors, test } from "./kit";
import { putKey } from "./library";

// The reference at /developers, for integrators.

const pages = ["/developers", "/developers/v2", "/developers/v1"];

const operation = (page: Page, anchor: string) => page.locator(`section[id="${anchor}"]`);

test("guides and operations are there for every workspace, with its address, and linked from its start page", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await page.goto(workspace.url);
  await page.getByRole("contentinfo").getByRole("link", { name: "API" }).click();
  await expect(page).toHaveURL(`${workspace.url}/developers`);
  await expect(page).toHaveTitle("Developers · Harbour Coffee");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Developers");
  await expect(page.getByRole("tabpanel").first()).toContainText(`curl "${workspace.url}/api/external/v2/me"`);
  await expect(
    page.getByText("A key can send up to 600 requests, 120 searches, and 120 writes per minute."),
  ).toBeVisible();

  const nav = page.getByRole("navigation", { name: "Contents" });
  await nav.getByRole("link", { name: "Update a team member" }).click();
  await expect(page).toHaveURL(`${workspace.url}/developers/v2#update-team-member`);
  await expect(operation(page, "update-team-member").getByRole("heading", { level: 3 })).toBeInViewport();
  await expect(nav.locator("[aria-current]")).toHaveText(["Update a team memberPATCH"]);
  await nav.getByRole("link", { name: "Reference v1" }).click();
  await expect(page.getByText("/api/external/v1/team_members", { exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a language that is chosen switches every sample, by mouse and by keyboard, and is remembered", async ({
  page,
  context,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Polyglot", subdomain: "polyglot" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${workspace.url}/developers/v2#search-articles`);
  const search = operation(page, "search-articles");
  const top = async (name: string) => Math.round((await search.getByRole("tab", { name }).boundingBox())?.y ?? 0);
  await expect(search.getByRole("button", { name: /^Copy sample/ })).toBeVisible();
  const before = await top("Python");
  await search.getByRole("tab", { name: "Python" }).click();
  await expect(page.getByRole("tab", { name: "Python", selected: true })).toHaveCount(64);
  // Samples above have grown, but the clicked element has not moved.
  await expect.poll(async () => Math.abs((await top("Python")) - before)).toBeLessThanOrEqual(1);

  await page.keyboard.press("ArrowLeft");
  await expect(search.getByRole("tab", { name: "JavaScript" })).toBeFocused();
  await expect(search.getByRole("tabpanel")).toContainText("new URLSearchParams");
  await search.getByRole("button", { name: /^Copy sample/ }).click();
  await expect(search.getByRole("button", { name: /^Copy sample/ })).toHaveText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`const api = "${workspace.url}/api/external/v2";`);
  expect(copied).toBe(await search.getByRole("tabpanel").locator("code").textContent());

  await page.goto(`${workspace.url}/developers`);
  await expect(page.getByRole("tab", { name: "JavaScript", selected: true }).first()).toBeVisible();
  await expect(page.getByRole("tab", { name: "curl", selected: true })).toHaveCount(0);
});

test("a call is tried with a pasted key, which is kept only where the reader asks for it", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Trial", subdomain: "trial" });
  const key = await putKey(workspace);
  const complaints = complaintsOf(page);
  await page.goto(`${workspace.url}/developers/v2`);
  const list = operation(page, "list-team-members");
  await list.getByRole("button", { name: "Try it" }).click();
  await expect(list.getByLabel("API key", { exact: true })).toBeFocused();
  await page.keyboard.type(key);
  await list.getByLabel("page_size").fill("5");
  await expect(list.getByText("GET /api/external/v2/team-members?page_size=5")).toBeVisible();
  await page.keyboard.press("Enter");
  const result = list.getByRole("status", { name: "Response" });
  await expect(result).toContainText("200 OK");
  await expect(result).toContainText(/\d+ ms/);
  await expect(result).toContainText(workspace.email);
  await result.getByText(/\d+ headers/).click();
  await expect(result).toContainText("x-request-id");

  await list.getByLabel("page_size").fill("many");
  await list.getByRole("button", { name: "Send request" }).click();
  await expect(result).toContainText("422");
  await expect(result).toContainText('"field": "page_size"');

  // Every call of the page uses the key, but no storage keeps it after the page closes.
  const me = operation(page, "get-me");
  await me.getByRole("button", { name: "Try it" }).click();
  await expect(me.getByLabel("API key", { exact: true })).toHaveValue(key);
  expect(page.url()).not.toContain(key);
  const kept = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]));
  expect(await kept()).not.toContain(key);
  await me.getByLabel("Remember for this tab").check();
  await expect.poll(kept).toContain(key);
  await page.reload();
  await operation(page, "get-me").getByRole("button", { name: "Try it" }).click();
  await expect(operation(page, "get-me").getByLabel("API key", { exact: true })).toHaveValue(key);
  await operation(page, "get-me").getByLabel("Remember for this tab").uncheck();
  expect(await kept()).not.toContain(key);
  expect(complaints).toEqual([]);
});

test("a wrong key shows the refusal, a server that is away says so", async ({ page, context, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Refusal", subdomain: "refusal" });
  await page.goto(`${workspace.url}/developers/v2`);
  const me = operation(page, "get-me");
  await me.getByRole("button", { name: "Try it" }).click();
  await me.getByLabel("API key", { exact: true }).fill("kb_wrong");
  await me.getByRole("button", { name: "Send request" }).click();
  const result = me.getByRole("status", { name: "Response" });
  await expect(result).toContainText("401 Unauthorized");
  await expect(result.getByText("Authentication failed: invalid API key.", { exact: true })).toBeVisible();
  await context.setOffline(true);
  await me.getByRole("button", { name: "Send request" }).click();
  await expect(result).toContainText("Can't reach the server");
});

test("a change is asked about once, and sends only what was filled in", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Change", subdomain: "change" });
  const key = await putKey(workspace, everyScope);
  const nameNow = () =>
    inWorkspace(workspace.id, async (db) => {
      const { firstName, lastName } = await db.member.findFirstOrThrow();
      return `${firstName} ${lastName}`;
    });
  await page.goto(`${workspace.url}/developers/v2`);
  const update = operation(page, "update-team-member");
  await update.getByRole("button", { name: "Try it" }).click();
  await update.getByLabel("API key", { exact: true }).fill(key);
  await update.getByLabel("first_name").fill("Augusta");
  await update.getByRole("button", { name: "Send request" }).click();
  // Without the id, the request has no URL.
  await expect(update.getByLabel("team_member_id")).toBeFocused();
  await update.getByLabel("team_member_id").fill(workspace.memberId);
  await update.getByRole("button", { name: "Send request" }).click();
  const question = update.getByRole("group", { name: "Confirm the change" });
  await expect(question).toContainText('{"first_name":"Augusta"}');
  await expect(question.getByRole("button", { name: "Send request" })).toBeFocused();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await nameNow()).toBe("Ada Lovelace");
  await update.getByRole("button", { name: "Send request" }).click();
  await question.getByRole("button", { name: "Send request" }).click();
  await expect(update.getByRole("status", { name: "Response" })).toContainText("200 OK");
  expect(await nameNow()).toBe("Augusta Lovelace");
});

for (const width of [1280, 390]) {
  test(`at ${width} pixels both themes are accessible and nothing runs off the page`, async ({ page, aWorkspace }) => {
    test.setTimeout(180_000);
    const workspace = await aWorkspace({ name: "A knowledge base with a rather long name", subdomain: "wide" });
    const complaints = complaintsOf(page);
    await page.setViewportSize({ width, height: 844 });
    for (const path of pages) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(workspace.url + path);
        if (path.startsWith("/developers/v") && colorScheme === "dark") {
          const update = operation(page, "update-team-member");
          await update.getByRole("button", { name: "Try it" }).click();
          await page.locator("details").evaluateAll((all) => {
            for (const one of all as HTMLDetailsElement[]) one.open = true;
          });
        }
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        // Axe needs a minute for all operations, and minutes for their colors. v1 has fewer, of the same components.
        if (path === "/developers/v2" && (width === 390 || colorScheme === "light")) continue;
        const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
        const { violations } = await (path === "/developers/v2" ? axe.disableRules(rulesOfColors) : axe).analyze();
        const found = violations.map(
          ({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map((node) => node.html).join(" ")}`,
        );
        expect(found).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });
}

test("without scripts everything is read, in each language, and nothing is offered that cannot work", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Plain", subdomain: "plain" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${workspace.url}/developers/v2`);
  const search = operation(page, "search-articles");
  await expect(search.getByRole("tabpanel")).toContainText("curl -G");
  await expect(page.getByRole("button")).toHaveCount(0);
  await search.getByRole("tab", { name: "Python" }).click();
  await expect(page).toHaveURL(`${workspace.url}/developers/v2?language=python#search-articles`);
  await expect(search.getByRole("tabpanel")).toContainText("urlencode");
  await search.getByText("One page of matches").click();
  await expect(search.getByText("corrected_term", { exact: true }).first()).toBeVisible();
  await context.close();
});

test("the first stop of the keyboard leads past the navigation", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Keyboard", subdomain: "keyboard" });
  await page.goto(`${workspace.url}/developers`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
