import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { scheduleDeletion } from "@/lib/workspaces/deletion";
import { changeSubdomain } from "@/lib/workspaces/subdomains";
import {
  actor,
  ask,
  complaintsOf,
  cookieOf,
  expectAccessible,
  linkMailedTo,
  password,
  signIn,
  signInByForm,
  submitSignIn,
  type TestWorkspace,
  test,
} from "./kit";

// Checks each page against axe's rules, in both themes, in the middle of a test.
test.setTimeout(120_000);

const hostOf = (url: string) => new URL(url).host;

/** Signs the administrator in, and opens the settings. */
async function openSettings(page: Page, workspace: TestWorkspace, path = ""): Promise<void> {
  await signIn(page, workspace);
  await page.goto(`${workspace.url}/admin/settings${path}`);
}

test("name, language and time zone are changed, and readers see it immediately", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await page.goto(workspace.url);
  await openSettings(page, workspace);
  await expectAccessible(page);
  const save = page.getByRole("button", { name: "Save changes" });
  await expect(save).toBeHidden();
  await page.getByLabel("Name").fill("Harbor");
  await expect(save).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("Harbour Coffee");
  await expect(save).toBeHidden();
  await page.getByLabel("Name").fill("  ");
  await save.click();
  await expect(page.getByText("Enter a name of 1 to 100 characters.")).toBeVisible();
  await page.getByLabel("Name").fill("Hafenkaffee");
  await page.getByLabel("Language").selectOption("de");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await save.click();
  await expect(page.getByText("Settings saved").first()).toBeVisible();
  await expect(save).toBeHidden();
  await expect(page.getByLabel("Name")).toHaveValue("Hafenkaffee");
  await expect(page.getByLabel("Language")).toHaveValue("de");
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
  await expectAccessible(page);
  const { body } = await ask(hostOf(workspace.url), "/");
  expect(body).toContain('<html lang="de"');
  expect(body).toContain("Hafenkaffee");
  expect(complaints).toEqual([]);
});

test("a while after signing in, a change of the audit log asks for the password, and a new name does not", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await signInByForm(page, workspace);
  await inWorkspace(workspace.id, (db) =>
    db.session.updateMany({ data: { createdAt: new Date(Date.now() - 16 * 60_000) } }),
  );
  await page.goto(`${workspace.url}/admin/settings`);
  const save = page.getByRole("button", { name: "Save changes" });
  const secret = page.getByLabel("Current password");
  await page.getByLabel("Name").fill("Harbor Coffee");
  await expect(secret).toHaveCount(0);
  await save.click();
  await expect(page.getByText("Settings saved").first()).toBeVisible();
  await expect(save).toBeHidden();
  const ips = page.getByLabel("Keep IP addresses for");
  await ips.selectOption("1 year");
  await secret.fill("not my password");
  await save.click();
  await expect(page.getByText("Incorrect password.")).toBeVisible();
  await expect(ips).toHaveValue("365");
  await expectAccessible(page);
  await secret.fill(password);
  await save.click();
  await expect(secret).toHaveCount(0);
  await page.reload();
  await expect(ips).toHaveValue("365");
});

