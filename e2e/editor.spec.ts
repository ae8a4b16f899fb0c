import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, expect, type Locator, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { anArticle } from "@/testing/workspace";
import { aDraft, listenForSave, paste, pressPublish, saved, write, written } from "./desk";
import { ask, complaintsOf, cookieOfMember, expectAccessible, message, signIn, type TestWorkspace, test } from "./kit";

test.setTimeout(120_000);

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, `../components/admin/editor/paste/fixtures/${name}.clipboard`), "utf8");

/** The blocks of an article as readers get them: each with its kind and its words. */
function blocksOf(page: Page): Promise<string[]> {
  return page
    .locator("article .article-body, .article-body")
    .first()
    .evaluate((body) => {
      const words = (element: Element) => element.textContent.replace(/\s+/g, " ").trim();
      const textOf = (element: Element): string[] => {
        const name = element.localName;
        if (name === "table")
          return [...element.querySelectorAll("tr")].map(
            (row) => `${[...row.children].map((cell) => `${cell.localName} ${words(cell)}`).join(" | ")}`,
          );
        if (name === "ul" || name === "ol")
          return [...element.children].flatMap((item) => {
            const inner = [...item.children].filter((child) => /^[uo]l$/.test(child.localName));
            const own = item.cloneNode(true) as Element;
            for (const list of own.querySelectorAll("ul, ol")) list.remove();
            const box = own.querySelector("input");
            const mark = box ? (box.hasAttribute("checked") ? " done" : " open") : "";
            return [`${name}${mark} ${words(own)}`, ...inner.flatMap(textOf).map((line) => `  ${line}`)];
          });
        if (/^(?:h\d|p)$/.test(name)) return [`${name} ${words(element)}`];
        return [...element.children].flatMap(textOf);
      };
      return [...body.children].flatMap(textOf);
    });
}

async function asReader(browser: Browser, address: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  return { context, page };
}

