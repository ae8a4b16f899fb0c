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
  await expect(page.getByAltText("What you chose")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Upload logo" }).click();
  await expect(message(page)).toContainText("The logo is uploaded");
  await expect(page.getByAltText("What you chose")).toHaveCount(0);
  // In the corner, which is elsewhere on a phone, and on light and dark backgrounds.
  await expect(page.locator('img[src^="/uploads/"][width="384"][height="128"]')).toHaveCount(2);
  await expect(page.locator('image[href^="/uploads/"]')).toHaveCount(2);
  await expectAccessible(page);
  expect(await homeOf(workspace)).toContain("/uploads/");

  await page.getByRole("button", { name: "Remove logo" }).click();
  await expect(message(page)).toContainText("The logo is removed.");
  expect(await homeOf(workspace)).not.toContain("/uploads/");
  await undo(page);
  await expect(message(page)).toContainText("The logo is back.");
  expect(await homeOf(workspace)).toContain("/uploads/");
  await page.reload();
  await expect(message(page)).toHaveCount(0);

  // Changes the color, then restores the first one.
  const [first] = /\/uploads\/[0-9a-f-]+/.exec(await homeOf(workspace)) ?? [];
  await choose(page, "New logo", await draw("orange", 100, 100));
  await page.getByRole("button", { name: "Upload logo" }).click();
  await expect(message(page)).toContainText("The logo is uploaded");
  expect(await homeOf(workspace)).not.toContain(first);
  await undo(page);
  await expect(message(page)).toContainText("The logo is back.");
  expect(await homeOf(workspace)).toContain(first);
  expect(complaints).toEqual([]);
});

