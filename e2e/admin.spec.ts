import { expect, type Page } from "playwright/test";
import { keyMay } from "@/lib/api-keys/api-keys";
import { inWorkspace, readingOf } from "@/lib/db";
import { createMember, updateMember } from "@/lib/members/members";
import { createRole, listRoles, type Permission, permissions, updateRole } from "@/lib/members/roles";
import {
  actor,
  ask,
  complaintsOf,
  expectAccessible,
  message,
  openAccount,
  overflow,
  signedIn,
  signIn,
  signInByForm,
  type TestWorkspace,
  test,
} from "./kit";
import { putMember } from "./library";

// Checks each page against axe's rules, in both themes, in the middle of a test.
test.setTimeout(120_000);

async function invite(page: Page, workspace: TestWorkspace, address: string, role: string): Promise<void> {
  await page.goto(`${workspace.url}/admin/members/invite`);
  await page.getByLabel("Emails").fill(address);
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("button", { name: "Send invitations" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/members/invitations`);
}

const me = async (workspace: TestWorkspace, key: string) =>
  (await ask(new URL(workspace.url).host, "/api/external/v2/me", { headers: { "X-Api-Key": key } })).status;

test("the last administrator stays one, and the page says why", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/members/${workspace.memberId}`);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("This is the last administrator")).toBeVisible();
  await page.getByLabel("Role").selectOption("Editor");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This is the last administrator").first()).toBeVisible();
  await expect(page.getByLabel("Role")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});

