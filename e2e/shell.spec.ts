import { expect, type Page } from "playwright/test";
import { takeLimit } from "@/lib/counters";
import { ask, complaintsOf, expectAccessible, message, signIn, signInByForm, test } from "./kit";
import { publish, putCategory, putMember } from "./library";

// The frame of admin pages: menu, palette, shortcuts, and error messages.
test.setTimeout(120_000);

const harbour = { name: "Harbour Coffee", subdomain: "harbour" };

const palette = (page: Page) => page.getByRole("combobox", { name: "Search or jump to" });
async function openPalette(page: Page): Promise<void> {
  // The browser hides the earlier dialog before the page knows. A key pressed in between opens nothing.
  await expect(page.locator("dialog[aria-label='Search or jump to']")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeFocused();
}
const options = (page: Page, group: string) => page.getByRole("group", { name: group }).getByRole("option");

test("the palette goes to every page and setting and does what buttons do, by keyboard alone", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace(harbour);
  const complaints = complaintsOf(page);
  await signInByForm(page, workspace);
  await openPalette(page);
  await expectAccessible(page);
  await page.keyboard.type("memb");
  await expect(options(page, "Pages").first()).toHaveText("MembersMembers");
  await expect(page.getByRole("option", { selected: true })).toHaveText("MembersMembers");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/admin/members`);
  const menu = page.getByRole("navigation", { name: "Admin" });
  await expect(menu.getByRole("link", { name: "Members" })).toHaveAttribute("aria-current", "page");

  await openPalette(page);
  await page.keyboard.type("invite");
  await expect(options(page, "Actions")).toHaveText(["Invite people"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/admin/members/invite`);

  await openPalette(page);
  await page.keyboard.type("your time");
  await expect(options(page, "Settings")).toHaveText(["Your time zoneProfile"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/admin/profile`);

  await openPalette(page);
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  await openPalette(page);
  await page.keyboard.type("nothing is called so");
  await expect(page.getByRole("dialog").getByText("No results")).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("option")).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);

  await openPalette(page);
  await page.keyboard.type("sign out");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  expect(complaints).toEqual([]);
});

test("the palette finds articles, drafts, categories and members; nobody finds more than they may open", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace(harbour);
  const coffee = await putCategory(workspace, "Coffee machines");
  await putCategory(workspace, "Descaling", { parentId: coffee });
  await publish(workspace, coffee, { title: "Clean the grinder", html: "<p>Every descaling begins here.</p>" });
  const html = "<p>Not ready.</p>";
  const { id } = await publish(workspace, coffee, { title: "Descaling the boiler", state: "draft", html });
  const desi = await putMember(workspace, ["Desi", "Descale"], "Collaborator");
  const { host } = new URL(workspace.url);
  expect((await ask(host, "/admin/find?q=desc")).status).toBe(401);

  await signInByForm(page, workspace);
  await openPalette(page);
  await page.keyboard.type("desc");
  await expect(options(page, "Articles")).toHaveText([
    "Descaling the boilerDraft in Coffee machines",
    "Clean the grinderCoffee machines",
  ]);
  await expect(options(page, "Categories")).toHaveText(["DescalingCoffee machines"]);
  await expect(options(page, "Members")).toHaveText(["Desi Descaledesi@example.com"]);
  await expectAccessible(page);
  // The last item is before the first.
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("dialog").getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("dialog").getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await palette(page).fill("grinder");
  await expect(options(page, "Articles")).toHaveText(["Clean the grinderCoffee machines"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/articles/clean-the-grinder`);

  await page.goto(`${workspace.url}/admin`);
  await openPalette(page);
  await page.keyboard.type("boiler");
  await expect(options(page, "Articles")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/admin/articles/${id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Descaling the boiler" })).toBeVisible();
  await expectAccessible(page);

  await page.context().clearCookies();
  await signInByForm(page, workspace, desi.email);
  await openPalette(page);
  await page.keyboard.type("desc");
  await expect(options(page, "Articles")).toContainText(["Clean the grinder"]);
  await expect(options(page, "Members")).toHaveCount(0);
  await palette(page).fill("invite");
  await expect(page.getByRole("dialog").getByText("No results")).toBeVisible();
  // Frequent searches are limited. Commands still work.
  await Promise.all(
    Array.from({ length: 240 }, () => takeLimit("palette", { workspace: workspace.id, member: desi.id })),
  );
  await palette(page).fill("descaling");
  await expect(page.getByText(/^Too many searches\. Try again in \d+ seconds?\.$/)).toBeVisible();
  await palette(page).fill("sign out");
  await expect(page.getByRole("dialog").getByRole("option").first()).toContainText("Sign out");
});

test("a word that is still put together chooses nothing, and what cannot be searched is said", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace(harbour);
  await signInByForm(page, workspace);
  await page.route("**/admin/find?*", (route) => route.fulfill({ status: 503, body: "Away." }));
  await openPalette(page);
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", { text: "roles", selectionStart: 5, selectionEnd: 5 });
  await expect(options(page, "Pages").first()).toHaveText("RolesMembers");
  await palette(page).dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await expect(palette(page)).toBeFocused();
  await client.send("Input.insertText", { text: "roles" });
  await expect(page.getByText("Search is unavailable.")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${workspace.url}/admin/roles`);
});

test("single keys move through lists, filter, and go places, but never while someone types", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace(harbour);
  await signInByForm(page, workspace);
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeVisible();
  const filter = page.getByLabel("Name or email");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(`${workspace.url}/admin/roles`);
  await expect(page.getByRole("heading", { name: "Roles" })).toBeVisible();
  const role = (name: string) => page.getByRole("link", { name, exact: true });
  await page.keyboard.press("j");
  await expect(role("Admin")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await expect(role("Editor")).toBeFocused();
  await page.keyboard.press("k");
  await expect(role("Collaborator")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator("body")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Admin" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Roles" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(page.getByRole("heading", { name: "Admin" })).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(filter).toBeVisible();
  await page.keyboard.press("/");
  await expect(filter).toBeFocused();
  await page.keyboard.type("g?jr/");
  await expect(filter).toHaveValue("g?jr/");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await filter.fill("");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(filter).not.toBeFocused();
  await page.keyboard.press("Control+j");
  await expect(page.locator("body")).toBeFocused();

  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard" });
  await expect(sheet).toContainText("Filter the list");
  await expect(sheet).toContainText("Next and previous row");
  await expectAccessible(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.goto(`${workspace.url}/admin`);
  await expect(page.getByRole("button", { name: "Search or jump to" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(sheet).toContainText("Search or jump to");
  await expect(sheet).not.toContainText("Filter the list");
  await page.keyboard.press("Escape");

  await page.reload();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("without a network nothing is sent and nothing that was typed is lost", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace(harbour);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/profile`);
  await page.getByLabel("First name").fill("Augusta");
  await page.context().setOffline(true);
  const notice = page.getByText("You're offline. Changes can't be saved until you reconnect.");
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("First name")).toHaveValue("Augusta");
  await page.context().setOffline(false);
  await expect(notice).toBeHidden();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Profile saved");
});