const common = [
  "h2 Set up the scanner",
  "p Before you begin, read the safety notes and the manual. It takes ten five minutes.",
  "h3 What you need",
  ...["ul A cable", "  ul USB-C, or", "  ul USB-A", "ul The key"],
  "h3 Steps",
];
for (const [name, title, blocks] of [
  [
    "word",
    "From Word",
    [
      ...common,
      ...["ol Plug it in.", "ol Wait[1]."],
      ...["th Light | th Meaning", "td Green | td Ready, at 5 m2"],
      "p The scanner from above",
    ],
  ],
  [
    "google-docs",
    "From Google Docs",
    [
      ...common,
      ...["ul done Plug it in.", "ul open Wait."],
      ...["td Light | td Meaning", "td Green | td Ready, at 5 m2"],
      "p ",
    ],
  ],
] as const) {
  test(`what is copied ${title.toLowerCase()} is published with its structure and none of its noise`, async ({
    page,
    browser,
    aWorkspace,
  }) => {
    const workspace = await aWorkspace({ name: "Harbour", subdomain: name });
    const { path } = await aDraft(workspace, title);
    const complaints = complaintsOf(page);
    await signIn(page, workspace);
    await page.goto(path);
    await written(page).click();
    const clipboard = fixture(name);
    // These programs write such HTML.
    expect(clipboard).toMatch(name === "word" ? /mso-list:l0 level1.*<!\[endif\]/s : /id="docs-internal-guid-/);
    await paste(page, clipboard, "Set up the scanner");
    await expect(written(page).getByRole("heading", { name: "Steps" })).toBeVisible();
    if (name === "word") await expect(page.getByText(/^Couldn't paste 1 image/)).toBeVisible();
    await saved(page);
    await pressPublish(page);
    await expect(message(page)).toContainText("Article published");

    const slug = title.toLowerCase().replaceAll(" ", "-");
    const reader = await asReader(browser, `${workspace.url}/articles/${slug}`);
    expect(await blocksOf(reader.page)).toEqual(blocks);
    const body = reader.page.locator(".article-body").first();
    await expect(body.locator("strong").first()).toHaveText("safety notes");
    await expect(body.getByRole("link", { name: "manual" })).toHaveAttribute("href", "https://example.com/manual");
    await expect(body.locator("sup").last()).toHaveText("2");
    const html = await body.innerHTML();
    expect(html).not.toMatch(/mso|docs-internal|google\.com\/url|<o:|<font|<span style|\sstyle=|class="?Mso|<!--/i);
    await reader.context.close();
    expect(complaints).toEqual([]);
  });
}

interface Announcement {
  role: string;
  name: string;
  [property: string]: unknown;
}

/** The accessibility tree, in page order. */
async function announcementsOf(page: Page): Promise<Announcement[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const nameOf = (id: number | undefined) =>
    nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === id)?.name?.value as string | undefined;
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => ({
      role: String(role?.value),
      name: String(name?.value ?? ""),
      ...Object.fromEntries(
        properties.map(({ name: property, value }) => [
          property,
          value.relatedNodes ? value.relatedNodes.map((one) => nameOf(one.backendDOMNodeId)).join() : value.value,
        ]),
      ),
    }));
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  });

test("a screen reader is told the tools and their state, and the keyboard alone uses them", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "told-tools" });
  const { path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await expect(written(page)).toBeVisible();
  await page.getByLabel("Title", { exact: true }).focus();
  // Enter moves to the text.
  await page.keyboard.press("Enter");
  expect(await focused(page)).toBe("Article");
  await page.keyboard.type("Some words");
  const text = (await announcementsOf(page)).find(({ role, name }) => role === "textbox" && name === "Article");
  expect(text).toMatchObject({ multiline: true, focused: true, editable: "richtext" });
  await expect(written(page)).toHaveAccessibleDescription(
    /^Press \/ for commands, or Alt\+F10 for the toolbar\. To leave the editor, press Esc, then Tab\.$/,
  );

  await page.keyboard.press("Alt+F10");
  const tools = page.getByRole("toolbar", { name: "Tools" });
  await expect(tools).toMatchAriaSnapshot(`
    - toolbar "Tools":
      - button "Text"
      - button "Undo"
      - button "Redo" [disabled]
      - button "Bold"
      - button "Italic"
      - button "Link"
      - button "Code"
      - button "Underline"
      - button "Strikethrough"
      - button "Highlight"
      - button "Bullet list"
      - button "Numbered list"
      - button "Task list"
      - button "Image"
      - button "Insert"
      - button "Find and replace"
      - button "Outline"
  `);
  // The tools have one Tab stop, and arrow keys move between them.
  const stops = () =>
    tools.locator("button[tabindex='0']").evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
  expect([await focused(page), await stops()]).toEqual(["Text", ["Text"]]);
  await page.keyboard.press("ArrowRight");
  expect([await focused(page), await stops()]).toEqual(["Undo", ["Undo"]]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await focused(page)).toBe("Outline");
  await page.keyboard.press("Home");
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Escape");
  await expect(written(page)).toBeFocused();

  const bold = async () =>
    (await announcementsOf(page)).find(({ role, name }) => /button/i.test(role) && name === "Bold");
  expect(await bold()).toMatchObject({ pressed: "false" });
  await page.keyboard.press("Shift+Home");
  await page.keyboard.press("Alt+F10");
  expect(await focused(page)).toBe("Bold");
  await page.keyboard.press("Enter");
  await expect.poll(bold).toMatchObject({ pressed: "true" });
  await expect(written(page).locator("strong")).toHaveText("Some words");

  const menus = (await announcementsOf(page))
    .filter(({ hasPopup }) => hasPopup)
    .map(({ name, hasPopup }) => [name, hasPopup]);
  expect(menus).toEqual(
    expect.arrayContaining([
      ["Text", "menu"],
      ["Insert", "menu"],
      ["Link", "dialog"],
    ]),
  );
  await page.keyboard.press("Alt+F10");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu", { name: "Style" })).toMatchAriaSnapshot(`
    - menu "Style":
      - menuitem "Text"
      - menuitem "Heading"
      - menuitem "Subheading"
      - menuitem "Subheading 2"
      - menuitem "Bullet list"
      - menuitem "Numbered list"
      - menuitem "Task list"
  `);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(written(page).getByRole("heading", { level: 2 })).toHaveText("Some words");
  await expect(tools.getByRole("button").first()).toHaveText("Heading");

  // Tab moves on to the next field. A video's link is no Tab stop, nor is anything else in the text after Escape.
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const video = '<div class="video"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">A film</a></div>';
  await paste(page, `<pre><code>let x</code></pre>${video}<p>The end</p>`);
  const next = page.getByRole("button", { name: "No issues" });
  await written(page).getByText("The end").click();
  await page.keyboard.press("Tab");
  await expect(next).toBeFocused();
  await written(page).getByText("The end").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("[ ] Task");
  await expect(written(page).getByRole("checkbox")).toBeVisible();
  await written(page).getByText("let x").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(next).toBeFocused();
});

test("every tool can be seen and pressed, whatever the cursor is in and however narrow the window is", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "narrow" });
  const { path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await written(page).click();
  const markdown = "One word\n\n| A | B |\n|---|---|\n| cell | x |\n\n![Icon](/icon.svg)\n\n```js\nlet x\n```";
  await paste(page, "", `${markdown}\n\n> [!NOTE]\n> Noted [link](/articles/one)\n`);
  await expect(written(page).getByText("Noted")).toBeVisible();
  const bars = page.locator(".editor-tools");
  /** Names of controls that cannot be clicked where they are, because they are cut off or covered. */
  const hidden = () =>
    bars.evaluate((element) =>
      [...element.querySelectorAll<HTMLElement>("button, input, select")]
        .filter((tool) => tool.checkVisibility())
        .filter((tool) => {
          const { left, right, top, bottom } = tool.getBoundingClientRect();
          const at = (x: number) => tool.contains(document.elementFromPoint(x, (top + bottom) / 2));
          return !at(left + 2) || !at(right - 2);
        })
        .map((tool) => tool.ariaLabel ?? tool.textContent),
    );
  const places: [place: Locator, tool: string][] = [
    [written(page).getByText("cell"), "Column"],
    [written(page).getByRole("img", { name: "Icon" }), "Image"],
    [written(page).getByText("let x"), "Add caption"],
    [written(page).getByText("Noted"), "Remove callout"],
    [written(page).getByText("link"), "Remove link"],
  ];
  for (const width of [1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const more = bars.getByRole("button", { name: "All tools" });
    await expect(more).toBeVisible({ visible: width < 1024 });
    const { height } = (await bars.boundingBox())!;
    for (const [place, tool] of places) {
      await place.click();
      await expect(bars.getByRole("button", { name: tool, exact: true }).last()).toBeVisible();
      await expect.poll(hidden).toEqual([]);
      // The text stays where it is.
      expect((await bars.boundingBox())?.height).toBe(height);
    }
  }
  await written(page).getByText("cell").click();
  await expectAccessible(page);
  await bars.getByRole("button", { name: "Column" }).click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(written(page).getByRole("row").last().getByRole("cell")).toHaveText(["cell", "", "x"]);
  // The keyboard reveals folded tools.
  await written(page).getByText("One word").click();
  await page.keyboard.press("Alt+F10");
  await page.keyboard.press("End");
  expect([await focused(page), await hidden()]).toEqual(["Outline", []]);
  await page.keyboard.press("Escape");
  await expect(bars.getByRole("button", { name: "Outline" })).not.toBeInViewport();

  // The line with the cursor is not scrolled below the tools.
  await written(page).locator("> p").last().click();
  await page.keyboard.press("End");
  for (let line = 0; line < 30; line++) await page.keyboard.press("Enter");
  for (let line = 0; line < 26; line++) await page.keyboard.press("ArrowUp");
  const fromTools = () =>
    bars.evaluate((element) => {
      const { anchorNode: at } = getSelection() as Selection;
      const line = at instanceof Element ? at : at?.parentElement;
      return (line?.getBoundingClientRect().top ?? 0) - element.getBoundingClientRect().bottom;
    });
  await expect.poll(fromTools).toBeGreaterThanOrEqual(0);
  expect(await fromTools()).toBeLessThan(400);

  // The toolbar of a selection stays in the article's column.
  await page.setViewportSize({ width: 1280, height: 800 });
  await written(page).getByText("One word").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  const selected = page.getByRole("toolbar", { name: "Selected text" });
  const beside = await selected.locator("..").boundingBox();
  expect(beside?.x).toBeGreaterThanOrEqual((await written(page).boundingBox())!.x);
  // It scrolls out of view with the text, and comes back with it.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(selected).toBeHidden();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(selected).toBeVisible();
});

test("a screen reader is told how many blocks the menu at a slash has, and which is marked", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "told-slash" });
  const { path } = await aDraft(workspace);
  await signIn(page, workspace);
  await page.goto(path);
  await written(page).click();
  const text = async () =>
    (await announcementsOf(page)).find(({ role, name }) => role === "textbox" && name === "Article");
  expect(await text()).not.toHaveProperty("activedescendant");
  // The live region exists before its text, or nothing is announced.
  const status = page.locator(".editor > [role=status]");
  await expect(status).toHaveText("");
  await page.keyboard.type("/");
  const list = page.getByRole("listbox", { name: "Blocks" });
  await expect(list).toBeVisible();
  await expect(status).toHaveText("19 blocks");
  expect(await text()).toMatchObject({
    ...{ activedescendant: "Text", controls: "Blocks", autocomplete: "list", hasPopup: "listbox", focused: true },
  });
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await text())?.activedescendant).toBe("Heading");
  await expect(list.getByRole("option", { selected: true })).toHaveText(/^Heading/);
  await page.keyboard.type("list");
  await expect(status).toHaveText("3 blocks");
  await expect(list).toMatchAriaSnapshot(`
    - listbox "Blocks":
      - group "Lists":
        - option "Bullet list" [selected]
        - option "Numbered list"
        - option "Task list"
  `);
  await page.keyboard.press("ArrowUp");
  await expect.poll(async () => (await text())?.activedescendant).toBe("Task list");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(list).toBeHidden();
  await expect(status).toHaveText("");
  expect(await text()).not.toHaveProperty("activedescendant");
  await expect(written(page).getByRole("checkbox")).toBeVisible();
  // Tab, or a click elsewhere, closes it.
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  await expect(list).toBeVisible();
  await page.getByLabel("Title", { exact: true }).click();
  await expect(list).toBeHidden();
});

test("issues appear while writing, and link to their place", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "issues" });
  const { path, category } = await aDraft(workspace);
  await anArticle(workspace, { category, title: "There", html: "<h2>First step</h2><p>x</p>" });
  const hidden = await anArticle(workspace, { category, title: "Hidden", state: "draft" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(path);
  await written(page).click();
  await expect(page.getByRole("button", { name: "No issues" })).toBeVisible();
  const links = [
    ...["[good](/articles/there#first-step)", `[draft](${workspace.url}/articles/hidden)`, "[never](/articles/never)"],
    ...["[place](/articles/there#other)", "[here](#begin)", "[gone](#gone)"],
  ];
  await paste(page, "", `## Begin\n\n#### Deep\n\n${links.join(" ")}\n\n![](/icon.svg)`);
  await expect(page.getByRole("button", { name: "6 issues" })).toBeVisible({ timeout: 15_000 });
  await page.getByLabel("Title", { exact: true }).fill("hidden");
  await page.getByRole("button", { name: "7 issues" }).click();
  const list = page.getByRole("navigation", { name: "Issues" });
  await expect(list.getByRole("button")).toHaveText([
    "Duplicate title: “hidden”",
    "Heading level skipped: H4 “Deep” after H2",
    "Link to a draft: “draft” to /articles/hidden",
    "Broken link: “never” to /articles/never",
    "Broken anchor: “place” to /articles/there#other",
    "Broken anchor: “gone” to #gone",
    "Image is missing alt text",
  ]);
  await list.getByRole("button", { name: /“Deep”/ }).click();
  await expect(list).toBeHidden();
  await page.keyboard.press("ControlOrMeta+Alt+3");
  await page.getByRole("button", { name: "6 issues" }).click();
  await expectAccessible(page);
  await list.getByRole("button", { name: /“never”/ }).click();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("never");
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "5 issues" }).click();
  await list.getByRole("button", { name: /^Image/ }).click();
  await page.getByLabel("Alt text").fill("An icon");
  await page.getByRole("button", { name: "4 issues" }).click();
  await list.getByRole("button", { name: /^Duplicate title/ }).click();
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();

  // The list is loaded again when it opens.
  await inWorkspace(workspace.id, (db) =>
    db.article.update({
      where: { workspaceId_id: { workspaceId: workspace.id, id: hidden.id } },
      data: { state: "published", title: "Shown" },
    }),
  );
  await page.getByRole("button", { name: "4 issues" }).click();
  await expect(list.getByRole("button", { name: /“draft”|^Duplicate/ })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(written(page)).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "2 issues" }).click();
  await expect(list).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(complaints).toEqual([]);
});

