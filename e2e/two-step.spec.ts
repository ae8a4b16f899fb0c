import { TOTP } from "otpauth";
import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { hashPassword } from "@/lib/members/passwords";
import {
  actor,
  ask,
  complaintsOf,
  cookieOf,
  expectAccessible,
  linkMailedTo,
  mailsTo,
  message,
  overflow,
  password,
  signInByForm,
  submitSignIn,
  type TestWorkspace,
  test,
} from "./kit";

// Checks each page against axe's rules, in both themes, and waits for codes.
test.setTimeout(120_000);

const PERIOD_MS = 30_000;

/** An authenticator app. It gives no code twice: codes of the next period are valid too. */
class App {
  private last = 0;
  constructor(private readonly secret: string) {}

  /** A code that the server has not seen, after a wait if the app has given two in this period. */
  async code(page: Page): Promise<string> {
    const now = () => Math.floor(Date.now() / PERIOD_MS);
    await expect.poll(() => now() + 1 > this.last, { timeout: PERIOD_MS + 5_000 }).toBe(true);
    this.last = Math.max(this.last + 1, now());
    expect(page.isClosed()).toBe(false);
    return this.lastCode();
  }

  lastCode(): string {
    return new TOTP({ secret: this.secret }).generate({ timestamp: this.last * PERIOD_MS });
  }
}

async function recoveryCodes(page: Page): Promise<string[]> {
  await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  const codes = (await page.locator("[data-code-frame] code").innerText()).split("\n");
  expect(codes).toHaveLength(10);
  return codes;
}

/** Sets it up on the page that is shown. */
async function setUp(page: Page): Promise<{ app: App; codes: string[] }> {
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const app = new App((await page.locator("[data-code-frame] code").innerText()).replaceAll(" ", ""));
  await page.getByLabel("Code", { exact: true }).fill(await app.code(page));
  const current = page.getByLabel("Current password");
  if (await current.isVisible()) await current.fill(password);
  await page.getByRole("button", { name: "Turn on" }).click();
  return { app, codes: await recoveryCodes(page) };
}

