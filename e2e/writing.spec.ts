import { readFile } from "node:fs/promises";
import { expect } from "playwright/test";
import { emptyDraft } from "@/lib/articles/article-text";
import { publishArticles } from "@/lib/articles/publish";
import { deleteArticles } from "@/lib/articles/removal";
import { inWorkspace } from "@/lib/db";
import { storeUpload } from "@/lib/uploads/uploads";
import { anArticle } from "@/testing/workspace";
import { aDraft, chooseAction, newCategory, openPart, saved, write, written } from "./desk";
import {
  actor,
  ask,
  choose,
  complaintsOf,
  cookieOfMember,
  crash,
  expectAccessible,
  loseAnswers,
  message,
  signedIn,
  signIn,
  signInByForm,
  type TestWorkspace,
  test,
} from "./kit";
import { draw, putMember } from "./library";

test.setTimeout(150_000);

/** A page as a signed-out reader sees it. */
async function read(
  workspace: TestWorkspace,
  path: string,
): Promise<{ status: number; body: string; to: string | undefined }> {
  const { status, body, headers } = await ask(new URL(workspace.url).host, path);
  return { status, body, to: headers.location };
}

/** Another member, with the same password. */
const grace = (workspace: TestWorkspace) => putMember(workspace, ["Grace", "Hopper"], "Admin");

test("an article is written, published, changed, compared, restored, moved and unpublished", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "writing" });
  await newCategory(workspace);
  const complaints = complaintsOf(page);
  await signInByForm(page, workspace);
  await page.getByRole("link", { name: "Articles", exact: true }).first().click();
  await expect(page.getByText("No articles yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "New article" }).click();
  await page.getByLabel("Title").fill("Get a refund");
  await page.getByRole("button", { name: "Create article" }).click();
  await expect(page.getByRole("heading", { level: 1 }).getByLabel("Title")).toHaveValue("Get a refund");
  await expect(written(page)).toBeFocused();

  const broken = '<h2>Then</h2><p><a href="/articles/nowhere">Wait</a>.</p>';
  await write(page, `<h2>First</h2><p>Ask within thirty days.</p>${broken}`);
  await page.getByLabel("Tags").fill("Money");
  await page.getByLabel("Tags").press("Enter");
  await openPart(page, "Search engines");
  await page.getByLabel("Meta description").fill("How it comes back");
  await saved(page);
  await expectAccessible(page);
  expect((await read(workspace, "/articles/get-a-refund")).status).toBe(404);

  const publishing = page.getByRole("button", { name: "Publish", exact: true }).first();
  const box = page.getByRole("dialog", { name: "Publish" });
  await publishing.click();
  const issues = box.getByRole("region", { name: "Issues" });
  await expect(issues).toContainText("Broken link: “Wait” to /articles/nowhere");
  // Readers see nothing yet that could be compared.
  await expect(box.getByText("Changes", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await box.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(message(page)).toContainText("Article published");
  const published = await read(workspace, "/articles/get-a-refund");
  expect([published.status, published.body.includes("within thirty days"), published.body.includes("Money")]).toEqual([
    200,
    true,
    true,
  ]);

  const bold = broken.replace("<p>", "<p><strong>").replace("</p>", "</strong></p>");
  await write(page, `<h2>First</h2><p>Ask within sixty days.</p>${bold}`);
  await saved(page);
  expect((await read(workspace, "/articles/get-a-refund")).body).toContain("within thirty days");
  await publishing.click();
  await box.getByText("Changes", { exact: true }).click();
  const changes = page.getByRole("region", { name: "Changes in the text" });
  await expect(changes.locator("del")).toHaveText("thirty");
  await expect(changes.locator("ins")).toHaveText("sixty");
  await expect(changes.getByRole("listitem")).toHaveText("Now bold: “Wait.”");
  await expectAccessible(page);
  // Someone saved since the page was opened.
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ data: { revision: { increment: 1 } } }));
  await box.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(
    page.getByText(/^Not published. Someone has saved this article since you opened this page/),
  ).toBeVisible();
  await page.getByLabel("Release note").fill("Sixty days, as the law says");
  await box.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(message(page)).toContainText("Article published");
  // Nothing is left to publish.
  await expect(box).toBeHidden();
  await publishing.click();
  await expect(box.getByRole("link", { name: "View live" })).toHaveAttribute("href", "/articles/get-a-refund");
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  expect((await read(workspace, "/articles/get-a-refund")).body).toContain("within sixty days");

  await chooseAction(page, "Versions");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Versions of “Get a refund”");
  const timeline = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await expect(timeline.first()).toContainText("Sixty days, as the law says");
  await expectAccessible(page);
  await timeline.filter({ hasText: "Published" }).last().getByRole("link").click();
  const sides = page.getByRole("region", { name: "Changes in the text" });
  await expect(sides.locator("[data-side=before] del")).toHaveText("thirty");
  await expect(sides.locator("[data-side=after] ins")).toHaveText("sixty");
  await page.getByRole("button", { name: /^Restore version/ }).click();
  await expect(message(page)).toContainText("restored as the draft");
  await expect(written(page)).toContainText("thirty days");
  expect((await read(workspace, "/articles/get-a-refund")).body).toContain("within sixty days");

  await written(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" Or sooner.");
  const slug = page.getByLabel("URL slug");
  await slug.fill("Money back");
  await slug.press("Enter");
  await expect(message(page)).toContainText("URL changed on the site.");
  await expect(slug).toHaveValue("money-back");
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(slug).toHaveValue("get-a-refund");
  await slug.fill("Money back");
  // Leaving the field saves it too.
  await page.getByLabel("Keywords").focus();
  await expect(slug).toHaveValue("money-back");
  await expect(page.getByRole("figure", { name: "Search result preview" })).toContainText("/articles/money-back");
  // Earlier text can still be undone.
  await written(page).click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(written(page)).not.toContainText("sooner");
  const former = await read(workspace, "/articles/get-a-refund");
  expect([former.status, former.to]).toEqual([301, "/articles/money-back"]);

  expect((await read(workspace, "/search?q=refund")).body).toContain('href="/articles/money-back"');
  const unpublish = async () => {
    await chooseAction(page, "Unpublish");
    await expect(message(page)).toContainText("unpublished");
    expect((await read(workspace, "/articles/money-back")).status).toBe(404);
  };
  await unpublish();
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Change undone.");
  expect((await read(workspace, "/articles/money-back")).body).toContain("within sixty days");
  await unpublish();
  expect((await read(workspace, "/search?q=refund")).body).not.toContain("/articles/money-back");
  expect(complaints).toEqual([]);
});

