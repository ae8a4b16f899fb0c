import { expect } from "playwright/test";
import { listenForSave, openPart, pressPublish, saved, written } from "./desk";
import { ask, complaintsOf, message, signIn, test } from "./kit";
import { draw, publish, putCategory, putKey } from "./library";

test.setTimeout(120_000);

test("an article with every element, made by keyboard and mouse, is what readers and programs get", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "elements" });
  const category = await putCategory(workspace, "Guides");
  for (const [sequence, title] of ["Opening hours", "Closing time"].entries())
    await publish(workspace, category, { title, sequence: sequence * 2 });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/articles/new`);
  await page.getByLabel("Title").fill("Everything");
  await page.getByRole("button", { name: "Create article" }).click();

  const text = written(page);
  await text.click();
  const type = (words: string) => page.keyboard.type(words);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Inserts an element from the slash menu. */
  const make = async (block: string) => {
    await type(`/${block}`);
    await expect(page.getByRole("option").first()).toBeVisible();
    await press("Enter");
  };
  await type("Some ");
  await press("ControlOrMeta+b");
  await type("bold");
  await press("ControlOrMeta+b");
  await type(" and `code` words.");
  await press("Enter");
  await type("See the hours");
  for (const selected of ["s", "rs", "urs", "ours", "hours"]) {
    await press("Shift+ArrowLeft");
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe(selected);
  }
  await press("ControlOrMeta+k");
  await page.getByLabel("Article, heading, or URL").fill("opening");
  await expect(page.getByRole("option", { name: /Opening hours/ })).toBeVisible();
  await press("Enter");
  await expect(text).toBeFocused();
  // The selection returns a moment after the focus. The bar shows when it has.
  const bar = page.getByRole("toolbar", { name: "Selected text" });
  await expect(bar).toBeVisible();
  await expect(async () => {
    await press("End");
    await expect(bar).toBeHidden({ timeout: 500 });
  }).toPass();
  await press("Enter");
  await type("## First heading");
  await press("Enter");
  await type("- One");
  await press("Enter");
  await type("Two");
  await press("Enter", "Enter");
  await type("1. Step");
  await press("Enter", "Enter");
  await type("[ ] Open");
  await press("Enter", "Enter");
  await type("> Quoted");
  await press("Enter", "Enter");
  await type("```bash npm start");
  await press("ControlOrMeta+Enter");
  await make("heading 3");
  await type("Second heading");
  await press("Enter");
  await make("warning");
  await type("Careful");
  await press("Enter", "Enter");
  await make("collapsible");
  await type("More of it");
  await press("Enter");
  await type("Inside");
  await press("Enter", "Enter");
  await make("divider");
  const scrolled = await page.evaluate(() => scrollY);
  await make("video");
  await page.getByLabel("URL of a YouTube or Vimeo video").fill("https://youtu.be/dQw4w9WgXcQ");
  // The page stays where it was written.
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(100);
  await press("Enter");
  await expect(text).toBeFocused();
  await make("table");
  for (const cell of ["Day", "From", "To", "Monday", "9", "17"]) {
    await type(cell);
    await press("Tab");
  }
  await press("ArrowDown", "ArrowDown");
  await type("The end.");
  await press("Enter");

  const png = await draw("teal", 60, 30);
  await text.evaluate((editor, base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "harbour.png", { type: "image/png" }));
    const last = editor.lastElementChild?.getBoundingClientRect();
    const at = { clientX: (last?.x ?? 0) + 5, clientY: (last?.y ?? 0) + 5 };
    editor.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, ...at }));
  }, png.toString("base64"));
  const picture = text.locator("img[width]");
  await expect(picture).toBeVisible();
  await picture.click();
  await page.getByLabel("Alt text").fill("The harbour");
  await page.getByLabel("Alignment").selectOption("Wide");

  await page.getByLabel("Tags").fill("Hours");
  await page.getByLabel("Tags").press("Enter");
  await page.getByLabel("Keywords").fill("timetable");
  await page.getByLabel("Keywords").press("Enter");
  await openPart(page, "Related articles and attachments");
  await page.getByRole("combobox", { name: "Related articles" }).fill("closing");
  await expect(page.getByRole("option", { name: /^Closing time/, selected: true })).toBeVisible();
  await press("Enter");
  await expect(page.getByRole("button", { name: "Remove Closing time" })).toBeVisible();
  await page.getByLabel("Attachments").setInputFiles({
    name: "hours.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("day,from,to\nMonday,9,17\n"),
  });
  await expect(page.getByRole("button", { name: "Remove hours.csv" })).toBeVisible();
  listenForSave(page);
  await openPart(page, "Search engines");
  await page.getByLabel("SEO title").fill("All there is");
  await expect(page.getByRole("figure", { name: "Search result preview" })).toContainText(
    "All there is" + "Some bold and code words. See the hours",
  );
  await saved(page);
  await pressPublish(page);
  await expect(message(page)).toContainText("Article published");

  // Between the two others.
  await page.goto(`${workspace.url}/admin/categories/${category}/articles`);
  await page.getByRole("button", { name: /^Move Everything, number 3/ }).focus();
  await press("Alt+ArrowUp");
  await expect(message(page)).toContainText("Moved “Everything” to 2 of 3.");

  const reader = await (await browser.newContext()).newPage();
  await reader.goto(`${workspace.url}/articles/everything`);
  const body = reader.locator(".article-body").first();
  await expect(body.getByText("bold", { exact: true })).toHaveCSS("font-weight", /[67]00/);
  await expect(body.getByRole("link", { name: "hours", exact: true })).toHaveAttribute(
    "href",
    "/articles/opening-hours",
  );
  await expect(body.getByRole("heading", { level: 2, name: "First heading" })).toBeVisible();
  await expect(body.getByRole("heading", { level: 3, name: "Second heading" })).toBeVisible();
  await expect(body.getByRole("listitem").filter({ hasText: "Two" })).toBeVisible();
  await expect(body.locator("ol > li")).toHaveText("Step");
  await expect(body.getByRole("checkbox")).not.toBeChecked();
  await expect(body.getByRole("blockquote")).toHaveText("Quoted");
  await expect(body.locator("pre")).toContainText("npm start");
  await expect(body.locator("aside.callout-warning")).toContainText("Careful");
  await expect(body.getByText("Inside")).toBeHidden();
  await body.getByText("More of it").click();
  await expect(body.getByText("Inside")).toBeVisible();
  await expect(body.getByRole("separator")).toBeVisible();
  await expect(body.getByRole("columnheader")).toHaveText(["Day", "From", "To"]);
  await expect(body.getByRole("cell").first()).toHaveText("Monday");
  await expect(body.locator(".video")).toBeVisible();
  const shown = body.getByRole("img", { name: "The harbour" });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60);
  // A wide image fills the column.
  const [width, column] = [(await shown.boundingBox())?.width, (await body.boundingBox())?.width];
  expect(width).toBe(column);
  const [download] = await Promise.all([
    reader.waitForEvent("download"),
    reader.getByRole("link", { name: /hours\.csv/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("hours.csv");

  const key = await putKey(workspace);
  const get = async (path: string) => {
    const { status, body: answer } = await ask(new URL(workspace.url).host, `/api/external/v2${path}`, {
      headers: { "X-Api-Key": key },
    });
    expect(status).toBe(200);
    return JSON.parse(answer);
  };
  const { articles } = await get("/articles");
  const { id } = articles.find(({ slug }: { slug: string }) => slug === "everything");
  const { article } = await get(`/articles/${id}`);
  expect(article).toMatchObject({
    title: "Everything",
    state: "published",
    tags: [{ name: "Hours" }],
    keywords: ["timetable"],
    attachments: [{ filename: "hours.csv" }],
    related_articles: [{ title: "Closing time" }],
    show_table_of_contents: true,
  });
  expect([article.prev_article.title, article.next_article.title]).toEqual(["Opening hours", "Closing time"]);
  expect(article.table_of_contents).toContain("First heading");
  expect(article.html_content).toContain('alt="The harbour"');
  expect(complaints).toEqual([]);
});