async function submitCode(page: Page, code: string): Promise<void> {
  await page.getByLabel(/^(Code|Recovery code)$/).fill(code);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const sessions = (workspace: TestWorkspace) => inWorkspace(workspace.id, (db) => db.session.count());

test("a member turns it on, signs in with a code or a recovery code, makes new ones and turns it off", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await signInByForm(page, workspace);
  await page.goto(`${workspace.url}/admin/account`);
  await page.getByRole("link", { name: "Set up" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  await expectAccessible(page);
  const app = new App((await page.locator("[data-code-frame] code").innerText()).replaceAll(" ", ""));
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Incorrect code.")).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill(await app.code(page));
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Turn on" }).click();
  const [first = "", second = "", ...others] = await recoveryCodes(page);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("10 recovery codes left")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${workspace.url}/admin/two-step`);
  await expect(page.getByRole("heading", { name: "Two-step verification is on" })).toBeVisible();
  await expect(page.locator("[data-code-frame]")).toHaveCount(0);

  // A password alone opens nothing, with or without scripts.
  const context = await browser.newContext({ javaScriptEnabled: false });
  const other = await context.newPage();
  await other.goto(`${workspace.url}/admin/profile`);
  await submitSignIn(other, workspace.email, password);
  await expect(other.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  expect(await sessions(workspace)).toBe(1);
  await submitCode(other, app.lastCode());
  await expect(other.getByText("Incorrect code. Each code works once.")).toBeVisible();
  await submitCode(other, await app.code(other));
  await expect(other).toHaveURL(`${workspace.url}/admin/profile`);
  expect(await sessions(workspace)).toBe(2);
  await context.close();

  const phone = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const third = await phone.newPage();
  await third.goto(`${workspace.url}/admin/sign-in`);
  await submitSignIn(third, workspace.email, password);
  await expect(third.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  await expectAccessible(third);
  await third.getByRole("link", { name: "Use a recovery code" }).click();
  await submitCode(third, first);
  await expect(third).toHaveURL(`${workspace.url}/admin`);
  await expect(message(third)).toContainText("You have 9 recovery codes left.");
  await third.goto(`${workspace.url}/admin/account`);
  expect(await overflow(third)).toBeLessThanOrEqual(0);
  await third.context().clearCookies();
  await third.goto(`${workspace.url}/admin/sign-in`);
  await submitSignIn(third, workspace.email, password);
  await third.getByRole("link", { name: "Use a recovery code" }).click();
  await submitCode(third, first);
  await expect(third.getByText("Incorrect code. Each code works once.")).toBeVisible();
  await submitCode(third, second);
  await expect(third).toHaveURL(`${workspace.url}/admin`);
  await phone.close();

  await page.goto(`${workspace.url}/admin/account`);
  await page.getByRole("link", { name: "New recovery codes" }).click();
  await expectAccessible(page);
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("Two-step code").fill(others[0] ?? "");
  await page.getByRole("button", { name: "Create new codes" }).click();
  const [fresh = ""] = await recoveryCodes(page);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("10 recovery codes left")).toBeVisible();
  await page.getByRole("link", { name: "Turn off" }).click();
  await expectAccessible(page);
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("Two-step code").fill(others[1] ?? "");
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Incorrect code. Each code works once.")).toBeVisible();
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("Two-step code").fill(fresh);
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(message(page)).toContainText("Two-step verification is off");
  await page.context().clearCookies();
  await signInByForm(page, workspace);
  expect(complaints).toEqual([]);
});

test("neither a mailed link nor a new password goes around it, and a changed password ends the first step", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const email = `ada-${workspace.subdomain}@example.com`;
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { email, emailConfirmed: true } }));
  await signInByForm(page, workspace, email);
  await page.goto(`${workspace.url}/admin/two-step`);
  const { codes } = await setUp(page);
  const subjects = async () => (await mailsTo(email)).map((mail) => mail.header("subject"));
  await expect.poll(subjects, { timeout: 15_000 }).toContain("Two-step verification for Harbour Coffee is now on");
  await page.context().clearCookies();
  await inWorkspace(workspace.id, (db) => db.session.deleteMany());

  await page.goto(`${workspace.url}/admin/sign-in/link`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await page.goto(await linkMailedTo(email, { start: `${workspace.url}/admin/sign-in/link` }));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  expect(await sessions(workspace)).toBe(0);
  await page.goto(`${workspace.url}/admin`);
  await expect(page).toHaveURL(/\/admin\/sign-in/);

  // Someone who knows the password waits with the code, until the password is changed.
  const context = await browser.newContext();
  const waiting = await context.newPage();
  await waiting.goto(`${workspace.url}/admin/sign-in`);
  await submitSignIn(waiting, email, password);
  await waiting.getByRole("link", { name: "Use a recovery code" }).click();

  await page.goto(`${workspace.url}/admin/sign-in/password`);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await page.goto(await linkMailedTo(email, { start: `${workspace.url}/admin/sign-in/password?` }));
  await page.getByLabel("New password").fill("five other quiet words");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  expect(await sessions(workspace)).toBe(0);
  await submitCode(waiting, codes[0] ?? "");
  await expect(waiting.getByText("This took too long.")).toBeVisible();
  await context.close();
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await submitCode(page, codes[1] ?? "");
  await expect(page).toHaveURL(`${workspace.url}/admin/account`);
});

/** Adds a member who signs in with the same password as the administrator. */
async function withGrace({ id }: TestWorkspace): Promise<{ id: string; email: string }> {
  const email = `grace-${id}@example.com`;
  const passwordHash = await hashPassword(password);
  return inWorkspace(id, (db) =>
    createMember(db, { email, firstName: "Grace", lastName: "Hopper", role: "Editor", passwordHash }, actor),
  );
}

test("a member who has to use it sees and changes nothing until it is set up", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await withGrace(workspace);
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
  await signInByForm(page, workspace);
  const hers = await (await browser.newContext()).newPage();
  await signInByForm(hers, workspace, grace.email);
  await hers.goto(`${workspace.url}/admin/profile`);

  // An administrator sets it up before they require it.
  const requireTwoStep = async (name: string) => {
    await page.goto(`${workspace.url}/admin/settings`);
    await page.getByLabel("Required for").selectOption(name);
    await page.getByRole("button", { name: "Save changes" }).click();
  };
  await requireTwoStep("Everyone");
  await expect(page.getByText("Set up two-step verification for yourself first")).toBeVisible();
  await page.goto(`${workspace.url}/admin/two-step`);
  await setUp(page);
  await requireTwoStep("Administrators");
  await expect(message(page)).toContainText("Settings saved");
  await hers.reload();
  await expect(hers).toHaveURL(`${workspace.url}/admin/profile`);
  await requireTwoStep("Everyone");
  await expect(message(page)).toContainText("Settings saved");
  await expect(page.getByText("Used by 1 of 2 members.")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${workspace.url}/admin/account`);
  await expect(page.getByText("Required for your role.")).toBeVisible();

  // A page that was open does nothing anymore, and neither does anything that is requested past the pages.
  await hers.getByLabel("First name").fill("Changed");
  await hers.getByRole("button", { name: "Save" }).click();
  const heading = hers.getByRole("heading", { name: "Set up two-step verification" });
  await expect(heading).toBeVisible();
  await expect(hers.getByText("Harbour Coffee requires two-step verification for your role.")).toBeVisible();
  await expectAccessible(hers);
  const names = await inWorkspace(workspace.id, (db) => db.member.findMany({ where: { id: grace.id } }));
  expect(names.map(({ firstName }) => firstName)).toEqual(["Grace"]);
  const { host } = new URL(workspace.url);
  const status = async (path: string, method = "GET", body?: string) => {
    const Cookie = await cookieOf(hers.context());
    const headers = { Cookie, Origin: workspace.url, Accept: "application/json", "Content-Type": "application/json" };
    return (await ask(host, path, { method, headers, body })).status;
  };
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect(await status(`/api/drafts/${unknown}`, "PUT", "{}")).toBe(401);
  expect(await status("/api/uploads?as=image", "POST", "{}")).toBe(401);
  expect(await status(`/admin/articles/${unknown}/checks`, "POST", "{}")).toBe(401);
  expect(await status("/admin/find?q=a")).toBe(401);
  for (const path of ["/admin", "/admin/articles", "/admin/account", "/admin/sign-in", "/", "/articles/any"]) {
    await hers.goto(workspace.url + path);
    await expect(heading, path).toBeVisible();
  }
  await hers.getByRole("button", { name: "Sign out" }).click();
  await expect(hers).toHaveURL(`${workspace.url}/admin/sign-in`);
  await hers.goto(`${workspace.url}/admin/articles`);
  await submitSignIn(hers, grace.email, password);
  await setUp(hers);
  await hers.getByRole("link", { name: "Continue" }).click();
  await expect(hers).toHaveURL(`${workspace.url}/admin`);
  expect(await status("/admin/find?q=a")).toBe(200);
  await hers.context().close();
});

test("an administrator turns it off for a member who lost their phone, and not for themselves", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { emailConfirmed: true } }));
  const grace = await withGrace(workspace);
  const hers = await (await browser.newContext()).newPage();
  await signInByForm(hers, workspace, grace.email);
  await hers.goto(`${workspace.url}/admin/two-step`);
  await setUp(hers);
  await hers.context().clearCookies();

  await signInByForm(page, workspace);
  await page.goto(`${workspace.url}/admin/members/${grace.id}`);
  await expect(page.getByText("Two-step verification is on.")).toBeVisible();
  await expectAccessible(page);
  const turnOff = page.getByRole("button", { name: "Turn off two-step verification" });
  await page.getByLabel("Your password").fill("not my password");
  await turnOff.click();
  await expect(page.getByText("Incorrect password.")).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await turnOff.click();
  await expect(message(page)).toContainText("Turned off two-step verification for Grace Hopper");
  await expect(page.getByText("Two-step verification is off.")).toBeVisible();
  const subjects = async () => (await mailsTo(grace.email)).map((mail) => mail.header("subject"));
  await expect.poll(subjects, { timeout: 15_000 }).toContain("Two-step verification for Harbour Coffee was reset");
  await page.goto(`${workspace.url}/admin/audit`);
  await expect(page.getByText("reset the two-step verification of")).toBeVisible();
  await signInByForm(hers, workspace, grace.email);
  await hers.context().close();

  await page.goto(`${workspace.url}/admin/two-step`);
  await setUp(page);
  await page.goto(`${workspace.url}/admin/members/${workspace.memberId}`);
  await expect(page.getByText("Two-step verification is on.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Turn off/ })).toHaveCount(0);
});