test("the text is in view at the top of the page, and the drawer stays as it was left", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "layout" });
  const { path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(path);
  await write(page, "<p>First</p>");
  const { y } = (await written(page).getByText("First").boundingBox())!;
  expect(y).toBeLessThanOrEqual(160);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
  const drawer = page.getByRole("complementary", { name: "Details" });
  await expect(drawer).toBeVisible();
  await page.getByRole("button", { name: "Details" }).click();
  await expect(drawer).toBeHidden();
  await saved(page);
  await page.reload();
  await expect(written(page)).toHaveText("First");
  await expect(drawer).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Details" }).click();
  await expect(drawer).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test("category and author are saved automatically, even when the page is left immediately", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "details" });
  const { id, path } = await aDraft(workspace);
  await newCategory(workspace, "Elsewhere");
  await grace(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await choose(page, "Author", "Grace Hopper");
  await choose(page, "Category", "Elsewhere");
  await chooseAction(page, "Versions");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Versions of “Refunds”");
  const stored = await inWorkspace(workspace.id, (db) =>
    db.article.findFirstOrThrow({ where: { id }, select: { category: true, author: true } }),
  );
  expect([stored.category.name, stored.author.firstName]).toEqual(["Elsewhere", "Grace"]);
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Category" })).toHaveValue("Elsewhere");
  // A slug that is taken is refused in its place, and the page is not left with it.
  await anArticle(workspace, { category: stored.category, title: "Taken", slug: "taken" });
  await page.getByLabel("URL slug").fill("taken");
  await chooseAction(page, "Versions");
  await expect(page.getByText("has this slug").first()).toBeVisible();
  await expect(page.getByLabel("URL slug")).toHaveValue("taken");
});