test("links and snippets are looked up for members of the workspace alone, and among its own", async ({
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "looked" });
  const stranger = await aWorkspace({ name: "Stranger", subdomain: "stranger" });
  const { id, category } = await aDraft(workspace);
  await anArticle(workspace, { category, title: "Theirs", slug: "theirs" });
  const cookie = await cookieOfMember(stranger);
  await inWorkspace(workspace.id, (db) => db.snippet.create({ data: { name: "mail", html: "<p>x</p>", text: "x" } }));
  const look = { title: "Theirs", links: [{ path: "/articles/theirs", places: [] }], snippets: ["mail"] };
  const send = async (workspace: TestWorkspace, headers: Record<string, string>, body: object = look) => {
    const answer = await ask(new URL(workspace.url).host, `/admin/articles/${id}/checks`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { Origin: workspace.url, "Content-Type": "application/json", ...headers },
    });
    return { status: answer.status, body: answer.status === 200 ? (JSON.parse(answer.body) as unknown) : null };
  };
  expect((await send(workspace, {})).status).toBe(401);
  expect((await send(workspace, { Cookie: cookie })).status).toBe(401);
  expect(await send(stranger, { Cookie: cookie })).toEqual({
    status: 200,
    body: { isTitleTaken: false, links: [{ path: "/articles/theirs", leads: "nowhere", missing: [] }], snippets: [] },
  });
  expect((await send(stranger, { Cookie: cookie, Origin: workspace.url })).status).toBe(403);
  const many = Array.from({ length: 201 }, (_, number) => ({ path: `/${number}`, places: [] }));
  expect((await send(stranger, { Cookie: cookie }, { title: "", links: many })).status).toBe(422);
  expect((await send(stranger, { Cookie: cookie }, { title: 1 })).status).toBe(422);

  const own = await cookieOfMember(workspace);
  expect(await send(workspace, { Cookie: own })).toEqual({
    status: 200,
    body: {
      isTitleTaken: true,
      links: [{ path: "/articles/theirs", leads: "there", missing: [] }],
      snippets: [{ name: "mail", works: "anywhere" }],
    },
  });
});

