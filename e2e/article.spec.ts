import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { ask, complaintsOf, expectAccessible, overflow, personsBrowser, test } from "./kit";
import { publish, putCategory } from "./library";

// The article page for readers.

/** Every element of clean HTML (lib/content/schema.ts). */
const everything = `
<p>A <strong>strong</strong> <em>start</em> with <u>u</u>, <s>s</s>, <mark>mark</mark>, H<sub>2</sub>O, x<sup>2</sup>,
<kbd>Ctrl</kbd>, <code>code</code>, <a href="https://example.com/a" title="t">a link</a>, and ${"verylong".repeat(20)}.<br>b</p>
<h2>First part</h2><p>${"Words to scroll past. ".repeat(120)}</p>
<pre><code class="language-ts">const answer = "${"so wide that it scrolls ".repeat(12)}";\nanswer;</code></pre>
<pre><code>short</code></pre>
<h3>Größe</h3><ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li><li><p>d</p><p>e</p></li></ol>
<ul><li data-checked="true">done</li><li data-checked="false">to do<ul><li data-checked="false">below</li></ul></li></ul>
<h4>Four</h4><h5>Five</h5><h6>Six</h6><blockquote><p>Quoted.</p><p>Twice.</p></blockquote>
${["note", "tip", "important", "warning", "caution"].map((kind) => `<aside class="callout callout-${kind}"><p>Of ${kind}.</p></aside>`).join("")}
<details><summary>Fold</summary><p>Folded text.</p></details><hr>
<h2>Second part</h2>
<table><thead><tr>${"<th>A heading</th>".repeat(9)}</tr></thead><tbody><tr><th>x</th><td align="right">1</td><td align="center">2</td>
${"<td>Incomprehensibilities</td>".repeat(6)}</tr></tbody></table>
<table><tr><td>small</td></tr></table>
<figure><a href="/"><img src="/icon.svg" alt="An icon" width="1600" height="400"></a><figcaption>Its <em>caption</em></figcaption></figure>
<p><img src="/icon.svg" alt="Another icon" width="40" height="40"></p>
<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>
<h2>Last part</h2><p>${"More words. ".repeat(300)}</p>`;

test("an article with every element reads well on every width, in both themes, and for everybody", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Elements", subdomain: "elements" });
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "All of it",
    html: everything,
    tags: ["Tag"],
  });
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All of it");
  await page.getByText("Fold", { exact: true }).click();
  await expect(page.getByText("Folded text.")).toBeVisible();
  await expectAccessible(page);
  for (const width of [1600, 820, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => [width, await overflow(page)]).toEqual([width, 0]);
  }
  for (const word of ["Note", "Tip", "Important", "Warning", "Caution"])
    await expect(page.getByRole("note").filter({ hasText: `Of ${word.toLowerCase()}.` })).toContainText(word);
  await expect(page.getByRole("checkbox", { name: "done" })).toBeChecked();
  await expect(page.getByRole("link", { name: /Watch on YouTube/ })).toHaveAttribute(
    "href",
    /^https:\/\/www\.youtube\.com/,
  );
  // The image is 1600 pixels wide, and must shrink to the text column of a screen with 320.
  expect((await page.getByAltText("An icon").boundingBox())?.width).toBe(280);
  expect(complaints).toEqual([]);
});

test("without https, code is selected for copying by keyboard", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Plain", subdomain: "plain" });
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "Code",
    html: "<pre><code>npm test</code></pre>",
  });
  // Browsers take *.localhost for secure.
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto(url);
  const button = page.getByRole("button", { name: "Copy code 1" });
  await button.click();
  await expect(button).toHaveText("Press Ctrl+C");
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe("npm test");
});

test("code and addresses of headings are copied, what is too wide is scrolled by keyboard, and nothing else is a stop", async ({
  page,
  context,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Keys", subdomain: "keys" });
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "All of it",
    html: everything,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(url);
  await page.getByRole("button", { name: "Copy code 1" }).click();
  await expect(page.getByRole("button", { name: "Copy code 1" })).toHaveText("Copied");
  const code = page.getByRole("region", { name: "Code 1, TypeScript" });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());

  await expect(page.getByRole("region", { name: "Code 2" })).not.toHaveAttribute("tabindex");
  await expect(page.getByRole("region", { name: "Table 2" })).not.toHaveAttribute("tabindex");
  for (const region of [code, page.getByRole("region", { name: "Table 1" })]) {
    await region.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  }

  const link = page.locator(".heading", { hasText: "Größe" }).getByRole("link", { name: "Link to: Größe" });
  await expect(link).toHaveCSS("opacity", "0");
  await link.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(link).toBeFocused();
  await expect(link).toHaveCSS("opacity", "1");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${url}#${encodeURIComponent("größe")}`);
  await expect(page.getByRole("heading", { name: "Größe", exact: true })).toBeInViewport();
});

