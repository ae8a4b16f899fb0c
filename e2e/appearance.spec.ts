import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import {
  ask,
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
import { draw, publish, putCategory, putMember } from "./library";

// The appearance of a workspace, its visibility, and members' pictures.
test.setTimeout(120_000);

const undo = (page: Page) => message(page).getByRole("button", { name: "Undo" }).click();
const homeOf = async (workspace: TestWorkspace, path = "/") => (await ask(new URL(workspace.url).host, path)).body;

async function choose(page: Page, label: string, content: Buffer, name = "brand.png"): Promise<void> {
  await page.getByLabel(label).setInputFiles({ name, mimeType: "image/png", buffer: content });
}

test("a logo is uploaded, seen by readers, removed, and brought back", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/appearance`);
  await expectAccessible(page);
  expect(await homeOf(workspace)).not.toContain("/uploads/");

  await choose(page, "New logo", await draw("teal"));
  await expect(page.getByAltText("Selected file")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Upload logo" }).click();
  await expect(message(page)).toContainText("The logo was uploaded");
  await expect(page.getByAltText("Selected file")).toHaveCount(0);
  // In the corner, which is elsewhere on a phone, and on light and dark backgrounds.
  await expect(page.locator('img[src^="/uploads/"][width="384"][height="128"]')).toHaveCount(2);
  await expect(page.locator('image[href^="/uploads/"]')).toHaveCount(2);
  await expectAccessible(page);
  expect(await homeOf(workspace)).toContain("/uploads/");

  await page.getByRole("button", { name: "Remove logo" }).click();
  await expect(message(page)).toContainText("Logo removed");
  expect(await homeOf(workspace)).not.toContain("/uploads/");
  await undo(page);
  await expect(message(page)).toContainText("Logo restored");
  expect(await homeOf(workspace)).toContain("/uploads/");
  await page.reload();
  await expect(message(page)).toHaveCount(0);

  // Changes the color, then restores the first one.
  const [first] = /\/uploads\/[0-9a-f-]+/.exec(await homeOf(workspace)) ?? [];
  await choose(page, "New logo", await draw("orange", 100, 100));
  await page.getByRole("button", { name: "Upload logo" }).click();
  await expect(message(page)).toContainText("The logo was uploaded");
  expect(await homeOf(workspace)).not.toContain(first);
  await undo(page);
  await expect(message(page)).toContainText("Logo restored");
  expect(await homeOf(workspace)).toContain(first);
  expect(complaints).toEqual([]);
});

test("a color is previewed, saved in a readable shade, undone and reset", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/appearance`);
  await expect(page.getByText("default color").first()).toBeVisible();
  await expect(page.getByLabel("Color picker")).toBeVisible();
  const color = page.getByRole("textbox", { name: "Color", exact: true });

  await color.fill("#0b5cad");
  const light = page.getByRole("figure").filter({ hasText: "Light theme" });
  const dark = page.getByRole("figure").filter({ hasText: "Dark theme" });
  await expect(light).toContainText("contrast 5.8 to 1");
  await expect(dark).toContainText(/lightened to #[0-9a-f]{6} for contrast/);
  await expect(light.locator('[fill="#0b5cad"]').first()).toBeAttached();
  await page.getByLabel("Color picker").fill("#ffd400");
  await expect(color).toHaveValue("#ffd400");
  await expect(light).toContainText(/darkened to #[0-9a-f]{6} for contrast, 4.* to 1 instead of 1\./);
  await expect(dark).toContainText("contrast ");
  await expectAccessible(page);

  await color.fill("yellowish");
  await page.getByRole("button", { name: "Save color" }).click();
  await expect(page.getByText("Enter a color")).toBeVisible();
  await expect(color).toHaveValue("yellowish");
  await expect(color).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  expect(await homeOf(workspace)).not.toContain("--accent:");

  await color.fill("FFD400");
  await page.getByRole("button", { name: "Save color" }).click();
  await expect(message(page)).toContainText("Color saved");
  expect(await homeOf(workspace)).toMatch(/--accent:light-dark\(#[0-9a-f]{6},#ffd400\)/);
  await expect(color).toHaveValue("#ffd400");
  // The page itself uses the color.
  await expectAccessible(page);
  await undo(page);
  await expect(message(page)).toContainText("Color reset");
  expect(await homeOf(workspace)).not.toContain("--accent:");
  await undo(page);
  await expect(message(page)).toContainText("Color saved");
  await page.getByRole("button", { name: "Reset to default" }).click();
  await expect(message(page)).toContainText("Color reset");
  await expect(color).toHaveValue("");
  expect(await homeOf(workspace)).not.toContain("--accent:");
  expect(complaints).toEqual([]);
});

test("readers see the links, the home page texts and the contact that were set", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/appearance`);
  await page.getByLabel("Home page headline").fill("How can we help?");
  await page.getByLabel("Home page text").fill("Guides for every machine.");
  await page.getByLabel("Contact").fill("nobody");
  await page.getByLabel("Label 1").fill("Status");
  await page.getByLabel("URL 1").fill("https://status.example.com/");
  await page.getByRole("button", { name: "Save site" }).click();
  await expect(page.getByLabel("Contact")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("URL 1")).toHaveValue("https://status.example.com/");
  await expectAccessible(page);
  await page.getByLabel("Contact").fill("help@example.com");
  await page.getByRole("button", { name: "Save site" }).click();
  await expect(message(page)).toContainText("Site saved");
  await page.goto(workspace.url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("How can we help?");
  await expect(page.getByText("Guides for every machine.")).toBeVisible();
  const status = page.getByRole("link", { name: "Status" });
  await expect(status).toHaveAttribute("href", "https://status.example.com/");
  await page.goto(`${workspace.url}/search?q=nothing`);
  await expect(page.getByRole("link", { name: "help@example.com" })).toHaveAttribute("href", "mailto:help@example.com");
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "Grind size",
    html: "<p>Grind finely.</p>",
  });
  const reader = await browser.newPage({ userAgent: personsBrowser });
  await reader.goto(url);
  await expect(reader.getByRole("link", { name: "help@example.com" })).toHaveCount(0);
  await reader.getByRole("button", { name: "No", exact: true }).click();
  await expect(reader.getByRole("link", { name: "help@example.com" })).toBeVisible();
  await reader.close();
});

test("members only hides everything from others immediately, and one click undoes it", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  const host = new URL(workspace.url).host;
  const article = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "Grind size",
    html: "<p>Grind finely.</p>",
  });
  const path = new URL(article.url).pathname;
  const seen = async () => (await ask(host, path)).body.includes("Grind finely.");
  const statusOf = async (at: string) => (await ask(host, at)).status;
  const robots = async () => (await homeOf(workspace, "/robots.txt")).split("\n")[1];
  // From now on the server keeps the page.
  for (let look = 0; look < 2; look++) expect(await seen()).toBe(true);
  expect([await statusOf("/feed.xml"), await statusOf("/llms.txt"), await robots()]).toEqual([
    200,
    200,
    "Disallow: /admin",
  ]);

  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/readers`);
  await expectAccessible(page);
  await page.getByLabel("Members only").check();
  await expect(
    page.getByText("The sitemap and the feed are turned off, and search engines are blocked."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("The knowledge base is now members-only.");
  await expect(page.getByLabel("Members only")).toBeChecked();
  await expectAccessible(page);
  expect(await seen()).toBe(false);
  expect([await statusOf("/feed.xml"), await statusOf("/llms.txt"), await robots()]).toEqual([404, 404, "Disallow: /"]);
  const member = await page.context().newPage();
  await member.goto(article.url);
  await expect(member.getByText("Grind finely.")).toBeVisible();
  await member.close();

  await undo(page);
  await expect(message(page)).toContainText("The knowledge base is now public.");
  await expect(page.getByLabel("Everyone")).toBeChecked();
  expect([await seen(), await statusOf("/feed.xml")]).toEqual([true, 200]);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("No changes to save");

  await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { visibility: "everyone" } }));
  await page.goto(`${workspace.url}/admin/readers`);
  await expect(page.getByText("1 category stays public.")).toBeVisible();
  await page.getByLabel("Members only").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("The knowledge base is now members-only.");
  expect(await seen()).toBe(true);
  expect(complaints).toEqual([]);
});