test("the text is edited as Markdown and back without loss, and is saved automatically", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "markdown" });
  const { path } = await aDraft(workspace);
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(path);
  await write(
    page,
    "<h2>Beans</h2><p>Some <strong>bold</strong> <u>line</u></p><table><tr><td colspan=2>Merged</td></tr><tr><td>a</td><td>b</td></tr></table>",
  );
  await saved(page);
  const toggle = page.getByRole("button", { name: "Edit as Markdown" });
  await toggle.click();
  const source = page.getByRole("textbox", { name: "Article as Markdown" });
  await expect(source).toHaveValue(/^## Beans\n\nSome \*\*bold\*\* <u>line<\/u>\n\n<table>.*colspan="2"/);
  await expectAccessible(page);
  await source.press("ControlOrMeta+End");
  listenForSave(page);
  await page.keyboard.type("\n- one\n- [two](/articles/two)");
  await saved(page);
  await toggle.click();
  await expect(written(page).getByRole("listitem")).toHaveText(["one", "two"]);
  await expect(written(page).locator("td[colspan='2']")).toHaveText("Merged");
  await expect(written(page).locator("u")).toHaveText("line");
  // The last change is kept even without a pause after it.
  await toggle.click();
  await source.press("ControlOrMeta+End");
  listenForSave(page);
  await page.keyboard.type("\n- three");
  await toggle.click();
  await expect(written(page).getByRole("listitem")).toHaveText(["one", "two", "three"]);
  await saved(page);
  await page.reload();
  await expect(written(page).getByRole("listitem")).toHaveText(["one", "two", "three"]);
  expect(complaints).toEqual([]);
});

test("focus mode hides the menu and the details until Escape or its button", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "focus" });
  const { path } = await aDraft(workspace);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, workspace);
  await page.goto(path);
  const [menu, details] = [
    page.getByRole("navigation", { name: "Admin" }),
    page.getByRole("complementary", { name: "Details" }),
  ];
  await expect(written(page)).toBeVisible();
  const toggle = page.getByRole("button", { name: "Focus mode" });
  for (const leave of [() => page.keyboard.press("Escape"), () => toggle.click()]) {
    await expect(menu).toBeVisible();
    await expect(details).toBeVisible();
    await toggle.click();
    await expect(menu).toBeHidden();
    await expect(details).toBeHidden();
    await written(page).click();
    await page.keyboard.type("Words ");
    await expect(written(page)).toBeInViewport();
    await expectAccessible(page);
    await leave();
  }
  await expect(menu).toBeVisible();
  await expect(details).toBeVisible();
  await expect(written(page)).toHaveText(/Words Words/);
});