test("a key takes the password again a while after signing in", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grow = () =>
    inWorkspace(workspace.id, (db) =>
      db.session.updateMany({ data: { createdAt: new Date(Date.now() - 16 * 60_000) } }),
    );
  const keys = () => inWorkspace(workspace.id, (db) => db.apiKey.count({ where: { name: "Import" } }));
  await signInByForm(page, workspace);
  await page.goto(`${workspace.url}/admin/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("Import");
  await expect(page.getByLabel("Current password")).toHaveCount(0);
  await grow();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("You signed in a while ago.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Import");
  await page.getByLabel("Current password").fill("not the password");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Incorrect password.")).toBeVisible();
  expect(await keys()).toBe(0);
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("kb_").first()).toBeVisible();
  expect(await keys()).toBe(1);
});

test("webhooks and their secrets take the password again a while after signing in", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const webhooks = () => inWorkspace(workspace.id, (db) => db.webhookEndpoint.findMany({ select: { url: true } }));
  const secret = page.getByText(/^whsec_/).first();
  await signInByForm(page, workspace);
  await inWorkspace(workspace.id, (db) =>
    db.session.updateMany({ data: { createdAt: new Date(Date.now() - 16 * 60_000) } }),
  );
  /** Presses the button with a wrong password, and with the right one. */
  const confirm = async (name: string) => {
    await page.getByLabel("Current password").fill("not the password");
    await page.getByRole("button", { name }).click();
    await expect(page.getByText("Incorrect password.")).toBeVisible();
    await expect(secret).toHaveCount(0);
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name }).click();
  };
  await page.goto(`${workspace.url}/admin/webhooks/new`);
  await page.getByRole("textbox", { name: "URL" }).fill("https://hooks.invalid/in");
  await page.getByRole("checkbox", { name: /^article\.published/ }).check();
  await confirm("Add webhook");
  await expect(secret).toBeVisible();
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "URL" }).fill("https://thief.invalid/in");
  await confirm("Save");
  await expect.poll(webhooks).toEqual([{ url: "https://thief.invalid/in" }]);
  await page.getByRole("link", { name: "Rotate secret" }).click();
  await confirm("Rotate secret");
  await expect(secret).toBeVisible();
});