for (const javaScriptEnabled of [true, false]) {
  test(`another subdomain works immediately, and the old one redirects, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    browser,
    aWorkspace,
  }) => {
    const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
    const other = await aWorkspace({ name: "Other", subdomain: "other" });
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await openSettings(page, workspace);
    await page.getByRole("link", { name: "Change URL" }).click();
    await expect(page.getByLabel("New subdomain")).toBeVisible();
    if (javaScriptEnabled) await expectAccessible(page);
    await page.getByLabel("New subdomain").fill(other.subdomain);
    await page.getByRole("button", { name: "Change URL" }).click();
    await expect(page.getByText(`The subdomain ${other.subdomain} is taken. Choose another one.`)).toBeVisible();
    const url = workspace.url.replace("harbour", "moved");
    await page.getByLabel("New subdomain").fill(workspace.subdomain.replace("harbour", "moved"));
    await page.getByRole("button", { name: "Change URL" }).click();

    await expect(page).toHaveURL(new RegExp(`^${url}/admin/sign-in`));
    await expect(page.getByText("This is the new URL.")).toBeVisible();
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(`${url}/admin`);
    // Old tabs and bookmarks.
    await page.goto(`${workspace.url}/admin/profile?x=1`);
    await expect(page).toHaveURL(`${url}/admin/profile?x=1`);

    const old = hostOf(workspace.url);
    for (const path of [
      "/",
      "/articles/any?a=b",
      "/articles/any.md",
      "/sitemap.xml",
      "/og.png",
      "/avatars/any.svg",
      "/nothing",
    ]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, body } = await ask(old, path, { method });
        expect([path, status, headers.location, body]).toEqual([path, 301, url + path, ""]);
      }
    }
    // As a script requests a page during navigation. Another policy and origin would block the redirect.
    for (const path of ["/?_rsc=x", "/admin/members?_rsc=x"]) {
      const { status, headers, body } = await ask(old, path, { headers: { RSC: "1" } });
      expect([path, status, headers["content-type"]]).toEqual([path, 404, "text/plain; charset=utf-8"]);
      expect(body).toContain("has moved to another URL");
      expect((await ask(hostOf(url), path, { headers: { RSC: "1" } })).body).not.toContain("has moved to another URL");
      const plain = await ask(old, path);
      expect([plain.status, plain.headers.location]).toEqual([301, url + path]);
    }
    const posted = await ask(old, "/admin/sign-in", { method: "POST", headers: { Origin: workspace.url } });
    expect([posted.status, posted.headers.location]).toEqual([303, `${url}/admin/sign-in`]);
    expect((await ask(old.replace("harbour", "never"), "/")).status).toBe(404);
    expect((await ask(hostOf(url), "/")).status).toBe(200);
    expect(complaints).toEqual([]);
    await context.close();
  });
}

test("who follows a link in a page that was open before the address changed arrives at the new one", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await openSettings(page, workspace);
  const moved = workspace.subdomain.replace("harbour", "moved");
  await changeSubdomain(workspace.id, moved, actor);
  await page.getByRole("link", { name: "Members", exact: true }).click();
  const url = workspace.url.replace(workspace.subdomain, moved);
  await expect(page).toHaveURL(`${url}/admin/sign-in?to=%2Fadmin%2Fmembers`);
  expect(complaints).toEqual([]);
});

test("a deleted workspace closes immediately, its administrators get a mail, and one restores it", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { url, email } = workspace;
  const complaints = complaintsOf(page);
  await openSettings(page, workspace);
  await page.getByRole("link", { name: "Delete knowledge base" }).click();
  await expectAccessible(page);
  const remove = async (name: string, secret: string) => {
    await page.getByLabel("Knowledge base name").fill(name);
    await page.getByLabel("Current password").fill(secret);
    await page.getByRole("button", { name: "Delete knowledge base" }).click();
  };
  await remove("harbour coffee", password);
  await expect(page.getByText("Type the name exactly as shown: Harbour Coffee.")).toBeVisible();
  // An unattended browser is not enough, and attempts are limited.
  await remove("Harbour Coffee", "not my password");
  await expect(page.getByText("Incorrect password.")).toBeVisible();
  await expect(page.getByLabel("Knowledge base name")).toHaveValue("Harbour Coffee");
  await expect(async () => {
    await remove("Harbour Coffee", "not my password");
    await expect(page.getByText(/Too many attempts\. Try again in \d+ second/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect((await ask(hostOf(url), "/")).status).toBe(200);
  await expect(async () => {
    // The answer says whether it redirects before the page is left, where no other round may start.
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await remove("Harbour Coffee", password);
    expect((await answered).headers()["x-action-redirect"]).toMatch(/^\/admin\/closing/);
  }).toPass();
  await expect(page).toHaveURL(`${url}/admin/closing`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Coffee will be deleted");
  await expectAccessible(page);
  for (const path of ["/admin", "/admin/members", "/admin/settings"]) {
    await page.goto(url + path);
    await expect(page).toHaveURL(`${url}/admin/closing`);
  }

  // Readers get a message, programs nothing, members only the way to restore the workspace.
  const cookie = await cookieOf(page.context());
  for (const [path, status, theirs = status] of [
    ["/", 410],
    ["/articles/any", 410],
    ["/search?q=any", 410],
    ["/articles/any.md", 404],
    ["/feed.xml", 404],
    ["/og.png", 404],
    [`/uploads/${workspace.id}`, 404],
    ["/api/external/v2/me", 404],
    ["/admin/account", 307],
    ["/admin/find?q=any", 307],
    ["/admin/audit/csv", 307],
    ["/admin/invitation?token=any", 307],
    ["/admin/sign-in", 200, 307],
    ["/admin/sign-in/link", 200],
    ["/admin/sign-in/password", 200],
    ["/admin/closing", 307, 200],
  ] as [string, number, number?][]) {
    const actual = { path, anyone: status, member: theirs };
    const expected = {
      path,
      anyone: (await ask(hostOf(url), path)).status,
      member: (await ask(hostOf(url), path, { headers: { Cookie: cookie } })).status,
    };
    expect(expected).toEqual(actual);
  }
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(url);
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("This knowledge base is closed");
  await expectAccessible(visitor);

  // The mail lets an administrator restore the workspace from another browser, with a password or a link.
  await visitor.goto(await linkMailedTo(email, { start: `${url}/admin/closing` }));
  await expect(visitor).toHaveURL(`${url}/admin/sign-in?to=%2Fadmin%2Fclosing`);
  await expect(visitor.getByText("This knowledge base is scheduled for deletion.")).toBeVisible();
  await expectAccessible(visitor);
  await submitSignIn(visitor, email, "not my password");
  await expect(visitor.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
  await submitSignIn(visitor, email, password);
  await expect(visitor).toHaveURL(`${url}/admin/closing`);
  await visitor.getByRole("button", { name: "Sign out" }).click();
  await visitor.getByLabel("Email").fill(email);
  await visitor.getByRole("button", { name: "Email me a sign-in link" }).click();
  await expect(visitor.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await visitor.goto(await linkMailedTo(email, { start: `${url}/admin/sign-in/link?token=` }));
  await visitor.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(visitor).toHaveURL(`${url}/admin/closing`);
  // A forgotten password can be reset there, too.
  await visitor.getByRole("button", { name: "Sign out" }).click();
  await visitor.getByLabel("Email").fill(email);
  await visitor.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(visitor.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await visitor.goto(await linkMailedTo(email, { start: `${url}/admin/sign-in/password?token=` }));
  await visitor.getByLabel("New password").fill("another of four words");
  await visitor.getByRole("button", { name: "Set password" }).click();
  await expect(visitor).toHaveURL(`${url}/admin/closing`);
  await visitor.getByRole("button", { name: "Restore knowledge base" }).click();
  await expect(visitor).toHaveURL(`${url}/admin/settings`);
  await expect(visitor.getByText("Knowledge base restored").first()).toBeVisible();
  await expect(visitor.getByLabel("Name", { exact: true })).toHaveValue("Harbour Coffee");
  expect((await ask(hostOf(url), "/")).status).toBe(200);
  // An open page whose session ended with the new password leads to the sign-in.
  await page.getByRole("button", { name: "Restore knowledge base" }).click();
  await submitSignIn(page, email, "another of four words");
  await expect(page).toHaveURL(`${url}/admin`);
  await context.close();
  expect(complaints).toEqual([]);
});

test("who has no password sets one before a knowledge base is deleted", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await openSettings(page, workspace, "/delete");
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { passwordHash: null } }));
  // Also on a page that is already open.
  await page.getByLabel("Knowledge base name").fill("Harbour Coffee");
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Delete knowledge base" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Set a password first" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Current password")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByLabel("Knowledge base name").fill("Harbour Coffee");
  await page.getByRole("button", { name: "Delete knowledge base" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Set a password first" })).toBeVisible();
  expect((await ask(hostOf(workspace.url), "/")).status).toBe(200);
  await page.getByRole("link", { name: "Set a password" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/account`);
});