test("of two who write one article neither overwrites the other, and both texts are kept", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "two-writers" });
  const { path } = await aDraft(workspace);
  const one = await signedIn(browser, workspace);
  const other = await signedIn(browser, workspace, { email: (await grace(workspace)).email });
  for (const page of [one, other]) await page.goto(path);
  await expect(written(other)).toBeVisible();
  await write(one, "<p>Of the first</p>");
  await saved(one);
  await write(other, "<p>Of the second</p>");
  await expect(other.getByRole("heading", { name: /^Ada Lovelace edited this article/ })).toBeVisible();
  await expectAccessible(other);
  await expect(written(other)).toHaveText("Of the second");
  await other.getByRole("button", { name: "Keep mine" }).click();
  await saved(other);

  await write(one, "<p>Of the first again</p>");
  await expect(one.getByRole("heading", { name: /^Grace Hopper edited this article/ })).toBeVisible();
  await one.getByRole("button", { name: "Use theirs" }).click();
  await expect(written(one)).toHaveText("Of the second");
  await write(one, "<p>Of both</p>");
  await saved(one);
  await one.goto(`${path}/versions`);
  const rows = one.getByRole("link", { name: /^Compare version/ });
  await expect(rows.first()).toBeVisible();
  const compared = await rows.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  const versions: (string | null)[] = [];
  for (const href of compared) {
    await one.goto(workspace.url + href);
    const differs = one.getByRole("region", { name: "Changes in the text" });
    versions.push(
      await differs.evaluate((region) => {
        const before = [...region.querySelectorAll("[data-side=before]")];
        return before.map(({ textContent }) => textContent).join("");
      }),
    );
  }
  for (const text of ["Of the first", "Of the first again"]) expect(versions).toContain(text);
});

test("what the server never got is kept in the browser, said to be, and there again after a crash", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "crash" });
  const { path } = await aDraft(workspace);
  const page = await signedIn(browser, workspace);
  const context = page.context();
  await page.goto(path);
  await write(page, "<p>Arrived</p>");
  await saved(page);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await write(page, "<p>Arrived</p><p>Never arrived</p>");
  await expect(page.getByText(/^Can't reach the server/)).toBeVisible({ timeout: 20_000 });
  await crash(page);

  const again = await context.newPage();
  await again.goto(path);
  await expect(written(again)).toHaveText("ArrivedNever arrived");
  await expect(again.getByText("Your unsaved changes were restored.").first()).toBeVisible();
  await saved(again);
  await expectAccessible(again);
  await again.reload();
  await expect(written(again)).toHaveText("ArrivedNever arrived");
  await write(again, "<p>Crashed twice</p>");
  await crash(again);

  const once = await context.newPage();
  await once.goto(path);
  await expect(written(once)).toHaveText("Crashed twice");
  await once.getByRole("button", { name: "Use saved text" }).click();
  await expect(written(once)).toHaveText("ArrivedNever arrived");
  await expect(
    once.getByText("Saved text restored. Your unsaved changes are kept as a version.").first(),
  ).toBeVisible();
});

test("after a reload the text stands as it was typed, and nothing is asked", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "reload" });
  const { id, path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  const type = async (words: string) => {
    await written(page).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(words);
  };
  let text = "";
  // Reloads immediately, while the save waits, around the time of its request, and after it is stored.
  for (const pause of [0, 20, 400, 1_500, 1_530, 2_500, 0]) {
    const word = `${text && " "}Typed ${pause} ms before.`;
    await type(word);
    text += word;
    await new Promise((resolve) => setTimeout(resolve, pause));
    await page.reload();
    await expect(written(page)).toHaveText(text);
  }
  const stored = async () =>
    (await inWorkspace(workspace.id, (db) => db.articleDraft.findFirst({ where: { id } })))?.text;
  await type(" And on.");
  await expect.poll(stored, { timeout: 20_000 }).toBe(`${text} And on.`);
  const question = page.getByRole("alert").filter({ hasText: /./ });
  await expect(question).toHaveCount(0);
  // With a real conflict, the question appears.
  const other = await page.context().newPage();
  await other.goto(path);
  await write(other, "<p>Of another tab</p>");
  await saved(other);
  await type(" And on again.");
  await expect(question).toContainText("You edited this article in another tab");
});

test("without a network nothing is lost, and it is saved when there is one again", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "offline" });
  const { path } = await aDraft(workspace);
  const page = await signedIn(browser, workspace);
  const context = page.context();
  await page.goto(path);
  await expect(written(page)).toBeVisible();
  await context.setOffline(true);
  await written(page).click();
  await page.keyboard.type("Written in a tunnel");
  await expect(page.getByText(/^Not saved/)).toBeVisible({ timeout: 20_000 });
  await context.setOffline(false);
  await saved(page);
  await page.reload();
  await expect(written(page)).toContainText("Written in a tunnel");
});

