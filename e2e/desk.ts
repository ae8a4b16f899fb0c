import { expect, type Page } from "playwright/test";
import { createDraft } from "@/lib/articles/drafts";
import { createCategory } from "@/lib/categories/changes";
import { inWorkspace } from "@/lib/db";
import { actor, type TestWorkspace } from "./kit";

// Where articles are written.

/** Makes a category as members do. */
export const newCategory = (workspace: TestWorkspace, name = "Guides") =>
  inWorkspace(workspace.id, (db) => createCategory(db, { name }, actor));

/** An article that is only a title yet, in a category of its own. */
export async function aDraft(workspace: TestWorkspace, title = "Refunds") {
  const category = await newCategory(workspace);
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title, authorId: workspace.memberId }, actor),
  );
  return { id, category, path: `${workspace.url}/admin/articles/${id}` };
}

/** The text of the article that a page has in its editor. */
export const written = (page: Page) => page.getByRole("textbox", { name: "Article", exact: true });

/** The answers to the saves of what was put into an editor: until then the page may still say when it was saved before. */
const answers = new WeakMap<Page, Promise<unknown>>();

/** Hears of the next save of a page, for which `saved` waits: some tests let none arrive. */
export function listenForSave(page: Page): void {
  const answer = page.waitForResponse((response) => response.url().includes("/api/drafts/") && response.ok(), {
    timeout: 20_000,
  });
  answers.set(
    page,
    answer.catch(() => null),
  );
}

/** Pastes where the cursor is, as the browser hands it on from the clipboard. */
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

/** Puts a text into the editor in place of what is there, as if it had been copied from another page. */
export async function write(page: Page, html: string): Promise<void> {
  await written(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await paste(page, html);
}

/** Waits until what was put into the editor is saved. */
export async function saved(page: Page): Promise<void> {
  await answers.get(page);
  await expect(page.getByText(/^Saved at /)).toBeVisible({ timeout: 15_000 });
}
