import { expect, type Page } from "playwright/test";
import { ask, complaintsOf, expectAccessible, message, openAccount, password, submitSignIn, test } from "./kit";
import { aServer } from "./own-server";

// Starts a second server, and checks each page against axe's rules, in both themes.
test.setTimeout(240_000);

test("from the bare domain to people, roles and keys, where a workspace is created and a member joins and leaves", async ({
  page,
  browser,
}) => {
  const { port, linkMailedTo, stop, log } = await aServer();
  try {
    const complaints = complaintsOf(page);
    const url = `http://cafe-sohne.localhost:${port}`;

    await test.step("a workspace is made in a minute, and its administrator signs in", async () => {
      const start = Date.now();
      await page.goto(`http://localhost:${port}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        "A knowledge base for the questions you keep answering",
      );
      await expectAccessible(page);
      await page.getByRole("link", { name: "Create a knowledge base" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create a knowledge base");
      await expectAccessible(page);
      await page.getByLabel("Name", { exact: true }).fill("Café & Söhne");
      await page.getByLabel("First name").fill("Ada");
      await page.getByLabel("Last name").fill("Lovelace");
      await page.getByLabel("Email").fill("ada@example.com");
      await page.getByLabel("Password").fill(password);
      await expect(page.getByLabel("Subdomain")).toHaveValue("cafe-sohne");
      await expect(page.getByText(`${url} is available.`)).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create knowledge base" }).click();

      await expect(page).toHaveURL(`${url}/admin`);
      await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
      expect(Date.now() - start).toBeLessThan(60_000);
    });

    const grace = await browser.newContext();
    const theirs = await grace.newPage();
    const members = theirs.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Members" });
    await test.step("who invites people has confirmed their own email", async () => {
      await page.goto(`${url}/admin/members/invite`);
      await page.getByRole("button", { name: /^Send link to ada@/ }).click();
      await page.goto(await linkMailedTo("ada@example.com"));
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expect(page.getByLabel("Emails")).toBeVisible();
    });
    await test.step("a person is invited by mail and accepts", async () => {
      await page.goto(`${url}/admin/members/invite`);
      await expectAccessible(page);
      await page.getByLabel("Emails").fill("grace@example.com, nobody");
      await page.getByLabel("Role").selectOption("Editor");
      await page.getByRole("button", { name: "Send invitations" }).click();
      await expect(page.getByText("Not a valid email: nobody")).toBeVisible();
      await page.getByLabel("Emails").fill("grace@example.com\nada@example.com");
      await page.getByRole("button", { name: "Send invitations" }).click();
      await expect(page.getByText("ada@example.com is already a member.")).toBeVisible();
      await expect(page.getByText("Invited: grace@example.com.")).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${url}/admin/members/invitations`);
      await expect(page.getByRole("row").filter({ hasText: "grace@example.com" })).toContainText("Editor");
      await expectAccessible(page);

      const link = await linkMailedTo("grace@example.com");
      // Link scanners must not use up the link.
      const { host, pathname, search } = new URL(link);
      for (let look = 0; look < 2; look++)
        expect((await ask(host, pathname + search, { port })).body).toContain("grace@example.com");
      await theirs.goto(link);
      await expectAccessible(theirs);
      await accept(theirs, "short");
      await expect(theirs.getByText("Use at least 12 characters")).toBeVisible();
      await expect(theirs.getByLabel("First name")).toHaveValue("Grace");
      await accept(theirs, password);
      await expect(theirs).toHaveURL(`${url}/admin`);
      await expect(theirs.getByRole("button", { name: "Account: Grace Hopper" })).toBeVisible();
      await expect(members).toHaveCount(0);
      await theirs.goto(`${url}/admin/members`);
      await expect(theirs.getByRole("heading", { name: "Page not found" })).toBeVisible();
      await expect.poll(log).toMatch(/"event":"access\.refused",.*"needed":"members\.manage"/);
      const elsewhere = { Origin: "http://elsewhere.example" };
      const foreign = await ask(host, "/admin/sign-in", { port, method: "POST", headers: elsewhere });
      expect(foreign.status).toBe(403);
      await expect.poll(log).toMatch(/"event":"origin\.refused","origin":"http:\/\/elsewhere\.example"/);
      const again = await grace.newPage();
      await again.goto(link);
      await expect(again.getByRole("heading", { name: "This invitation is no longer valid" })).toBeVisible();
      await expectAccessible(again);
    });

    await test.step("a role is made, and counts on the next click of who gets it", async () => {
      await page.goto(`${url}/admin/roles`);
      await expectAccessible(page);
      await page.getByRole("link", { name: "Create role" }).click();
      await page.getByLabel("Name").fill("People");
      await page.getByRole("checkbox", { name: "Manage members and roles", exact: true }).check();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create role" }).click();
      await expect(message(page)).toContainText("Saved “People”");
      await page.goto(`${url}/admin/members?q=hopper`);
      await page.getByRole("link", { name: "Grace Hopper" }).click();
      await expect(page.getByRole("heading", { name: "Grace Hopper" })).toBeVisible();
      await expectAccessible(page);
      await page.getByLabel("Role").selectOption("People");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(message(page)).toContainText("Saved Grace Hopper as People");
      await theirs.goto(`${url}/admin/members`);
      await expect(members).toBeVisible();
      await expect(theirs.getByRole("link", { name: "Grace Hopper" })).toBeVisible();
    });

    await test.step("a key that is made works, is rotated, and is refused once it is revoked", async () => {
      const me = async (key: string) =>
        (await ask(new URL(url).host, "/api/external/v2/me", { port, headers: { "X-Api-Key": key } })).status;
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByRole("link", { name: "API keys", exact: true }).click();
      await expect(page.getByRole("heading", { name: "No API keys yet" })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Create key" }).click();
      await expect(page.getByRole("textbox", { name: "Name" })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("textbox", { name: "Name" }).fill("   ");
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByText("Enter a name of 1 to 100 characters on one line")).toBeVisible();
      await expect(page.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
      await page.getByRole("textbox", { name: "Name" }).fill("Website");
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByRole("heading", { name: "Copy your API key" })).toBeVisible();
      await expectAccessible(page);
      const [key = "", curl = ""] = await page.locator("pre").allTextContents();
      expect(key).toMatch(/^kb_\w{38}$/);
      expect(curl).toBe(`curl -H "X-Api-Key: ${key}" ${url}/api/external/v2/me`);
      expect(await me(key)).toBe(200);

      await page.getByRole("link", { name: "Done" }).click();
      const row = page.getByRole("row").filter({ hasText: `…${key.slice(-4)}` });
      await expect(row).toContainText("Website");
      await expect(row).toContainText("GET /v2/me");
      await expect(row).toContainText("by Ada Lovelace");
      expect(await page.content()).not.toContain(key);
      await expectAccessible(page);
      await row.getByRole("link", { name: "Rotate Website" }).click();
      await expect(page.getByLabel("Grace period for the old key")).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Rotate key" }).click();
      await expect(page.getByText("The old key works until")).toBeVisible();
      const [successor = ""] = await page.locator("pre").allTextContents();
      expect([await me(key), await me(successor)]).toEqual([200, 200]);

      await page.goto(`${url}/admin/keys`);
      await row.getByRole("button", { name: "Revoke" }).click();
      const question = page.getByRole("dialog", { name: "Revoke “Website”?" });
      await expect(question).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(question).toBeHidden();
      await row.getByRole("button", { name: "Revoke" }).click();
      await question.getByRole("button", { name: "Revoke key" }).click();
      await expect(message(page)).toContainText("Revoked “Website”");
      await expect(page.getByRole("status").filter({ hasText: "Revoked “Website”" })).toBeAttached();
      await expect(page).toHaveURL(`${url}/admin/keys`);
      await expect(row).toContainText("Revoked");
      await expectAccessible(page);
      expect([await me(key), await me(successor)]).toEqual([401, 200]);
    });

    await test.step("who is deactivated is out at the next click, and in again when that is taken back", async () => {
      await page.goto(`${url}/admin/members`);
      await page.getByRole("link", { name: "Grace Hopper" }).click();
      await page.getByRole("button", { name: "Deactivate" }).click();
      await expect(message(page)).toContainText("Deactivated Grace Hopper");
      await expectAccessible(page);
      await openAccount(theirs);
      await theirs.getByRole("link", { name: "Profile", exact: true }).click();
      await expect(theirs).toHaveURL(`${url}/admin/sign-in?to=%2Fadmin%2Fprofile`);
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(message(page)).toContainText("Reactivated Grace Hopper");
      await submitSignIn(theirs, "grace@example.com", password);
      await expect(theirs.getByRole("heading", { name: "Your profile" })).toBeVisible();
    });
    await grace.close();
    expect(complaints).toEqual([]);
  } finally {
    await stop();
  }
});

async function accept(page: Page, secret: string): Promise<void> {
  await page.getByLabel("First name").fill("Grace");
  await page.getByLabel("Last name").fill("Hopper");
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Accept invitation" }).click();
}