test("what one member did not get to save is not shown to who signs in at the same browser next", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "shared-browser" });
  const { path } = await aDraft(workspace);
  const page = await signedIn(browser, workspace);
  const context = page.context();
  const other = await grace(workspace);
  await page.goto(path);
  await page.route("**/api/drafts/**", (route) => route.abort());
  await write(page, "<p>Of Ada alone</p>");
  await expect(page.getByText(/^Can't reach the server/)).toBeVisible({ timeout: 20_000 });
  await crash(page);
  await context.clearCookies();

  const next = await context.newPage();
  await signInByForm(next, workspace, other.email);
  await next.goto(path);
  await write(next, "<p>Of Grace</p>");
  await saved(next);
  await expect(next.getByText("Recover unsaved changes?")).toHaveCount(0);
  expect(await next.content()).not.toContain("Of Ada alone");

  await context.clearCookies();
  await signInByForm(next, workspace);
  await next.goto(path);
  await expect(next.getByRole("heading", { name: "Recover unsaved changes?" })).toBeVisible();
  await expect(written(next)).toHaveText("Of Grace");
  await expectAccessible(next);
  await next.getByRole("button", { name: "Restore", exact: true }).click();
  await expect(written(next)).toHaveText("Of Ada alone");
  await saved(next);
  await next.reload();
  await expect(written(next)).toHaveText("Of Ada alone");
  await expect(next.getByText("Recover unsaved changes?")).toHaveCount(0);
});

test("a text of more than a megabyte is saved, and one that is too long is refused with how long it may be", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "long-text" });
  const { id, path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await write(page, "<p>Started</p>");
  await saved(page);
  const put = (html: string, revision: number) =>
    page.evaluate(
      async ({ id, html, revision, writer, blank }) => {
        const body = JSON.stringify({ writer, revision, text: { ...blank, title: "Refunds", html } });
        const answer = await fetch(`/api/drafts/${id}`, { method: "PUT", body });
        return { status: answer.status, text: await answer.text() };
      },
      { id, html, revision, writer: workspace.memberId, blank: emptyDraft },
    );
  const stored = () => inWorkspace(workspace.id, (db) => db.articleDraft.findFirstOrThrow({ where: { id } }));
  const { revision } = await inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { id } }));
  // Three-byte letters, rarely with the same neighbor twice: the most bytes, and the most words to index.
  const letter = (index: number) => String.fromCharCode(0x4e00 + ((index * 7_919 + (index >> 3) * 31) % 20_000));
  const paragraph = (_: unknown, at: number) =>
    `<p>${Array.from({ length: 1_500 }, (_, index) => letter(at * 1_500 + index)).join("")}</p>`;
  const long = Array.from({ length: 400 }, paragraph).join("\n");
  expect(Buffer.byteLength(long)).toBeGreaterThan(1_800_000);
  expect((await put(long, revision)).status).toBe(200);
  expect((await stored()).html).toBe(long);
  for (const [length, status] of [
    [2_000_001, 422],
    [8_000_001, 413],
  ] as const) {
    const refused = await put("x".repeat(length), revision + 1);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining("up to 2,000,000 characters")]);
  }
  expect((await stored()).html).toBe(long);
});

test("a member who saves very often is told to wait, and another one is not", async ({ page, browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "too-often" });
  const { id, path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  const answers = await page.evaluate(async (id) => {
    const put = async () => {
      const answer = await fetch(`/api/drafts/${id}`, { method: "PUT", body: "{}" });
      return { status: answer.status, wait: Number(answer.headers.get("Retry-After")) };
    };
    return Promise.all(Array.from({ length: 121 }, put));
  }, id);
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.length - refused.length, refused.length]).toEqual([120, 1]);
  expect(refused[0]?.wait).toBeGreaterThan(0);
  await write(page, "<p>Too much</p>");
  await expect(page.getByText(/^Can't reach|^Couldn't save\. Too many saves\. Try again in \d+ seconds\./)).toBeVisible(
    {
      timeout: 20_000,
    },
  );
  // Publishing counts toward the same limit, here and in the list.
  const tooOften = /^Too many saves in a short time\. Nothing is lost\. Try again in \d+ (seconds?|minutes?)\.$/;
  const beside = await page.context().newPage();
  await beside.goto(`${path}/publish`);
  await beside.getByRole("button", { name: "Publish" }).click();
  await expect(beside.getByText(tooOften)).toBeVisible();
  await beside.goto(`${workspace.url}/admin/articles`);
  await beside.getByRole("checkbox", { name: "Select Refunds" }).check();
  await beside.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(message(beside).getByText(tooOften)).toBeVisible();
  await expect(beside.getByRole("checkbox", { name: "Select Refunds" })).toBeChecked();
  const other = await grace(workspace);
  const next = await signedIn(browser, workspace, { email: other.email });
  await next.goto(path);
  await write(next, "<p>Of Grace</p>");
  await saved(next);
  await next.context().close();
});

