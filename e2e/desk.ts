import { expect, type Page } from "playwright/test";
import { createDraft } from "@/lib/articles/drafts";
import { createCategory } from "@/lib/categories/changes";
import { inWorkspace } from "@/lib/db";
import { actor, type TestWorkspace } from "./kit";

// Helpers for the editor.

/** Creates a category as members do. */
export const newCategory = (workspace: TestWorkspace, name = "Guides") =>
  inWorkspace(workspace.id, (db) => createCategory(db, { name }, actor));

/** An article with only a title, in its own category. */
export async function aDraft(workspace: TestWorkspace, title = "Refunds") {
  const category = await newCategory(workspace);
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title, authorId: workspace.memberId }, actor),
  );
  return { id, category, path: `${workspace.url}/admin/articles/${id}` };
}

/** The text of the article in the page's editor. */
export const written = (page: Page) => page.getByRole("textbox", { name: "Article", exact: true });

/** The answers to the saves of text put into an editor. Until they arrive, the page may still show the earlier save time. */
const answers = new WeakMap<Page, Promise<unknown>>();

/** Listens for the next save of a page, which `saved` awaits. Some tests let no save arrive. */
export function listenForSave(page: Page): void {
  const answer = page.waitForResponse((response) => response.url().includes("/api/drafts/") && response.ok(), {
    timeout: 20_000,
  });
  answers.set(
    page,
    answer.catch(() => null),
  );
}

/** Pastes at the cursor, as the browser does from the clipboard. */
export async function paste(page: Page, html: string, text = ""): Promise<void> {
  listenForSave(page);
  await written(page).evaluate(
    (editor, [html, text]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", html);
      clipboardData.setData("text/plain", text);
      editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    [html, text] as const,
  );
}

/** Replaces the editor's text, as if pasted from another page. */
export async function write(page: Page, html: string): Promise<void> {
  await written(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await paste(page, html);
}

/** Unfolds a part of the drawer. */
export async function openPart(page: Page, title: string): Promise<void> {
  await page.getByRole("complementary", { name: "Details" }).getByText(title, { exact: true }).click();
}

/** Chooses from the menu in the head of the page. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** Publishes from the head of the page. */
export async function pressPublish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog", { name: "Publish" }).getByRole("button", { name: "Publish", exact: true }).click();
}

/** Waits until text put into the editor is saved. */
export async function saved(page: Page): Promise<void> {
  await answers.get(page);
  await expect(page.getByText(/^Saved at /)).toBeVisible({ timeout: 15_000 });
}