test("what does not answer says what to do, and is tried again", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace(harbour);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/profile`);
  await page.route("**/admin/profile", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503, body: "Away." }) : route.fallback(),
  );
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Members", exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("First name")).toHaveValue("Ada");
});

test("a page that takes its time is stood in for by its outline", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace(harbour);
  await signInByForm(page, workspace);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/admin\/tags\?_rsc=/, async (route) => {
    // Prefetching brings the outline.
    if (!route.request().headers()["next-router-prefetch"]) await released;
    await route.fallback();
  });
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Tags" }).click();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("heading", { name: "Home" })).toBeHidden();
  await expect(page.locator(".skeleton")).toBeVisible();
  release();
  await expect(page.getByRole("heading", { name: "Tags", exact: true })).toBeVisible();
  await expect(page.locator(".skeleton")).toBeHidden();
});

test("the menu is collapsed to icons and stays so, and its pages are found by their group", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace(harbour);
  await signInByForm(page, workspace);
  const menu = page.getByRole("navigation", { name: "Admin" });
  const width = () => menu.evaluate((element) => element.getBoundingClientRect().width);
  const wide = await width();
  await page.getByRole("button", { name: "Collapse menu" }).click();
  await expect.poll(width).toBeLessThan(wide / 2);
  await expectAccessible(page);
  await menu.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "General" })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "true");
  await page.reload();
  expect(await width()).toBeLessThan(wide / 2);
  await page.getByRole("button", { name: "Expand menu" }).click();
  await expect.poll(width).toBe(wide);
});

test("a wrong URL stays in the admin UI", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace(harbour);
  await signIn(page, workspace);
  const answer = await page.goto(`${workspace.url}/admin/no/such-page`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Members", exact: true })).toBeVisible();
  await expectAccessible(page);
});