test("the contents follow the scroll, are folded where there is no room, and are not there when switched off", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Contents", subdomain: "contents" });
  const category = await putCategory(workspace, "Guides");
  const { url } = await publish(workspace, category, { title: "All of it", html: everything });
  const without = await publish(workspace, category, {
    title: "Without",
    html: everything,
    showTableOfContents: false,
  });
  const single = await publish(workspace, category, { title: "Single", html: "<h2>One</h2><p>a</p>" });
  await page.setViewportSize({ width: 1400, height: 800 });
  await page.goto(url);
  const contents = page.getByRole("navigation", { name: "On this page" });
  await expect(contents.getByRole("link")).toHaveText(["First part", "Größe", "Second part", "Last part"]);
  await contents.getByRole("link", { name: "Größe" }).click();
  await expect(contents.locator("[aria-current]")).toHaveText("Größe");
  await page.getByRole("heading", { name: "Last part" }).evaluate((heading) => heading.scrollIntoView());
  await expect(contents.locator("[aria-current]")).toHaveText("Last part");

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(url);
  await expect(contents).toBeHidden();
  await page.locator("summary", { hasText: "On this page" }).click();
  await contents.getByRole("link", { name: "Second part" }).click();
  await expect(page.getByRole("heading", { name: "Second part" })).toBeInViewport();

  for (const other of [without, single]) {
    await page.goto(other.url);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(page.getByText("On this page")).toHaveCount(0);
  }
});

test("headings that are called like parts of the page are where their links lead", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Ids", subdomain: "ids" });
  const names = ["Content", "Tree", "Feedback"];
  const html = names.map((name) => `<h2>${name}</h2><p>${"Words to scroll past. ".repeat(200)}</p>`).join("");
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), { title: "Parts", html });
  await page.setViewportSize({ width: 1400, height: 800 });
  await page.goto(url);
  for (const name of names) {
    await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name }).click();
    await expect(page).toHaveURL(`${url}#${name.toLowerCase()}`);
    await expect(page.getByRole("heading", { name, exact: true })).toBeInViewport();
    await expect(page.locator(":target")).toHaveText(name);
  }
  const ids = await page.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => id));
  expect(ids).toContain("_content");
  expect(new Set(ids).size).toBe(ids.length);
  await page.goto(url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("an answer that is given twice is said twice", async ({ browser, aWorkspace }) => {
  const page = await browser.newPage({ userAgent: personsBrowser });
  const workspace = await aWorkspace({ name: "Twice", subdomain: "twice" });
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), { title: "Rated" });
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  const status = page.getByRole("status").filter({ hasText: "Thanks for your feedback." });
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await expect(status).toBeVisible();
  // Screen readers announce changes.
  const changed = status.evaluate(
    (element) =>
      new Promise((resolve) =>
        new MutationObserver(() => resolve(element.textContent)).observe(element, {
          childList: true,
          subtree: true,
          characterData: true,
        }),
      ),
  );
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  expect(await changed).toBe("Thanks for your feedback.");
  await page.close();
});

test("without scripts nothing of an article is missing", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Plain", subdomain: "plain" });
  const parentId = await putCategory(workspace, "Handbook");
  const category = await putCategory(workspace, "Parts", { parentId });
  await publish(workspace, category, { title: "Before", sequence: 1 });
  const { url } = await publish(workspace, category, {
    title: "All of it",
    html: everything,
    sequence: 2,
    tags: ["One tag"],
  });
  await publish(workspace, category, { title: "After", sequence: 3 });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await expect(page).toHaveTitle("All of it · Plain");
  const path = page.getByRole("navigation", { name: "Breadcrumbs" });
  await expect(path.getByRole("link")).toHaveText(["Home", "Handbook", "Parts"]);
  await expect(page.getByRole("article")).toContainText("Ada Lovelace");
  await expect(page.getByText("One tag")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Copy/ })).toHaveCount(0);
  await page.getByText("Fold", { exact: true }).click();
  await expect(page.getByText("Folded text.")).toBeVisible();
  await page.locator(".heading", { hasText: "Last part" }).getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${url}#last-part`);
  const around = page.getByRole("navigation", { name: "Previous and next article" });
  await expect(around.getByRole("link")).toHaveText([/Before/, /After/]);
  await around.getByRole("link", { name: /After/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("After");
  await expect(page.getByRole("region", { name: "Related articles" }).getByRole("link")).toHaveText(["Before"]);
  await path.getByRole("link", { name: "Handbook" }).click();
  await expect(page).toHaveURL(`${workspace.url}/categories/handbook`);
  await context.close();
});

