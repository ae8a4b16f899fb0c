import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { ask, expectAccessible, openAccount, password, signIn, submitSignIn, test } from "./kit";

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
  await signIn(page, one);

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
  await signIn(page, workspace);
  await expect(page.getByRole("button", { name: /^Account: Ada Lovelace/ })).toBeVisible();
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { active: false } }));
  await page.reload();
  await expect(page).toHaveURL(`${workspace.url}/admin/sign-in`);
  await submitSignIn(page, workspace.email, password);
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
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
  for (const path of ["/admin/sign-in", "/api/auth/callback/credentials"]) {
    expect((await post(path, {})).status).toBe(403);
    expect((await post(path, { Origin: workspace.url.replace("harbour", "arbour") })).status).toBe(403);
    expect((await post(path, { Origin: "null" })).status).toBe(403);
    expect((await post(path, { Origin: workspace.url })).status).not.toBe(403);
  }
  // A URL that becomes a sign-in path only after normalization does not count as one.
  expect((await post("/api/external/../auth/signout", { Origin: workspace.url })).status).toBe(404);
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(0);
});

test("next-auth's own routes open and close the same sessions, and redirect only within the site", async ({
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const { host } = new URL(workspace.url);
  const jar = new Map<string, string>();
  const call = async (path: string, form?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await ask(host, path, {
      method: form ? "POST" : "GET",
      headers: { Cookie: cookie, Origin: workspace.url, "Content-Type": "application/x-www-form-urlencoded" },
      body: form && new URLSearchParams(form).toString(),
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) jar.set(String(name), value);
      else jar.delete(String(name));
      expect(line).not.toMatch(/domain=/i);
    }
    return answer;
  };
  const { csrfToken } = JSON.parse((await call("/api/auth/csrf")).body) as { csrfToken: string };
  // The server reads no more of a body than a sign-in needs.
  const long = await call("/api/auth/callback/credentials", { csrfToken, password: "x".repeat(70_000) });
  expect([long.status, JSON.parse(long.body)]).toEqual([
    413,
    { error: "The body is over 64 KiB. Send a smaller one." },
  ]);
  const headers = { Origin: workspace.url, "Content-Type": "application/json" };
  expect((await ask(host, "/api/auth/signout", { method: "POST", headers, body: "no JSON" })).status).toBe(400);
  const form = { csrfToken, email: workspace.email, callbackUrl: "https://example.org/" };

  const refused = await call("/api/auth/callback/credentials", { ...form, password: "wrong" });
  expect(refused.headers.location).toContain(`${workspace.url}/`);
  expect(jar.has("lectern-session")).toBe(false);

  const accepted = await call("/api/auth/callback/credentials", { ...form, password });
  expect(accepted.headers.location).toBe(workspace.url);
  expect((await call("/admin")).body).toContain("Ada Lovelace");
  expect(JSON.parse((await call("/api/auth/session")).body)).toMatchObject({
    user: { name: "Ada Lovelace", email: workspace.email },
  });
  const token = jar.get("lectern-session") as string;

  await call("/api/auth/signout", { csrfToken });
  expect(jar.has("lectern-session")).toBe(false);
  jar.set("lectern-session", token);
  expect((await call("/admin")).headers.location).toBe("/admin/sign-in");
  expect(JSON.parse((await call("/api/auth/session")).body)).toEqual({});
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(0);
});
