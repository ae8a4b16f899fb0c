import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { createRole, type Permission } from "@/lib/members/roles";
import { actor, expectAccessible, message, overflow, signedIn, signIn, test } from "./kit";
import { putMember } from "./library";

// Checks pages against axe's rules, in both themes, in the middle of a test.
test.setTimeout(120_000);

test("a webhook is added, tested, rotated, switched off and deleted, and each secret is shown once", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/webhooks`);
  await page.getByRole("main").getByRole("link", { name: "Add webhook" }).click();
  // This server runs as in production: not even this machine is allowed.
  await page.getByRole("textbox", { name: "URL" }).fill("https://127.0.0.1/hook");
  await page.getByRole("checkbox", { name: /^article\.published/ }).check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByText("not on the public internet")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /^article\.published/ })).toBeChecked();
  await page.getByRole("textbox", { name: "URL" }).fill("https://hooks.invalid/in");
  await page.getByLabel("Description").fill("Search index");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await expect(page.locator("pre").first()).toHaveText(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const first = await page.locator("pre").first().textContent();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Search index" })).toBeVisible();
  expect(await page.content()).not.toContain(first);

  await page.getByRole("button", { name: "Send test" }).click();
  await expect(message(page)).toContainText("Sending a test");
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("cell", { name: "The host hooks.invalid was not found." })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await page.getByRole("link", { name: "ping" }).click();
  await expect(page.getByText('"type": "ping"')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(message(page)).toContainText("being resent");
  await expectAccessible(page);
  expect(await overflow(page)).toBeLessThanOrEqual(0);

  await page.getByRole("link", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expect(page.locator("pre").first()).toHaveText(/^whsec_/);
  expect(await page.locator("pre").first().textContent()).not.toBe(first);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("Requests are also signed with the old secret")).toBeVisible();
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect(message(page)).toContainText("Webhook switched off");
  await expect(page.getByRole("button", { name: "Send test" })).toHaveCount(0);
  await page.getByRole("button", { name: "Switch on" }).click();
  await expect(page.getByRole("button", { name: "Send test" })).toBeVisible();
  await page
    .getByRole("button", { name: /^Delete/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await expect(message(page)).toContainText("Deleted “Search index”");
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
});

test("a member without an event's permission can neither choose it nor see a webhook with it", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const admin = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await admin.goto(`${workspace.url}/admin/webhooks/new`);
  await admin.getByRole("textbox", { name: "URL" }).fill("https://hooks.invalid/people");
  await admin.getByRole("checkbox", { name: /^member\.joined/ }).check();
  await admin.getByRole("button", { name: "Add webhook" }).click();
  await admin.getByRole("link", { name: "Done" }).click();
  await expect(admin.getByRole("heading", { name: "hooks.invalid" })).toBeVisible();
  const theirs = admin.url();
  await admin.context().close();

  const role = { name: "Robots", permissions: ["keys.manage", "articles.write"] as Permission[] };
  await inWorkspace(workspace.id, (db) => createRole(db, role, actor));
  const { email } = await putMember(workspace, ["Rob", "Ot"], "Robots");
  await signIn(page, workspace, email);
  await page.goto(`${workspace.url}/admin/webhooks`);
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  await page.goto(theirs);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.goto(`${workspace.url}/admin/webhooks/new`);
  await expect(page.getByRole("checkbox", { name: /^article\.published/ })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /^(member|feedback)\./ })).toHaveCount(0);
});