test("no script in an article or its fields runs", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Trap <img src=x onerror=trap()>", subdomain: "trap" });
  const evil = '"><img src=x onerror=trap()><script>trap()</script>';
  const category = await putCategory(workspace, `Category ${evil}`);
  const html = `<h2 id='${evil}'>${evil}</h2><h2>&lt;script&gt;trap()&lt;/script&gt;</h2><svg onload=trap()></svg>
    <pre><code class='language-js"onmouseover="trap()'>${evil}</code></pre><a href="javascript:trap()">link</a>
    <iframe srcdoc="<script>parent.trap()</script>"></iframe><details ontoggle=trap() open><summary>s</summary>t</details>
    <div class=video><a href='javascript:trap()//youtube.com/watch?v=dQw4w9WgXcQ'>video</a></div>`;
  let fired = 0;
  await page.exposeFunction("trap", () => fired++);
  await publish(workspace, category, { title: `Other ${evil}`, tags: [evil] });
  const { url } = await publish(workspace, category, { title: `Evil ${evil}`, html, tags: [evil] });
  const complaints = complaintsOf(page);
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Evil ${evil}`);
  await page.getByRole("article").getByText("link", { exact: true }).click();
  await page.getByRole("region", { name: "Code 1" }).hover();
  await expect(page.getByRole("navigation", { name: "Previous and next article" })).toContainText(`Other ${evil}`);
  expect(complaints).toEqual([]);
  expect(fired).toBe(0);
  await page.evaluate("trap()");
  expect(fired).toBe(1);
});

test("dates are those of the workspace, in its language and its time zone", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Wellington", subdomain: "wellington" });
  const updatedAt = new Date("2026-03-04T23:30:00Z");
  // A language code that Intl refuses.
  const data = { language: "de_DE", timeZone: "Pacific/Auckland" };
  await inWorkspace(workspace.id, (db) => db.workspace.update({ where: { id: workspace.id }, data }));
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), { title: "Dated", updatedAt });
  await page.goto(url);
  const time = page.getByRole("article").getByRole("time");
  await expect(time).toHaveText("5. März 2026");
  await expect(time).toHaveAttribute("datetime", "2026-03-04T23:30:00.000Z");
  await expect(page.locator("html")).toHaveAttribute("lang", "de-DE");
  const publishedAt = new Date("2026-03-04T23:30:00Z");
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ data: { publishedAt } }));
  await page.goto(workspace.url);
  await expect(page.getByRole("region", { name: "Neu hinzugefügt" })).toContainText("05.03.2026");
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { language: "fa" } }));
  await page.goto(workspace.url);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("contentinfo")).toHaveAttribute("lang", "en");
});

test("drafts, articles for members and those of other workspaces are answered like what never was", async ({
  aWorkspace,
}) => {
  const [workspace, other] = [
    await aWorkspace({ name: "Ours", subdomain: "ours" }),
    await aWorkspace({ name: "Theirs", subdomain: "theirs" }),
  ];
  const category = await putCategory(workspace, "Guides");
  const shown = await publish(workspace, category, { title: "aaaaaa" });
  const draft = await publish(workspace, category, { title: "bbbbbb" });
  const closed = await putCategory(workspace, "Closed", { visibility: "members" });
  await publish(workspace, closed, { title: "cccccc" });
  await publish(other, await putCategory(other, "Guides"), { title: "dddddd" });
  const { host } = new URL(shown.url);
  const answered = async (slug: string) => {
    const { status, body } = await ask(host, `/articles/${slug}`);
    return [status, body.replaceAll(slug, "slug").replace(/nonce="[^"]*"|nonce\\":\\"[^"]*"/g, "")];
  };
  for (const slug of ["aaaaaa", "bbbbbb"]) expect([slug, (await answered(slug))[0]]).toEqual([slug, 200]);
  expect((await ask(new URL(other.url).host, "/articles/dddddd")).status).toBe(200);
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id: draft.id }, data: { state: "draft" } }));
  const unknown = await answered("eeeeee");
  expect(unknown[0]).toBe(404);
  for (const slug of ["bbbbbb", "cccccc", "dddddd"])
    expect([slug, ...(await answered(slug))]).toEqual([slug, ...unknown]);
  await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { visibility: "everyone" } }));
  expect((await answered("cccccc"))[0]).toBe(200);
});

test("on paper there is the text alone, and where its links lead", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Paper", subdomain: "paper" });
  const { url } = await publish(workspace, await putCategory(workspace, "Guides"), {
    title: "All of it",
    html: everything,
  });
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.goto(url);
  await expect(page.getByRole("navigation", { name: "Breadcrumbs" })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  const after = await page
    .getByRole("link", { name: "a link" })
    .evaluate((link) => getComputedStyle(link, "::after").content);
  expect(after).toBe('" (" "https://example.com/a" ")"'.replaceAll('" "', ""));
  expect((await page.getByRole("article").boundingBox())?.width).toBeGreaterThan(600);
});