test("a colour is tried in a drawing, saved in a shade that can be read, undone and reset", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/appearance`);
  await expect(page.getByText("the colour that comes with the product").first()).toBeVisible();
  await expect(page.getByLabel("Pick")).toBeVisible();
  const colour = page.getByRole("textbox", { name: "Colour" });

  await colour.fill("#0b5cad");
  const light = page.getByRole("figure").filter({ hasText: "In the light theme" });
  const dark = page.getByRole("figure").filter({ hasText: "In the dark theme" });
  await expect(light).toContainText("shown as it is. Its contrast is 5.8");
  await expect(dark).toContainText(/lightened to #[0-9a-f]{6} so that text in it is readable/);
  await expect(light.locator('[fill="#0b5cad"]').first()).toBeAttached();
  await page.getByLabel("Pick").fill("#ffd400");
  await expect(colour).toHaveValue("#ffd400");
  await expect(light).toContainText(
    /darkened to #[0-9a-f]{6} so that text in it is readable. Its contrast is 4.* in place of 1\./,
  );
  await expect(dark).toContainText("shown as it is");
  await expectAccessible(page);

  await colour.fill("yellowish");
  await page.getByRole("button", { name: "Save colour" }).click();
  await expect(page.getByText("Write the colour as # and six digits")).toBeVisible();
  await expect(colour).toHaveValue("yellowish");
  await expect(colour).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  expect(await homeOf(workspace)).not.toContain("--accent:");

  await colour.fill("FFD400");
  await page.getByRole("button", { name: "Save colour" }).click();
  await expect(message(page)).toContainText("The colour is saved");
  expect(await homeOf(workspace)).toMatch(/--accent:light-dark\(#[0-9a-f]{6},#ffd400\)/);
  await expect(colour).toHaveValue("#ffd400");
  // The page itself uses the color.
  await expectAccessible(page);
  await undo(page);
  await expect(message(page)).toContainText("The product’s own colour is shown");
  expect(await homeOf(workspace)).not.toContain("--accent:");
  await undo(page);
  await expect(message(page)).toContainText("The colour is saved");
  await page.getByRole("button", { name: "Use the product’s own colour" }).click();
  await expect(message(page)).toContainText("The product’s own colour is shown");
  await expect(colour).toHaveValue("");
  expect(await homeOf(workspace)).not.toContain("--accent:");
  expect(complaints).toEqual([]);
});

test("members only takes everything away from others at once, and one click brings it back", async ({
  page,
  aWorkspace,
}) => {
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
  await expect(page.getByText("Links that were shared lead others to the sign-in")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Only members can read from now on.");
  await expect(page.getByLabel("Members only")).toBeChecked();
  await expectAccessible(page);
  expect(await seen()).toBe(false);
  expect([await statusOf("/feed.xml"), await statusOf("/llms.txt"), await robots()]).toEqual([404, 404, "Disallow: /"]);
  const member = await page.context().newPage();
  await member.goto(article.url);
  await expect(member.getByText("Grind finely.")).toBeVisible();
  await member.close();

  await undo(page);
  await expect(message(page)).toContainText("Everyone can read from now on.");
  await expect(page.getByLabel("Everyone")).toBeChecked();
  expect([await seen(), await statusOf("/feed.xml")]).toEqual([true, 200]);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Nothing was changed");

  await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { visibility: "everyone" } }));
  await page.goto(`${workspace.url}/admin/readers`);
  await expect(page.getByText("One category is itself for everyone and stays open")).toBeVisible();
  await page.getByLabel("Members only").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Only members can read from now on.");
  expect(await seen()).toBe(true);
  expect(complaints).toEqual([]);
});

test("feedback and the log of searches are switched off on every page at once", async ({ page, aWorkspace }) => {
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
  await page.getByLabel("Ask whether an article helped").uncheck();
  await page.getByLabel("Keep what is searched for").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Articles no longer ask whether they helped. Searches are no longer kept.");
  expect([await asks(), (await send()).status]).toEqual([false, 404]);
  await search("unlogged");

  await undo(page);
  await expect(message(page)).toContainText("Articles ask whether they helped. Searches are kept.");
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
  await expect(message(page)).toContainText("The picture is uploaded");
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
  await expect(message(page)).toContainText("The picture is removed.");
  expect(await author()).toBe("avatars");
  await undo(page);
  await expect(message(page)).toContainText("The picture is back.");
  expect(await author()).toBe("uploads");

  // Another member's.
  await page.goto(`${workspace.url}/admin/members/${other}`);
  await choose(page, "New picture", await draw("navy"), "grace.png");
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/members/${other}`);
  await expect(message(page)).toContainText("The picture is uploaded");
  await expectAccessible(page);
  await undo(page);
  await expect(message(page)).toContainText("The picture is removed.");
  await expect(page.getByText("Drawn from the initials")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("looks, readers and pictures are changed without scripts, and on a phone", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const viewport = { width: 390, height: 844 };
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false, viewport });
  await page.goto(`${workspace.url}/admin/appearance`);
  await choose(page, "New logo", await draw("teal"));
  await page.getByRole("button", { name: "Upload logo" }).click();
  await expect(message(page)).toContainText("The logo is uploaded");
  await undo(page);
  await expect(message(page)).toContainText("The logo is removed.");

  await page.getByRole("textbox", { name: "Colour" }).fill("nothing");
  await page.getByRole("button", { name: "Save colour" }).click();
  await expect(page.getByText("Write the colour as # and six digits")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Colour" })).toHaveValue("nothing");
  await page.getByRole("textbox", { name: "Colour" }).fill("#ffd400");
  await page.getByRole("button", { name: "Save colour" }).click();
  await expect(message(page)).toContainText("The colour is saved");
  await expect(page.getByText(/darkened to #[0-9a-f]{6} so that text in it is readable/)).toBeVisible();
  await undo(page);
  await expect(message(page)).toContainText("The product’s own colour is shown");

  await page.goto(`${workspace.url}/admin/readers`);
  await page.getByLabel("Members only").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Only members can read from now on.");
  await undo(page);
  await expect(message(page)).toContainText("Everyone can read from now on.");

  await page.goto(`${workspace.url}/admin/profile`);
  await choose(page, "New picture", await draw("orange"));
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(message(page)).toContainText("The picture is uploaded");
  await page.getByRole("button", { name: "Remove picture" }).click();
  await expect(message(page)).toContainText("The picture is removed.");
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