test("an answer that is lost is no conflict with oneself, nor is a page that Back shows again", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "oneself" });
  const { path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await write(page, "<p>One</p>");
  await saved(page);
  const arrive = await loseAnswers(page, "*/api/drafts/*");
  await write(page, "<p>One, two</p>");
  await expect(page.getByText(/^Can't reach the server/)).toBeVisible({ timeout: 20_000 });
  await arrive();
  await write(page, "<p>One, two, three</p>");
  await saved(page);
  await expect(page.getByRole("heading", { name: /saved this article/ })).toHaveCount(0);

  await page.getByRole("link", { name: "Tags", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();
  await page.goBack();
  await expect(written(page)).toHaveText("One, two, three");
  await write(page, "<p>One, two, three, four</p>");
  await saved(page);
  await expect(page.getByRole("heading", { name: /saved this article/ })).toHaveCount(0);
});

test("many articles are published, moved, tagged and deleted together, and all of it is undone", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "bulk" });
  const category = await newCategory(workspace);
  await newCategory(workspace, "Elsewhere");
  for (const title of ["Alpha", "Beta", "Gamma"]) await anArticle(workspace, { category, title, state: "draft" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/articles?sort=title`);
  /** Scripts run, and the last action has reset its form, which is after its message. */
  const isReady = async () => {
    await expect(page.getByLabel("Select all on this page")).toBeVisible();
    await expect(page.getByRole("group", { name: "Selected articles" })).toBeHidden();
  };
  const row = (title: string) => page.getByRole("row").filter({ hasText: title });
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeHidden();
  await page.getByLabel("Select Alpha").check();
  await page.getByLabel("Select Gamma").click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.getByLabel("Select Gamma").uncheck();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(message(page)).toContainText("2 articles published.");
  expect((await read(workspace, "/articles/alpha")).status).toBe(200);
  await expect(row("Gamma")).toContainText("Draft");
  const undo = message(page).getByRole("button", { name: "Undo" });
  await undo.click();
  await expect(message(page)).toContainText("2 articles reverted.");
  expect((await read(workspace, "/articles/alpha")).status).toBe(404);
  await isReady();
  await page.getByLabel("Select Alpha").check();
  await page.getByLabel("Select Beta").check();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(message(page)).toContainText("2 articles published.");
  await isReady();

  await page.getByLabel("Select Alpha").check();
  await choose(page, "Category to move to", "Elsewhere");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(message(page)).toContainText("1 article moved to Elsewhere.");
  await expect(row("Alpha")).toContainText("Elsewhere");
  // The message is gone with the page, and the change can still be undone.
  await page.reload();
  await expect(message(page)).toHaveCount(0);
  const recent = page.getByRole("region", { name: "Your recent changes" });
  await isReady();
  await recent.getByRole("button", { name: "Undo" }).first().click();
  await expect(message(page)).toContainText("1 article reverted.");
  await expect(row("Alpha")).toContainText("Guides");
  await isReady();

  await page.getByLabel("Select Beta").check();
  await page.getByLabel("Tag to add").fill("Urgent");
  await page.getByLabel("Tag to add").press("Enter");
  await expect(message(page)).toContainText("1 article tagged “Urgent.”");
  await choose(page, "Tag", "Urgent");
  await expect(page.getByText("1 result")).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel("Select Beta").check();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("1 article deleted.");
  expect((await read(workspace, "/articles/beta")).status).toBe(410);
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("“Beta” restored.");
  expect((await read(workspace, "/articles/beta")).status).toBe(200);

  await page.goto(`${workspace.url}/admin/articles?sort=title`);
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("3 articles deleted.");
  await undo.click();
  await expect(message(page)).toContainText("3 articles restored.");
  expect((await read(workspace, "/articles/alpha")).status).toBe(200);
});

test("who may only write changes nothing that readers see: not one article, not many, not what was deleted", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "collaborator" });
  const category = await newCategory(workspace);
  await newCategory(workspace, "Elsewhere");
  const alpha = await anArticle(workspace, { category, title: "Alpha" });
  const beta = await anArticle(workspace, { category, title: "Beta", state: "draft" });
  const gamma = await anArticle(workspace, { category, title: "Gamma" });
  const { email } = await putMember(workspace, ["Will", "Writer"], "Collaborator");
  const { batch } = await inWorkspace(workspace.id, (db) =>
    deleteArticles(db, [gamma.id], { kind: "gone" }, workspace.url, actor),
  );
  const before = (await read(workspace, "/articles/alpha")).body;
  await signInByForm(page, workspace, email);
  const list = `${workspace.url}/admin/articles?sort=title`;

  const move = page.getByRole("button", { name: "Move", exact: true });
  /** Each attempt starts with the list without a message. */
  const refused = async (title: string, act: () => Promise<void>) => {
    await page.goto(list);
    await page.getByLabel(`Select ${title}`).check();
    await act();
    await expect(message(page)).toContainText("Nothing changed. At least one of these articles is published");
    await expect(page.getByText("1 selected")).toBeVisible();
    await expect(page.getByLabel(`Select ${title}`)).toBeChecked();
  };
  await refused("Alpha", () => page.getByRole("button", { name: "Delete" }).click());
  await refused("Alpha", async () => {
    await choose(page, "Category to move to", "Elsewhere");
    await move.click();
  });
  await refused("Alpha", async () => {
    await page.getByLabel("Tag to add").fill("Urgent");
    await page.getByRole("button", { name: "Tag", exact: true }).click();
  });
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toHaveCount(0);
  // Buttons that this page lacks.
  for (const [title, does] of [
    ["Beta", "publish"],
    ["Alpha", "unpublish"],
  ] as const) {
    await refused(title, async () => {
      await move.evaluate((element, value) => element.setAttribute("value", value), does);
      await move.click();
    });
  }
  expect((await read(workspace, "/articles/beta")).status).toBe(404);

  await page.goto(`${workspace.url}/admin/articles/${alpha.id}/delete`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("your role can't change published articles")).toBeVisible();
  await page.goto(`${workspace.url}/admin/articles/${beta.id}`);
  await page.getByRole("link", { name: "Ask to publish" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Ada Lovelace" })).toContainText("Admin");
  await expect(page.getByRole("button", { name: /publish/i })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Get a preview link" }).click();
  await expect(page.locator("pre")).toContainText("/preview/");
  await page.goto(`${workspace.url}/admin/articles/${beta.id}`);
  await page.route(`**/api/drafts/${beta.id}`, (route) =>
    route.continue({ url: route.request().url().replace(beta.id, alpha.id) }),
  );
  await expect(written(page)).toBeVisible();
  await page.getByLabel("URL slug").fill("taken-over");
  await page.getByLabel("URL slug").press("Enter");
  await expect(page.getByText("your role can't change published articles").first()).toBeVisible();
  await page.getByLabel("URL slug").fill("beta");
  await page.getByLabel("URL slug").press("Enter");

  await page.goto(list);
  // Visible once scripts run, which would reset what is checked or changed before.
  const ready = page.getByLabel("Select all on this page");
  await expect(ready).toBeVisible();
  await page.getByLabel("Select Beta").check();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("1 article deleted.");
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("“Beta” restored.");
  await expect(ready).toBeVisible();
  await page.getByLabel("Select Beta").check();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("1 article deleted.");
  await expect(ready).toBeVisible();
  const own = message(page).locator("input[name=batch]");
  await own.evaluate((field, value) => field.setAttribute("value", value), batch);
  await message(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Nothing restored. Readers would see “Gamma” again.");
  await page.goto(`${workspace.url}/admin/trash`);
  const trashed = page.getByRole("row").filter({ hasText: "Gamma" });
  await expect(trashed).toContainText("Members who can publish can restore this article.");
  await expect(trashed.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Restore Beta" })).toBeVisible();
  expect((await read(workspace, "/articles/gamma")).status).toBe(410);
  const after = await read(workspace, "/articles/alpha");
  expect([after.status, after.body === before]).toEqual([200, true]);
});

test("a scheduled article says so, and is put on hold when someone without publishing rights changes it", async ({
  browser,
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "schedule" });
  const { id, path } = await aDraft(workspace);
  const { email } = await putMember(workspace, ["Will", "Writer"], "Collaborator");
  await signIn(page, workspace);
  await page.goto(`${path}/publish`);
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel("Date and time").fill(later);
  await page.getByRole("button", { name: "Schedule" }).click();
  await expect(message(page)).toContainText("Article scheduled");
  await expect(page.getByText(/^Scheduled for /)).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel schedule" })).toBeVisible();

  const writer = await signedIn(browser, workspace, { email });
  await writer.goto(path);
  await expect(writer.getByText(/Editing puts the schedule on hold\.$/)).toBeVisible();
  await expect(writer.getByRole("button", { name: "Cancel schedule" })).toHaveCount(0);
  await write(writer, "<p>Something else.</p>");
  await saved(writer);
  await writer.context().close();

  await page.goto(`${workspace.url}/admin/articles?state=held`);
  await expect(page.getByRole("row").filter({ hasText: "Refunds" })).toContainText("On hold");
  await page.goto(path);
  await expect(page.getByText("is on hold until someone who can publish reviews")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${path}/publish`);
  await expect(
    page.getByText("The schedule is on hold because someone without publishing rights changed the article"),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reschedule" }).click();
  await expect(message(page)).toContainText("Article scheduled");
  await expect(page.getByText(/^Scheduled for /)).toBeVisible();
  const stored = () => inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { id } }));
  expect(await stored()).toMatchObject({ state: "draft", publishHeld: false, publishAt: expect.any(Date) });
  await page.goto(`${path}/publish`);
  await expect(page.getByText(/ by Ada Lovelace\./)).toBeVisible();
  // Content below moves down when it appears.
  await expect(page.getByRole("region", { name: "Issues" })).toContainText("No issues");
  await page.getByRole("button", { name: "Cancel schedule" }).click();
  await expect(message(page)).toContainText("Schedule canceled");
  expect(await stored()).toMatchObject({ state: "draft", publishAt: null });
});

