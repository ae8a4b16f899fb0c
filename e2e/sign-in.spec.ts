import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { ask, expectAccessible, openAccount, password, signInByForm, submitSignIn, test } from "./kit";

test("a member signs in after a wrong password, and out again", async ({ page, context, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const sessions = () => inWorkspace(workspace.id, (db) => db.session.count());

  await page.goto(`${workspace.url}/admin`);
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  await expectAccessible(page);

  await submitSignIn(page, workspace.email, "wrong");
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(workspace.email);
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("Password")).toBeFocused();
  await expectAccessible(page);
  expect(await sessions()).toBe(0);

  await submitSignIn(page, workspace.email.toUpperCase(), password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await expect(page.getByRole("button", { name: /^Account: Ada Lovelace/ })).toBeVisible();
  await expect(page.getByText("Admin", { exact: true })).toBeVisible();
  await expectAccessible(page);
  expect(await sessions()).toBe(1);
  const [cookie] = (await context.cookies()).filter(({ name }) => name === "lectern-session");
  expect(cookie).toMatchObject({ domain: new URL(workspace.url).hostname, httpOnly: true, sameSite: "Lax", path: "/" });

  await page.goto(`${workspace.url}/admin/sign-in`);
  await expect(page).toHaveURL(`${workspace.url}/admin`);

  await openAccount(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  expect(await sessions()).toBe(0);
  // An earlier copy of the cookie no longer works either.
  await context.addCookies([cookie as NonNullable<typeof cookie>]);
  await page.goto(`${workspace.url}/admin`);
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
});

test("everything works without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${workspace.url}/admin`);
  await submitSignIn(page, workspace.email, "wrong");
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  await expect(page.getByRole("alert")).toContainText("Incorrect email or password");
  await expect(page.getByLabel("Email")).toHaveValue(workspace.email);
  await submitSignIn(page, workspace.email, password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
  await expect(page.getByRole("button", { name: /^Account: Ada Lovelace/ })).toBeVisible();
  await openAccount(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  await context.close();
});

test("a session of one workspace is none at another's, even for a member of both", async ({
  page,
  context,
  aWorkspace,
}) => {
  const one = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const two = await aWorkspace({ name: "Harbour Coffee Two", subdomain: "harbour" });
  await signInByForm(page, one);

  await page.goto(`${two.url}/admin`);
  await expect(page).toHaveURL(`${two.url}/admin/sign-in`);
  const [cookie] = (await context.cookies()).filter(({ name }) => name === "lectern-session");
  await context.addCookies([{ ...(cookie as NonNullable<typeof cookie>), domain: new URL(two.url).hostname }]);
  const sent = page.waitForRequest(`${two.url}/admin`);
  await page.goto(`${two.url}/admin`);
  expect(await (await sent).headerValue("cookie")).toContain(cookie?.value);
  await expect(page).toHaveURL(`${two.url}/admin/sign-in`);

  await page.goto(`${one.url}/admin`);
  await expect(page.getByRole("button", { name: /^Account: Ada Lovelace/ })).toBeVisible();
});

test("deactivation ends a session on the next request, and refuses the next sign-in", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  await signInByForm(page, workspace);
  await expect(page.getByRole("button", { name: /^Account: Ada Lovelace/ })).toBeVisible();
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { active: false } }));
  await page.reload();
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  await submitSignIn(page, workspace.email, password);
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
});

test("a session that expired, or was not used for two weeks, signs nobody in", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);
  const shows = async (session: { lastSeenAt: Date; expiresAt: Date }) => {
    await inWorkspace(workspace.id, (db) => db.session.updateMany({ data: session }));
    await page.goto(`${workspace.url}/admin`);
    return new URL(page.url()).pathname;
  };
  await signInByForm(page, workspace);
  expect(await shows({ lastSeenAt: daysFromNow(-13), expiresAt: daysFromNow(1) })).toBe("/admin");
  expect(await shows({ lastSeenAt: daysFromNow(-15), expiresAt: daysFromNow(1) })).toBe("/admin/sign-in");
  expect(await shows({ lastSeenAt: daysFromNow(0), expiresAt: daysFromNow(-1) })).toBe("/admin/sign-in");
  expect(await shows({ lastSeenAt: daysFromNow(0), expiresAt: daysFromNow(1) })).toBe("/admin");
});

test("a form sent from another site, or from nowhere, changes nothing", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { host } = new URL(workspace.url);
  const post = (path: string, headers: Record<string, string>) =>
    ask(host, path, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({ email: workspace.email, password }).toString(),
    });
  const path = "/admin/sign-in";
  expect((await post(path, {})).status).toBe(403);
  expect((await post(path, { Origin: workspace.url.replace("harbour", "arbour") })).status).toBe(403);
  expect((await post(path, { Origin: "null" })).status).toBe(403);
  expect((await post(path, { Origin: workspace.url })).status).not.toBe(403);
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(0);
});

test("a new sign-in ends the browser's previous session, and next-auth has no routes of its own", async ({
  page,
  context,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { host } = new URL(workspace.url);
  for (const path of ["session", "csrf", "callback/credentials"])
    expect((await ask(host, `/api/auth/${path}`)).status).toBe(404);
  const second = await context.newPage();
  await second.goto(`${workspace.url}/admin/sign-in`);
  await signInByForm(page, workspace);
  const former = (await context.cookies()).find(({ name }) => name === "lectern-session")?.value;
  const admin = () => ask(host, "/admin", { headers: { Cookie: `lectern-session=${former}` } });
  expect((await admin()).status).toBe(200);
  await submitSignIn(second, workspace.email, password);
  await expect(second).toHaveURL(`${workspace.url}/admin`);
  expect((await admin()).headers.location).toBe("/admin/sign-in");
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(1);
});
