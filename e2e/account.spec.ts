import { createHash } from "node:crypto";
import { Client } from "pg";
import { type BrowserContext, expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { hashPassword } from "@/lib/members/passwords";
import {
  actor,
  ask,
  complaintsOf,
  cookieOf,
  expectAccessible,
  linkIn,
  linkMailedTo,
  mailsTo,
  message,
  openAccount,
  password,
  personsBrowser,
  signInByForm,
  submitSignIn,
  type TestWorkspace,
  test,
} from "./kit";

// Checks each page against axe's rules, in both themes, in the middle of a test.
test.setTimeout(120_000);

/** Every member has a different email across all workspaces, so that their mails differ. */
async function aMember(workspace: TestWorkspace, person: { name: string; password?: string }) {
  const email = `${person.name}-${workspace.subdomain}@example.com`;
  const passwordHash = person.password && (await hashPassword(person.password));
  const { id } = await inWorkspace(workspace.id, (db) =>
    createMember(db, { email, firstName: "Grace", lastName: "Hopper", role: "Editor", passwordHash }, actor),
  );
  return { id, email };
}

/** Records nine earlier attempts, so that the wait outlasts the slowest test. */
async function makeMuchTried(workspace: TestWorkspace, address: string): Promise<void> {
  const by = JSON.stringify(["account and network", workspace.id, address, "127.0.0.1"]);
  const owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  const { rowCount } = await owner.query("UPDATE tries SET failures = 9 WHERE key = $1", [
    createHash("sha256").update(by).digest("base64url"),
  ]);
  await owner.end();
  expect(rowCount).toBe(1);
}

const sessions = (workspace: TestWorkspace) => inWorkspace(workspace.id, (db) => db.session.count());

async function askForMail(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
}

test("a link in a mail signs in, once, and leads to where the person wanted to go", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await aMember(workspace, { name: "grace" });
  const complaints = complaintsOf(page);
  await page.goto(`${workspace.url}/admin/profile`);
  // Without an email, the button asks for one. With an email, it sends the link.
  await page.getByRole("button", { name: "Email me a sign-in link" }).click();
  await expect(page.getByRole("heading", { name: "Email me a sign-in link" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Email").fill("nobody");
  await page.getByLabel("Email").evaluate((field: HTMLInputElement) => (field.type = "text"));
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText("Enter a valid email, such as name@example.com.")).toBeVisible();
  await askForMail(page, grace.email.toUpperCase());
  await expectAccessible(page);

  const link = await linkMailedTo(grace.email);
  // Link scanners must not use up the link.
  const { host, pathname, search } = new URL(link);
  for (let look = 0; look < 2; look++) expect((await ask(host, pathname + search)).body).toContain(grace.email);
  expect(await sessions(workspace)).toBe(0);
  await page.goto(link);
  await expect(page.getByText(`You're signing in as ${grace.email}`)).toBeVisible();
  await expectAccessible(page);
  const second = await (await browser.newContext()).newPage();
  await second.goto(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/profile`);
  expect(await sessions(workspace)).toBe(1);
  const started = await inWorkspace(workspace.id, (db) =>
    db.auditEntry.findMany({ where: { action: "session.started" } }),
  );
  expect(started).toMatchObject([{ actorName: grace.email, ip: "127.0.0.1", details: { by: "link" } }]);

  await second.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(second.getByText("This link has expired or was already used")).toBeVisible();
  await second.goto(link);
  await expect(second.getByText("Request a new one.")).toBeVisible();
  await expectAccessible(second);
  await second.context().close();
  expect(await sessions(workspace)).toBe(1);
  expect(complaints).toEqual([]);
});

test("who is no member is told the same, gets no mail, and nobody is sent too many", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await aMember(workspace, { name: "grace" });
  const nobody = `nobody-${workspace.subdomain}@example.com`;
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const said: string[][] = [[], []];
  for (const [index, address] of [nobody, grace.email].entries()) {
    for (let count = 0; count < 5; count++) {
      await page.goto(`${workspace.url}/admin/sign-in/link`);
      await page.getByLabel("Email").fill(address);
      const loaded = page.waitForEvent("load");
      await page.getByRole("button", { name: "Send link" }).click();
      await loaded;
      const answer = `${page.url()} ${await page.getByRole("main").innerText()}`.replace(/\d+ minutes/, "");
      said[index]?.push(answer.replaceAll(address, "…").replaceAll(encodeURIComponent(address), "…"));
    }
  }
  expect(said[0]).toEqual(said[1]);
  expect(said[0]?.slice(3)).toEqual([
    expect.stringContaining("Check your email"),
    expect.stringContaining("Too many emails requested"),
  ]);
  // Only the latest link is valid.
  await page.goto(await linkMailedTo(grace.email, { count: 4 }));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await page.goto(linkIn((await mailsTo(grace.email))[0]));
  await expect(page.getByText("This link has expired or was already used")).toBeVisible();
  expect(await mailsTo(nobody)).toEqual([]);
  await context.close();
});

test("a forgotten password is reset by mail, ends all other sessions, and is confirmed by mail", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await aMember(workspace, { name: "grace", password });
  const complaints = complaintsOf(page);
  const elsewhere = await (await browser.newContext()).newPage();
  await signInByForm(elsewhere, workspace, grace.email);

  await page.goto(`${workspace.url}/admin/sign-in`);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await expectAccessible(page);
  await askForMail(page, grace.email);
  await expectAccessible(page);
  const link = await linkMailedTo(grace.email);
  await page.goto(link);
  await expectAccessible(page);
  const set = async (secret: string) => {
    await page.getByLabel("New password").fill(secret);
    await page.getByRole("button", { name: "Set password" }).click();
  };
  await set("short");
  await expect(page.getByText("Use at least 12 characters")).toBeVisible();
  await set("harbour coffee 1");
  await expect(page.getByText("easy to guess")).toBeVisible();
  await expectAccessible(page);
  await set("a new one of four words");
  await expect(page).toHaveURL(`${workspace.url}/admin/account`);
  await expect(message(page)).toContainText("Password changed");
  await expect(page.getByRole("table", { name: "Sessions" }).getByText("This device")).toBeVisible();
  expect(await sessions(workspace)).toBe(1);
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(`${workspace.url}/admin/sign-in`);
  await submitSignIn(elsewhere, grace.email, password);
  await expect(elsewhere.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
  await submitSignIn(elsewhere, grace.email, "a new one of four words");
  await expect(elsewhere).toHaveURL(`${workspace.url}/admin`);

  await linkMailedTo(grace.email, { count: 2 });
  expect((await mailsTo(grace.email)).at(-1)?.header("subject")).toBe("Your password for Harbour Coffee was changed");
  await page.goto(link);
  await expect(page.getByText("This link has expired or was already used")).toBeVisible();
  await elsewhere.context().close();
  expect(complaints).toEqual([]);
});

test("sessions are listed, one is ended, all others are, and all are", async ({ page, browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  const others: Page[] = [];
  for (const userAgent of [personsBrowser, "curl/8", "x"]) {
    const other = await (await browser.newContext({ userAgent })).newPage();
    await signInByForm(other, workspace);
    others.push(other);
  }
  await signInByForm(page, workspace);
  await openAccount(page);
  await page.getByRole("link", { name: "Password and sessions" }).click();
  const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.filter({ hasText: "This device" })).toContainText("127.0.0.1");
  await expectAccessible(page);

  // The server updates the last visit only occasionally, after the answer.
  const longAgo = new Date(Date.now() - 86_400_000);
  await inWorkspace(workspace.id, (db) => db.session.updateMany({ data: { lastSeenAt: longAgo } }));
  await page.reload();
  await expect
    .poll(() => inWorkspace(workspace.id, (db) => db.session.count({ where: { lastSeenAt: { gt: longAgo } } })))
    .toBe(1);
  await page.reload();
  await expect(rows.filter({ hasText: "Firefox on Linux" })).toContainText("yesterday");

  await rows.filter({ hasText: "Firefox on Linux" }).getByRole("button").click();
  await expect(message(page)).toContainText("Device signed out");
  await expect(rows).toHaveCount(4);
  const [firefox, curl, last] = others as [Page, Page, Page];
  await firefox.reload();
  await expect(firefox).toHaveURL(`${workspace.url}/admin/sign-in`);
  await curl.reload();
  await expect(curl).toHaveURL(`${workspace.url}/admin`);

  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(message(page)).toContainText("Signed out on 2 other devices");
  await expect(rows).toHaveCount(2);
  await last.reload();
  await expect(last).toHaveURL(`${workspace.url}/admin/sign-in`);

  await signInByForm(last, workspace);
  await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
  await expect(page.getByText("You're signed out everywhere.")).toBeVisible();
  await expectAccessible(page);
  await last.reload();
  await expect(last).toHaveURL(`${workspace.url}/admin/sign-in`);
  expect(await sessions(workspace)).toBe(0);
  for (const other of others) await other.context().close();
  expect(complaints).toEqual([]);
});

test("a password is changed by who knows the present one, and set by mail by who has none", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await aMember(workspace, { name: "grace" });
  const complaints = complaintsOf(page);
  await page.goto(`${workspace.url}/admin/sign-in/link`);
  await askForMail(page, grace.email);
  await page.goto(await linkMailedTo(grace.email));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await page.goto(`${workspace.url}/admin/account`);
  const ways = page.getByRole("region", { name: "Password", exact: true });
  await ways.getByRole("button", { name: "Email me a link" }).click();
  await expect(message(page)).toContainText("Check your email");
  await expectAccessible(page);
  await page.goto(await linkMailedTo(grace.email, { count: 2 }));
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(message(page)).toContainText("Password changed");

  const change = async (present: string, next: string) => {
    await ways.getByLabel("Current password").fill(present);
    await ways.getByLabel("New password").fill(next);
    await ways.getByRole("button", { name: "Change password" }).click();
  };
  await change("not my password", "another of four words");
  await expect(ways.getByText("Incorrect password.")).toBeVisible();
  await expectAccessible(page);
  await change(password, "short");
  await expect(ways.getByText("Use at least 12 characters")).toBeVisible();
  await change(password, "another of four words");
  await expect(message(page)).toContainText("Password changed");
  expect(await sessions(workspace)).toBe(1);
  expect(complaints).toEqual([]);
});

test("an address is changed by a link that is sent there, in the browser of who is signed in", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await aMember(workspace, { name: "grace", password });
  const newEmail = `hopper-${workspace.subdomain}@example.com`;
  const complaints = complaintsOf(page);
  await signInByForm(page, workspace, grace.email);
  await page.goto(`${workspace.url}/admin/account`);
  const part = page.getByRole("region", { name: "Email" });
  const change = async (email: string, present: string) => {
    await part.getByLabel("New email").fill(email);
    await part.getByLabel("Current password").fill(present);
    await part.getByRole("button", { name: "Change email" }).click();
  };
  await change(newEmail, "not my password");
  await expect(part.getByText("Incorrect password.")).toBeVisible();
  await expect(part.getByLabel("New email")).toHaveValue(newEmail);
  await change(workspace.email, password);
  await expect(part.getByText("Another member of this workspace has this")).toBeVisible();
  await change(newEmail, password);
  await expect(message(page)).toContainText("Confirmation sent");
  await expect(part.getByText(`Open the link we sent to ${newEmail}`)).toBeVisible();

  const link = await linkMailedTo(newEmail);
  expect((await mailsTo(newEmail))[0]?.text).not.toContain(grace.email);
  // A stranger who got the mail by mistake cannot use the link, and neither can another member.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger).toHaveURL(/\/admin\/sign-in\?to=/);
  await submitSignIn(stranger, workspace.email, password);
  await expect(stranger.getByRole("heading", { name: "Invalid link" })).toBeVisible();
  await expectAccessible(stranger);
  await stranger.context().close();

  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Email changed")).toBeVisible();
  await submitSignIn(page, newEmail, password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await linkMailedTo(newEmail, { count: 2 });
  await expect
    .poll(async () => (await mailsTo(grace.email)).map(({ header }) => header("subject")), { timeout: 15_000 })
    .toEqual(["New sign-in to Harbour Coffee", "Your email for Harbour Coffee was changed"]);
  // The browser is known by now.
  expect((await mailsTo(newEmail)).map(({ header }) => header("subject"))).not.toContain(
    "New sign-in to Harbour Coffee",
  );
  expect(complaints).toEqual([]);
});

test("tries in vain cost time, in any browser but the person's own, and the link in a mail costs none", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const grace = await aMember(workspace, { name: "grace", password });
  await signInByForm(page, workspace, grace.email);
  await openAccount(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(`${workspace.url}/admin/sign-in`);
  const said = async (address: string) => {
    const answers: string[] = [];
    for (let count = 0; count < 6; count++) {
      if (count === 4) await makeMuchTried(workspace, address);
      const answered = stranger.waitForResponse((response) => response.request().method() === "POST");
      await submitSignIn(stranger, address, count === 5 ? password : "wrong");
      await answered;
      await expect(stranger.getByLabel("Password")).toHaveValue("");
      answers.push(await stranger.getByRole("alert").filter({ hasText: /\S/ }).first().innerText());
    }
    return answers;
  };
  const refused = await said(grace.email);
  expect(refused.slice(0, 4)).toEqual(Array(4).fill(expect.stringMatching(/^Incorrect email or password\.$/)));
  expect(refused[4]).toMatch(/^Incorrect email or password\. Try again in \d+ seconds\.$/);
  // The server does not even check the right password now.
  expect(refused[5]).toMatch(/^Too many attempts\. Try again in \d+ seconds, or email yourself a sign-in link\.$/);
  await expectAccessible(stranger);
  const bare = (lines: string[]) => lines.map((line) => line.replace(/\d+ seconds/, ""));
  expect(bare(await said(`nobody-${workspace.subdomain}@example.com`))).toEqual(bare(refused));
  expect(await sessions(workspace)).toBe(0);

  await submitSignIn(page, grace.email, password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await stranger.getByLabel("Email").fill(grace.email);
  await stranger.getByRole("button", { name: "Email me a sign-in link" }).click();
  await expect(stranger.getByText(`If ${grace.email} belongs to a member`)).toBeVisible();
  await stranger.goto(await linkMailedTo(grace.email));
  await stranger.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(stranger).toHaveURL(`${workspace.url}/admin`);
  await stranger.context().close();
});

test("signing in leads to where the person wanted to go, and to no other host", async ({
  page,
  context,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const signOut = (context: BrowserContext) => context.clearCookies();
  for (const [to, path] of [
    ["/admin/keys?page=1", "/admin/keys?page=1"],
    ["//evil.example/", "/admin"],
    ["/\\evil.example/", "/admin"],
    ["/\t/evil.example/", "/admin"],
    ["https://evil.example/", "/admin"],
    ["/admin/sign-in/link", "/admin"],
  ]) {
    await page.goto(`${workspace.url}/admin/sign-in?${new URLSearchParams({ to: to ?? "" })}`);
    await submitSignIn(page, workspace.email, password);
    await expect(page).toHaveURL(workspace.url + path);
    // This also applies to signed-in members.
    await page.goto(`${workspace.url}/admin/sign-in?${new URLSearchParams({ to: to ?? "" })}`);
    await expect(page).toHaveURL(workspace.url + path);
    await signOut(context);
  }
  // The server trusts the URL in the form as little as the page's own.
  await page.goto(`${workspace.url}/admin/sign-in?to=%2Fadmin%2Fprofile`);
  await page.locator("input[name=to]").evaluate((field: HTMLInputElement) => (field.value = "//evil.example"));
  await submitSignIn(page, workspace.email, password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await signOut(context);
  await page.goto(`${workspace.url}/admin/keys/new?from=x`);
  await submitSignIn(page, workspace.email, password);
  await expect(page).toHaveURL(`${workspace.url}/admin/keys/new?from=x`);
});

test("no action is answered that comes from elsewhere or from nowhere, whatever it says of its host", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const other = await aWorkspace({ name: "Other", subdomain: "other" });
  await signInByForm(page, workspace);
  const cookie = await cookieOf(page.context());
  await page.goto(`${workspace.url}/admin/account`);
  const action = page.waitForRequest((request) => request.method() === "POST");
  const { host } = new URL(workspace.url);
  // Captured before it is sent.
  await page.route("**/admin/account", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
  const sent = await action;
  const send = async (headers: Record<string, string>) => {
    const own = { ...(await sent.allHeaders()) };
    for (const name of Object.keys(own)) if (/^(:|host$|origin$|content-length$|cookie$)/.test(name)) delete own[name];
    return (
      await ask(host, "/admin/account", {
        method: "POST",
        headers: { ...own, Cookie: cookie, ...headers },
        body: sent.postData() ?? "",
      })
    ).status;
  };
  const foreign = new URL(other.url).host;
  for (const headers of [
    {},
    { Origin: "null" },
    { Origin: other.url },
    { Origin: `${workspace.url}.evil.example` },
    { Origin: other.url, "X-Forwarded-Host": foreign },
    { Origin: other.url, "X-Forwarded-Host": foreign, Forwarded: `host=${foreign}` },
    { "X-Forwarded-Host": foreign },
    { Referer: `${workspace.url}/admin/account` },
    { Origin: workspace.url.replace("http:", "https:"), "X-Forwarded-Proto": "https" },
  ] as Record<string, string>[]) {
    expect([headers, await send(headers)]).toEqual([headers, 403]);
  }
  expect(await sessions(workspace)).toBe(1);
  expect(await send({ Origin: workspace.url })).toBeLessThan(400);
  expect(await sessions(workspace)).toBe(0);
});