test("a preview is read by anyone who has the link, and by no one else", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "preview" });
  const { path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await write(page, "<h2>Not yet</h2><p>Public</p>");
  await page.getByRole("link", { name: "Preview" }).click();
  const link = new URL((await page.locator("pre").textContent()) ?? "");
  const shown = await read(workspace, link.pathname);
  expect([shown.status, shown.body.includes("Not yet"), shown.body.includes("noindex")]).toEqual([200, true, true]);
  const other = await read(workspace, link.pathname.slice(0, -1) + (link.pathname.endsWith("A") ? "E" : "A"));
  expect([other.status, other.body.includes("Not yet")]).toEqual([404, false]);
  expect((await read(workspace, "/preview/x")).status).toBe(404);

  await page.getByRole("button", { name: /^Revoke all links/ }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke all links" }).click();
  await expect(message(page)).toContainText("Earlier links revoked.");
  expect((await read(workspace, link.pathname)).status).toBe(404);
  const another = new URL((await page.locator("pre").textContent()) ?? "");
  expect((await read(workspace, another.pathname)).status).toBe(200);

  await page.goto(another.href);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${workspace.url}/`);
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Team sign-in" })).toBeVisible();
});

test("a stranger with the link sees the pictures and files of the draft, and none of another", async ({
  browser,
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "preview-files" });
  const { id, path } = await aDraft(workspace);
  const put = (kind: "image" | "attachment", content: Buffer) =>
    storeUpload(workspace.id, { filename: `a ${kind}`, content, by: workspace.memberId, kind });
  const [image, file, other] = [
    await put("image", await draw("teal", 60, 20)),
    await put("attachment", Buffer.from("Of the draft")),
    await put("attachment", Buffer.from("Of nobody")),
  ];
  await inWorkspace(workspace.id, (db) =>
    db.articleAttachment.create({ data: { articleId: id, uploadId: file.id, inLive: false, inDraft: true } }),
  );
  await signIn(page, workspace);
  await page.goto(path);
  await write(page, `<p><img src="${image.path}" alt="A drawing"></p>`);
  await saved(page);
  await page.getByRole("link", { name: "Preview" }).click();
  const link = new URL((await page.locator("pre").textContent()) ?? "");

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link.href);
  await expect
    .poll(() => stranger.getByRole("img", { name: "A drawing" }).evaluate((one: HTMLImageElement) => one.naturalWidth))
    .toBe(60);
  const [download] = await Promise.all([
    stranger.waitForEvent("download"),
    stranger.getByRole("link", { name: "a attachment" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toBe("Of the draft");
  const token = link.pathname.replace("/preview/", "");
  const statusOf = async (address: string) => (await read(workspace, address)).status;
  expect([
    await statusOf(`${file.path}?preview=${token}`),
    await statusOf(file.path),
    await statusOf(`${file.path}?preview=${token.slice(0, -2)}`),
    await statusOf(`${other.path}?preview=${token}`),
  ]).toEqual([200, 404, 404, 404]);
});

test("an article is deleted with another page in its place, and told of as gone otherwise", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "deleting" });
  const { id, path } = await aDraft(workspace, "Old one");
  await publishArticles(workspace.id, [id], actor);
  await signIn(page, workspace);
  await page.goto(`${path}/delete`);
  await page.getByLabel("Old URL").selectOption("on");
  await page.getByLabel("Redirect to").fill("/articles/nothing");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("There is nothing at /articles/nothing")).toBeVisible();
  await expect(page.getByLabel("Redirect to")).toHaveValue("/articles/nothing");
  await page.getByLabel("Redirect to").fill("/search");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(message(page)).toContainText("Article deleted");
  const former = await read(workspace, "/articles/old-one");
  expect([former.status, former.to]).toEqual([301, "/search"]);
});

test("tags are renamed and merged", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "tags" });
  const category = await newCategory(workspace);
  await anArticle(workspace, { category, title: "Alpha", tags: ["Cash", "Money"] });
  await signInByForm(page, workspace);
  await page.getByRole("link", { name: "Tags", exact: true }).first().click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Cash", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Cash" })).toBeVisible();
  await page.getByLabel("Name").fill("money");
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByText("The tag “Money” already exists")).toBeVisible();
  await page.getByLabel("Tag", { exact: true }).selectOption("Money");
  await page.getByRole("button", { name: "Merge" }).click();
  await expect(message(page)).toContainText("“Money”");
  await expect(page.getByRole("row")).toHaveCount(2);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("an article is written, published and found", async ({ page, aWorkspace }) => {
    const workspace = await aWorkspace({ name: "Harbour", subdomain: "plain" });
    await newCategory(workspace);
    await signIn(page, workspace);
    await page.goto(`${workspace.url}/admin/articles/new`);
    await page.getByLabel("Title").fill("Plain words");
    await page.getByRole("button", { name: "Create article" }).click();
    await page.getByLabel("Text, as HTML").fill("<p>Written without scripts</p>");
    await page.getByLabel("Tags").fill("One\nParis, France");
    await page.getByLabel("Keywords").fill("refund, partial\n\nmoney");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Draft saved")).toBeVisible();
    await expect(page.getByLabel("Tags")).toHaveValue("One\nParis, France");
    await expect(page.getByLabel("Keywords")).toHaveValue("refund, partial\nmoney");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByLabel("Tags")).toHaveValue("One\nParis, France");
    await page.getByRole("link", { name: "Publish", exact: true }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(message(page)).toContainText("Article published");
    expect((await read(workspace, "/articles/plain-words")).body).toContain("Written without scripts");
    await page.goto(`${workspace.url}/admin/articles`);
    await page.getByLabel("Search articles").fill("without");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByRole("link", { name: "Plain words" })).toBeVisible();

    await newCategory(workspace, "Elsewhere");
    await page.getByLabel("Select Plain words").check();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await expect(message(page)).toContainText("Choose a category");
    await page.getByLabel("Category to move to").selectOption("Elsewhere");
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await expect(message(page)).toContainText("1 article moved to Elsewhere.");
    await message(page).getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Plain words" })).toContainText("Guides");

    await page.getByRole("link", { name: "Plain words" }).click();
    await page.getByLabel("URL slug").fill("Plainer words");
    await page.getByRole("button", { name: "Save details" }).click();
    await expect(message(page)).toContainText("/articles/plainer-words");
    await expect(page.getByLabel("URL slug")).toHaveValue("plainer-words");
    expect((await read(workspace, "/articles/plainer-words")).body).toContain("Written without scripts");
  });
});

test("a save is taken from members of the workspace alone, and of its own articles", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "saving" });
  const stranger = await aWorkspace({ name: "Stranger", subdomain: "stranger" });
  const { id } = await aDraft(workspace);
  const cookie = await cookieOfMember(stranger);
  const text = { ...emptyDraft, title: "Taken over", html: "<p>x</p>" };
  const own = { writer: stranger.memberId, revision: 1, text };
  const send = async (workspace: TestWorkspace, headers: Record<string, string>, body: object = own) =>
    (
      await ask(new URL(workspace.url).host, `/api/drafts/${id}`, {
        ...{ method: "PUT", body: JSON.stringify(body) },
        headers: { Origin: workspace.url, "Content-Type": "application/json", ...headers },
      })
    ).status;
  expect(await send(workspace, {})).toBe(401);
  expect(await send(workspace, { Cookie: cookie })).toBe(401);
  expect(await send(stranger, { Cookie: cookie })).toBe(404);
  expect(await send(stranger, { Cookie: cookie, Origin: workspace.url })).toBe(403);
  expect(await send(stranger, { Cookie: cookie }, { ...own, text: { title: 1 } })).toBe(422);
  const article = await inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { id } }));
  expect([article.title, article.revision]).toEqual(["Refunds", 1]);

  // A page of one member, in a browser where another member has signed in since.
  const admins = { Cookie: await cookieOfMember(workspace) };
  expect(await send(workspace, admins)).toBe(401);
  expect(await send(workspace, admins, { ...own, writer: workspace.memberId })).toBe(200);
});