test("feedback and the search log are turned off on every page immediately", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const host = new URL(workspace.url).host;
  const article = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "Grind size",
    html: "<p>Grind finely.</p>",
  });
  const path = new URL(article.url).pathname;
  const asks = async () => (await homeOf(workspace, path)).includes("Was this helpful?");
  const userAgent = personsBrowser;
  const search = (term: string) => ask(host, `/search?q=${term}`, { headers: { "User-Agent": userAgent } });
  const kept = () =>
    inWorkspace(workspace.id, (db) => db.search.findMany({ select: { term: true }, orderBy: { createdAt: "asc" } }));
  const send = () =>
    ask(host, `${path}/feedback/send`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": userAgent, Origin: workspace.url },
      body: "helpful=yes",
    });
  for (let look = 0; look < 2; look++) expect(await asks()).toBe(true);
  await search("grind");
  await expect.poll(kept).toEqual([{ term: "grind" }]);

  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/readers`);
  await page.getByLabel("Ask “Was this helpful?”").uncheck();
  await page.getByLabel("Log searches").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Feedback turned off. Search log turned off.");
  expect([await asks(), (await send()).status]).toEqual([false, 404]);
  await search("unlogged");

  await undo(page);
  await expect(message(page)).toContainText("Feedback turned on. Search log turned on.");
  expect([await asks(), (await send()).status]).toEqual([true, 303]);
  // This write would have come after the earlier one.
  await search("logged");
  await expect.poll(kept).toEqual([{ term: "grind" }, { term: "logged" }]);
});

test("a picture is one's own to change, and shown wherever one is", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  const article = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "Grind size",
    html: "<p>Grind.</p>",
  });
  const { id: other } = await putMember(workspace, ["Grace", "Hopper"], "Editor");
  const author = async () =>
    /\/(uploads|avatars)\/[0-9a-f-]+/.exec(await homeOf(workspace, new URL(article.url).pathname))?.[1];
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/profile`);
  await expectAccessible(page);
  expect(await author()).toBe("avatars");
  await choose(page, "New picture", await draw("orange", 500, 300), "me.png");
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(message(page)).toContainText("The picture was uploaded");
  await expectAccessible(page);
  // In the corner and on the page.
  await expect(page.locator('img[src^="/uploads/"]')).toHaveCount(2);
  expect(await author()).toBe("uploads");
  await page.goto(`${workspace.url}/admin/members`);
  await expect(
    page.getByRole("row").filter({ hasText: "Ada Lovelace" }).locator('img[src^="/uploads/"]'),
  ).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${workspace.url}/admin/profile`);
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(message(page)).toContainText("Picture removed");
  expect(await author()).toBe("avatars");
  await undo(page);
  await expect(message(page)).toContainText("Picture restored");
  expect(await author()).toBe("uploads");

  // Another member's.
  await page.goto(`${workspace.url}/admin/members/${other}`);
  await choose(page, "New picture", await draw("navy"), "grace.png");
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/members/${other}`);
  await expect(message(page)).toContainText("The picture was uploaded");
  await expectAccessible(page);
  await undo(page);
  await expect(message(page)).toContainText("Picture removed");
  await expect(page.getByText("No picture yet.")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("looks, readers and pictures are changed without scripts, and on a phone", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const viewport = { width: 390, height: 844 };
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false, viewport });
  await page.goto(`${workspace.url}/admin/appearance`);
  await choose(page, "New logo", await draw("teal"));
  await page.getByRole("button", { name: "Upload logo" }).click();
  await expect(message(page)).toContainText("The logo was uploaded");
  await undo(page);
  await expect(message(page)).toContainText("Logo removed");

  await page.getByRole("textbox", { name: "Color", exact: true }).fill("nothing");
  await page.getByRole("button", { name: "Save color" }).click();
  await expect(page.getByText("Enter a color")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Color", exact: true })).toHaveValue("nothing");
  await page.getByRole("textbox", { name: "Color", exact: true }).fill("#ffd400");
  await page.getByRole("button", { name: "Save color" }).click();
  await expect(message(page)).toContainText("Color saved");
  await expect(page.getByText(/darkened to #[0-9a-f]{6} for contrast/)).toBeVisible();
  await undo(page);
  await expect(message(page)).toContainText("Color reset");

  await page.goto(`${workspace.url}/admin/readers`);
  await page.getByLabel("Members only").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("The knowledge base is now members-only.");
  await undo(page);
  await expect(message(page)).toContainText("The knowledge base is now public.");

  await page.goto(`${workspace.url}/admin/profile`);
  await choose(page, "New picture", await draw("orange"));
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(message(page)).toContainText("The picture was uploaded");
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(message(page)).toContainText("Picture removed");
  await page.context().close();

  const small = await signedIn(browser, workspace, { viewport });
  for (const path of ["appearance", "readers", "profile"]) {
    await small.goto(`${workspace.url}/admin/${path}`);
    await expect(small.getByRole("heading", { level: 1 })).toBeVisible();
    await expect.poll(async () => [path, await overflow(small)]).toEqual([path, 0]);
    await expectAccessible(small);
  }
  await small.context().close();
});