test("a member who may not manage settings finds none of it, and cannot take a closed workspace back", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const statuses = async () => {
    const statuses: (number | undefined)[] = [];
    for (const path of ["", "/address", "/delete"])
      statuses.push((await page.goto(`${workspace.url}/admin/settings${path}`))?.status());
    return statuses;
  };
  const general = page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Settings" });
  const takeBack = page.getByRole("button", { name: "Restore knowledge base" });
  const become = (name: string) =>
    inWorkspace(workspace.id, async (db) => {
      const { id: roleId } = await db.role.findFirstOrThrow({ where: { name } });
      await db.member.updateMany({ data: { roleId } });
    });
  await signInByForm(page, workspace);
  await expect(general).toBeVisible();
  expect(await statuses()).toEqual([200, 200, 200]);
  // A member who may only change settings neither deletes nor restores.
  await inWorkspace(workspace.id, (db) =>
    db.role.create({ data: { name: "Settings", permissions: ["settings.manage"] } }),
  );
  await become("Settings");
  expect(await statuses()).toEqual([200, 200, 404]);
  await become("Editor");
  expect(await statuses()).toEqual([404, 404, 404]);
  await page.goto(`${workspace.url}/admin`);
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(general).toHaveCount(0);
  await scheduleDeletion(workspace.id, workspace.name, actor);
  await page.goto(`${workspace.url}/admin`);
  await expect(page).toHaveURL(`${workspace.url}/admin/closing`);
  await expect(page.getByText("Until then, an administrator can restore the knowledge base.")).toBeVisible();
  await expect(takeBack).toHaveCount(0);
  await expectAccessible(page);
  await become("Settings");
  await page.reload();
  await expect(page.getByText("Until then, an administrator can restore the knowledge base.")).toBeVisible();
  await expect(takeBack).toHaveCount(0);
  await become("Admin");
  await page.reload();
  await expect(takeBack).toBeVisible();
});
