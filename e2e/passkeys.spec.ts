import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import {
  complaintsOf,
  expectAccessible,
  mailsTo,
  message,
  overflow,
  password,
  signIn,
  signInByForm,
  submitSignIn,
  test,
} from "./kit";

const passkeyButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });

/** A device that keeps passkeys and knows who uses it. */
async function plugIn(page: Page) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  const { authenticatorId } = await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const unlock = (isUserVerified: boolean) =>
    browser.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  return { unlock };
}

test("a member adds a passkey, signs in with it alone, and removes it", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const email = `ada-${workspace.subdomain}@example.com`;
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { email, emailConfirmed: true } }));
  const complaints = complaintsOf(page);
  const device = await plugIn(page);
  await signInByForm(page, workspace, email);
  await page.goto(`${workspace.url}/admin/account`);
  await page.getByRole("link", { name: "Add passkey" }).click();
  await expect(page.getByLabel("Name")).toHaveValue(/^Chrome on /);
  await expectAccessible(page);
  await page.getByLabel("Name").fill("Work laptop");
  await page.getByLabel("Current password").fill("not the password");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await expect(page.getByText("Incorrect password.")).toBeVisible();
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await expect(message(page)).toContainText("Passkey added");
  const row = page.getByRole("table", { name: "Passkeys" }).getByRole("row", { name: "Work laptop" });
  await expect(row).toContainText("Never");
  await expectAccessible(page);
  const subjects = async () => (await mailsTo(email)).map((mail) => mail.header("subject"));
  await expect.poll(subjects, { timeout: 15_000 }).toContain("New passkey for Harbour Coffee");

  await page.goto(`${workspace.url}/admin/two-step`);
  await expect(
    page.getByText("You have 1 passkey. When you sign in with a passkey, you don't need a code."),
  ).toBeVisible();
  await page.getByRole("link", { name: "1 passkey" }).click();

  // The same device gets no second one.
  await page.getByRole("link", { name: "Add passkey" }).click();
  await expect(page.getByRole("heading", { name: "Add passkey" })).toBeVisible();
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await expect(page.getByText("This device or password manager already has a passkey for your account.")).toBeVisible();

  await page.context().clearCookies();
  await page.goto(`${workspace.url}/admin/profile`);
  await expectAccessible(page);
  await device.unlock(false);
  await passkeyButton(page).click();
  await expect(page.getByText("Passkey sign-in didn't finish. Try again, or sign in another way.")).toBeVisible();
  await expectAccessible(page);
  await device.unlock(true);
  await passkeyButton(page).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/profile`);
  await page.goto(`${workspace.url}/admin/account`);
  await expect(row).not.toContainText("Never");

  await page.setViewportSize({ width: 390, height: 800 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole("link", { name: "Remove Work laptop" }).click();
  await expect(page.getByRole("heading", { name: "Remove “Work laptop”" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(message(page)).toContainText("Passkey removed");
  await expect(row).toHaveCount(0);
  await page.context().clearCookies();
  await page.goto(`${workspace.url}/admin/sign-in`);
  await passkeyButton(page).click();
  await expect(page.getByText("Couldn't sign in with this passkey. Try again, or sign in another way.")).toBeVisible();
  await submitSignIn(page, email, password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  expect(complaints).toEqual([]);
});

test("without scripts, or without passkeys, a password signs in as before", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { email } = workspace;
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const old = await browser.newContext();
  await old.addInitScript("delete window.PublicKeyCredential");
  for (const context of [plain, old]) {
    const other = await context.newPage();
    await other.goto(`${workspace.url}/admin/account`);
    await submitSignIn(other, email, password);
    await expect(other.getByRole("heading", { name: "Passkeys" })).toBeVisible();
    await expect(other.getByRole("link", { name: "Add passkey" })).toHaveCount(0);
    await other.context().clearCookies();
    await other.goto(`${workspace.url}/admin/sign-in`);
    await expect(passkeyButton(other)).toHaveCount(0);
    await context.close();
  }
});

test("an administrator removes the passkeys of another member", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await inWorkspace(workspace.id, async (db) => {
    const person = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" };
    const { id } = await createMember(db, person, { kind: "system", id: null, name: "test" });
    for (const byte of [1, 2]) {
      const bytes = new Uint8Array([byte]);
      await db.passkey.create({
        data: { memberId: id, credentialId: bytes, publicKey: bytes, counter: 0, name: "Phone" },
      });
    }
    return id;
  });
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/members/${grace}`);
  await expect(page.getByText("Grace has 2 passkeys.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Your password").fill("not the password");
  await page.getByRole("button", { name: "Remove passkeys" }).click();
  await expect(page.getByText("Incorrect password.")).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Remove passkeys" }).click();
  await expect(message(page)).toContainText("Removed 2 passkeys from Grace Hopper");
  await expect(page.getByRole("button", { name: "Remove passkeys" })).toHaveCount(0);
  expect(await inWorkspace(workspace.id, (db) => db.passkey.count())).toBe(0);
});