test("members are found by name, role and state, page by page, and the address keeps it", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, async (db) => {
    for (let number = 10; number < 40; number++) {
      const fields = { email: `m${number}@example.com`, firstName: "Mary", lastName: `Number ${number}` };
      await createMember(db, { ...fields, role: number < 38 ? "Editor" : "Collaborator" }, actor);
    }
  });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/members`);
  await page.getByLabel("Name or email").fill("mary");
  await page.getByLabel("Role").selectOption("Editor");
  await expect(page.getByText("1–25 of 28")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("26–28 of 28")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("q")).toBe("mary");
  await expect(page.getByLabel("Name or email")).toHaveValue("mary");
  await expect(page.getByLabel("Role")).toHaveValue("Editor");
  await expectAccessible(page);
  await page.goto(`${workspace.url}/admin/members?q=nobody-has-this`);
  await expect(page.getByRole("heading", { name: "No members found" })).toBeVisible();
  await expectAccessible(page);
});

test("roles are changed and deleted; the only administrators' keeps what makes them so", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) => createRole(db, { name: "Reviewer", permissions: [] }, actor));
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/roles`);
  await page.getByRole("link", { name: "Reviewer" }).click();
  await page.getByLabel("Name").fill("Editor");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("That name is taken.")).toBeVisible();
  await page.getByLabel("Name").fill("Reader");
  await page.getByLabel("View insights", { exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Reader" })).toContainText("View insights");

  await page.getByRole("link", { name: "Reader", exact: true }).click();
  await page.getByRole("button", { name: "Delete role" }).click();
  await expect(page.getByRole("dialog", { name: "Delete “Reader”?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(message(page)).toContainText("Role deleted");
  await expect(page.getByRole("link", { name: "Reader", exact: true })).toHaveCount(0);

  await page.getByRole("link", { name: "Admin", exact: true }).click();
  await page.getByLabel("Change settings").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("At least one active member must be able to")).toBeVisible();
  await expectAccessible(page);
});

/** The permissions needed to create a key that reads articles and members. */
const readingKeys: Permission[] = ["keys.manage", ...keyMay(["content.read", "members.read"])];

test("who manages members without being an administrator makes none and changes none", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const role = await inWorkspace(workspace.id, (db) =>
    createRole(db, { name: "People", permissions: ["members.manage"] }, actor),
  );
  const eve = await putMember(workspace, ["Eve", "People"], "People");
  const bob = await putMember(workspace, ["Bob", "Byte"], "People");
  await signInByForm(page, workspace, eve.email);
  const menu = page.getByRole("navigation", { name: "Admin" });
  await expect(menu.getByRole("link", { name: "Members" })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Settings" })).toHaveCount(0);
  await page.goto(`${workspace.url}/admin/keys`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${workspace.url}/admin/members/invite`);
  await expect(page.getByLabel("Role").locator("option")).toHaveText(["People"]);
  await page.goto(`${workspace.url}/admin/members/${bob.id}`);
  await expect(page.getByRole("button", { name: "Save" })).toBeVisible();
  await page.goto(`${workspace.url}/admin/members/${workspace.memberId}`);
  await expect(page.getByText("Your role can't change this member")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expectAccessible(page);

  // Keys need their own permission.
  const more = { name: "People", permissions: ["members.manage", "keys.manage"] as Permission[] };
  await inWorkspace(workspace.id, (db) => updateRole(db, role.id, more, actor));
  await page.reload();
  await menu.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "No API keys yet" })).toBeVisible();

  // A key can read drafts, and an import publishes. Neither gives more than the role does.
  await page.getByRole("main").getByRole("link", { name: "Create key" }).click();
  await expect(page.getByLabel("Access").locator("option")).toHaveText(["Public content", "Custom"]);
  await page.getByLabel("Access").selectOption("Custom");
  await expect(page.getByRole("checkbox", { name: "Read team members" })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Read all content" })).toHaveCount(0);
  await expectAccessible(page);
  const settings = {
    name: "People",
    permissions: ["members.manage", "keys.manage", "settings.manage"] as Permission[],
  };
  await inWorkspace(workspace.id, (db) => updateRole(db, role.id, settings, actor));
  await page.reload();
  await expect(page.getByRole("link", { name: "Appearance" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Import" })).toHaveCount(0);
  for (const path of ["import", "export"]) {
    await page.goto(`${workspace.url}/admin/${path}`);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  }
  const answer = await page.evaluate(async () => {
    const body = new FormData();
    body.append("file", new File(["PK\x03\x04"], "a.zip"));
    const { status } = await fetch("/api/imports", { method: "POST", body });
    return status;
  });
  expect(answer).toBe(403);
  const writes = { name: "People", permissions: permissions.filter((one) => one !== "categories.manage") };
  await inWorkspace(workspace.id, (db) => updateRole(db, role.id, writes, actor));
  await page.goto(`${workspace.url}/admin/export`);
  await expect(page.getByRole("button", { name: "Create export" })).toBeVisible();
  await page.goto(`${workspace.url}/admin/import`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

test("who is made an administrator while the page is open is out of reach of who is none", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) => createRole(db, { name: "People", permissions: readingKeys }, actor));
  const eve = await putMember(workspace, ["Eve", "People"], "People");
  const bob = await putMember(workspace, ["Bob", "Byte"], "People");
  const complaints = complaintsOf(page);
  await signIn(page, workspace, eve.email);
  await page.goto(`${workspace.url}/admin/members/${bob.id}`);
  await page.getByLabel("First name").fill("Mallory");
  await inWorkspace(workspace.id, (db) => updateMember(db, bob.id, { role: "Admin" }, actor));
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This role has permissions that you don't have")).toBeVisible();
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("This role has permissions that you don't have")).toHaveCount(2);

  // Nor by a mailed link, or with an API key that has that permission.
  await invite(page, workspace, "grace@example.com", "People");
  await expect(page.getByRole("button", { name: "Resend to grace@example.com" })).toBeVisible();
  await inWorkspace(workspace.id, async (db) => {
    const role = (await listRoles(readingOf(db))).find(({ name }) => name === "People");
    await updateRole(db, String(role?.id), { name: "People", permissions: [...permissions] }, actor);
    await createRole(db, { name: "Fewer", permissions: readingKeys }, actor);
    await updateMember(db, eve.id, { role: "Fewer" }, actor);
  });
  await page.getByRole("button", { name: "Resend to grace@example.com" }).click();
  await expect(message(page)).toContainText("Not changed");
  await expect(page.getByRole("row").filter({ hasText: "grace@example.com" })).toContainText("Pending");
  await expect(page.getByRole("button", { name: "Resend to grace@example.com" })).toHaveCount(0);
  await page.goto(`${workspace.url}/admin/keys/new`);
  await expect(page.getByLabel("Access").locator("option")).toHaveText([
    "Public content",
    "Read articles",
    "Write drafts",
    "Read articles and members",
    "Custom",
  ]);
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Name" }).fill("Way around");
  await page
    .getByLabel("Access")
    .locator("option")
    .first()
    .evaluate((option: HTMLOptionElement) => {
      option.value = "members.write";
    });
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("This key needs permissions that you don't have")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("what was changed of a role or an invitation is taken back where it is told", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const bob = await putMember(workspace, ["Bob", "Byte"], "Editor");
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/members/${bob.id}`);
  await page.getByLabel("Role").selectOption("Collaborator");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Saved Bob Byte as Collaborator");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Saved Bob Byte");
  await expect(message(page)).not.toContainText("as ");
  await expect(message(page).getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "Bob Byte" })).toContainText("Editor");

  await invite(page, workspace, "grace@example.com", "Editor");
  await page.getByRole("button", { name: "Revoke invitation for grace@example.com" }).click();
  await expect(page.getByRole("heading", { name: "No pending invitations" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(message(page)).toContainText("Invitation restored");
  await expect(page.getByRole("row").filter({ hasText: "grace@example.com" })).toContainText("Pending");
});

test("an invitation is sent again, and an address changed, only so often", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const bob = await putMember(workspace, ["Bob", "Byte"], "Editor");
  await signInByForm(page, workspace);
  await invite(page, workspace, "grace@example.com", "Editor");
  const again = page.getByRole("button", { name: "Resend to grace@example.com" });
  for (let count = 0; count < 4; count++) {
    await page.goto(`${workspace.url}/admin/members/invitations`);
    await again.click();
    await expect(message(page)).toContainText("Invitation resent");
  }
  await page.goto(`${workspace.url}/admin/members/invitations`);
  await again.click();
  await expect(message(page)).toContainText(/Too many emails requested. Try again in \d+ minutes/);

  const change = async (email: string) => {
    await page.goto(`${workspace.url}/admin/members/${bob.id}`);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Save" }).click();
  };
  for (let count = 0; count < 4; count++) {
    for (const email of ["victim@example.com", `bob-${count}@example.com`]) {
      await change(email);
      await expect(message(page)).toContainText("Saved Bob Byte");
    }
  }
  await change("victim@example.com");
  await expect(page.getByText("The email was changed too often")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("victim@example.com");
  // Other changes are still saved.
  await change("bob-3@example.com");
  await expect(message(page)).toContainText("Saved Bob Byte");
});

test("a phone has the menu behind a button", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await page.setViewportSize({ width: 390, height: 844 });
  await signInByForm(page, workspace);
  const profile = page.getByRole("link", { name: "Profile", exact: true });
  await expect(page.getByRole("button", { name: /^Account: / })).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await expectAccessible(page);
  await openAccount(page);
  await expectAccessible(page);
  await profile.click();
  await expect(page).toHaveURL(`${workspace.url}/admin/profile`);
  await expect(page.getByRole("button", { name: /^Account: / })).toBeHidden();
  for (const path of ["", "/members", "/keys", "/roles", "/profile", "/members/invite"]) {
    await page.goto(`${workspace.url}/admin${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect.poll(() => overflow(page)).toBe(0);
  }
});

test("one's own name and time zone", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/profile`);
  await expectAccessible(page);
  await page.getByLabel("First name").fill("Augusta");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(message(page)).toContainText("Profile saved");
  await expect(page.getByLabel("Admin").getByText("Augusta Lovelace")).toBeVisible();
  // The URL no longer contains the words that brought the message.
  await expect(page).toHaveURL(`${workspace.url}/admin/profile`);
  await page.reload();
  await expect(message(page)).toHaveCount(0);
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
});

test("keys and members are managed without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await page.goto(`${workspace.url}/admin/keys/new`);
  await page.getByRole("textbox", { name: "Name" }).fill("Website");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.locator("pre").first()).toContainText("kb_");
  const [key = ""] = await page.locator("pre").allTextContents();
  expect(await me(workspace, key)).toBe(200);
  await page.goto(`${workspace.url}/admin/keys`);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(message(page)).toContainText("Revoked “Website”");
  expect(await me(workspace, key)).toBe(401);
  await page.getByRole("link", { name: "Close" }).click();
  await expect(message(page)).toHaveCount(0);

  const address = `bob-${workspace.subdomain}@example.com`;
  await page.goto(`${workspace.url}/admin/members/invite`);
  await page.getByLabel("Emails").fill(address);
  await page.getByRole("button", { name: "Send invitations" }).click();
  await expect(message(page)).toContainText("1 invitation sent");
  await page.getByRole("button", { name: `Revoke invitation for ${address}` }).click();
  await expect(page.getByRole("heading", { name: "No pending invitations" })).toBeVisible();
  await page.context().close();
});
