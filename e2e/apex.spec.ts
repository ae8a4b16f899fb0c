import { expect, type Page } from "playwright/test";
import { workspaceUrl } from "@/lib/http/host";
import { freePort, startServer } from "@/testing/server";
import { aDatabase } from "@/testing/workspace";
import { ask, baseUrl, complaintsOf, expectAccessible, mailsTo, password, test } from "./kit";

// Checks each page against axe's rules, in both themes, in the middle of a test.
test.setTimeout(120_000);

const host = new URL(baseUrl).host;
const unique = () => Math.random().toString(36).slice(2, 10);

async function fillIn(page: Page, values: { name: string; email: string; subdomain?: string }): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(values.name);
  if (values.subdomain !== undefined) await page.getByLabel("Subdomain").fill(values.subdomain);
  await page.getByLabel("First name").fill("Grace");
  await page.getByLabel("Last name").fill("Hopper");
  await page.getByLabel("Email").fill(values.email);
  await page.getByLabel("Password").fill(password);
}

test("what cannot be is said beside each field, while a subdomain is typed and after it was sent", async ({
  page,
  aWorkspace,
}) => {
  const { subdomain } = await aWorkspace({ name: "First", subdomain: "first" });
  const complaints = complaintsOf(page);
  await page.goto(`${baseUrl}/new`);
  await fillIn(page, { name: "Second", email: "grace@example.com", subdomain });
  const taken = page.getByText(`The subdomain ${subdomain} is taken. Choose another one.`);
  await expect(taken).toBeVisible();
  // An edited subdomain no longer follows the name.
  await page.getByLabel("Name", { exact: true }).fill("Second thoughts");
  await expect(page.getByLabel("Subdomain")).toHaveValue(subdomain);
  await page.getByLabel("Subdomain").fill("www");
  await expect(page.getByText("The subdomain www is reserved. Choose another one.")).toBeVisible();
  await page.getByLabel("Subdomain").fill("");
  await page.getByLabel("Name", { exact: true }).fill("Third");
  await expect(page.getByLabel("Subdomain")).toHaveValue("third");

  await page.getByLabel("Subdomain").fill(subdomain);
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Create knowledge base" }).click();
  await expect(page.getByText("Use at least 12 characters")).toBeVisible();
  // The error appears only once, although it also appeared while typing.
  await expect(taken).toHaveCount(1);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Third");
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test("without scripts it is made too, and a taken subdomain is said in the answer", async ({ browser, aWorkspace }) => {
  const { subdomain: taken } = await aWorkspace({ name: "First", subdomain: "first" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/new`);
  await fillIn(page, { name: "Plain", email: "grace@example.com", subdomain: taken });
  await page.getByRole("button", { name: "Create knowledge base" }).click();
  await expect(page.getByText(`The subdomain ${taken} is taken. Choose another one.`)).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Plain");
  const name = `Plain ${unique()}`;
  await fillIn(page, { name, email: "grace@example.com", subdomain: "" });
  await page.getByRole("button", { name: "Create knowledge base" }).click();
  const url = workspaceUrl(name.toLowerCase().replace(" ", "-"), baseUrl);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${url}/admin`);
  await context.close();
});

test("who creates a knowledge base is signed in, with the time zone of the browser", async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/new`);
  const name = `Zone ${unique()}`;
  await fillIn(page, { name, email: "grace@example.com" });
  await page.getByRole("button", { name: "Create knowledge base" }).click();
  const url = workspaceUrl(name.toLowerCase().replace(" ", "-"), baseUrl);
  await expect(page).toHaveURL(`${url}/admin`);
  await page.goto(`${url}/admin/settings`);
  await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
  await context.close();
});

test("find yours mails a member's workspaces to the address, and says the same of a stranger's", async ({
  page,
  aWorkspace,
}) => {
  // The kit uses one email in many workspaces.
  const workspace = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const complaints = complaintsOf(page);
  await page.goto(baseUrl);
  await page.getByRole("link", { name: "Find my knowledge base" }).click();
  await expectAccessible(page);
  const said: string[] = [];
  const stranger = `nobody-${unique()}@example.com`;
  for (const address of [stranger, workspace.email]) {
    await page.getByLabel("Email").fill(address);
    await page.getByRole("button", { name: "Send email" }).click();
    await expect(page.getByRole("status").filter({ hasText: address })).toBeVisible();
    said.push((await page.getByRole("status").filter({ hasText: address }).innerText()).replace(address, "…"));
  }
  expect(said[0]).toBe(said[1]);
  await expectAccessible(page);
  await expect
    .poll(async () => (await mailsTo(workspace.email)).filter((mail) => mail.text.includes(`${workspace.url}/admin`)))
    .toHaveLength(1);
  expect(await mailsTo(stranger)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("one email gets at most three lists an hour, no matter who asks", async ({ page }) => {
  await page.goto(`${baseUrl}/find`);
  const address = `often-${unique()}@example.com`;
  for (let time = 1; time <= 3; time++) {
    await page.getByLabel("Email").fill(address);
    await page.getByRole("button", { name: "Send email" }).click();
    await expect(page.getByRole("status").filter({ hasText: address })).toBeVisible();
    await page.reload();
  }
  await page.getByLabel("Email").fill(address);
  await page.getByRole("button", { name: "Send email" }).click();
  await expect(page.getByText("Already sent several times.")).toBeVisible();
});

test("the bare domain has its pages and no others, with the headers of all pages", async () => {
  for (const path of ["/", "/new", "/find", "/nothing"]) {
    const { status, headers } = await ask(host, path);
    const policy = String(headers["content-security-policy"]);
    expect([path, status]).toEqual([path, path === "/nothing" ? 404 : 200]);
    expect(policy).toContain("default-src 'self'; script-src 'nonce-");
    // A form that creates a workspace redirects to it. No other form redirects to another host.
    expect(/form-action ([^;]*)/.exec(policy)?.[1]).toBe(path === "/new" ? `'self' http://*.${host}` : "'self'");
  }
  const posted = { method: "POST", headers: { Origin: "http://elsewhere.example" } };
  for (const path of ["/new", "/find"]) expect((await ask(host, path, posted)).status).toBe(403);
  // At a workspace's host, these paths belong to that workspace, which has no such pages.
  expect((await ask(`nobody.${host}`, "/new")).status).toBe(404);
});

test("where making workspaces is switched off, the bare domain leads to the only one, and to none of several", async ({
  page,
}) => {
  const { url, connect, drop } = await aDatabase(process.env.DATABASE_URL as string);
  const owner = await connect();
  const { address, stop } = await startServer("front door", {
    DATABASE_URL: url,
    WORKSPACE_CREATION: "off",
    QUICKSTART: "",
  });
  const base = address.replace("127.0.0.1", "localhost");
  try {
    const found = async () => {
      const { status, headers } = await fetch(base, { redirect: "manual" });
      return [status, headers.get("location")];
    };
    const insert = (subdomain: string) =>
      owner.query("INSERT INTO workspaces (name, subdomain) VALUES ($1, $1)", [subdomain]);
    expect(await found()).toEqual([200, null]);
    await insert("only");
    expect(await found()).toEqual([307, "http://only.localhost:3000"]);
    await insert("another");
    expect(await found()).toEqual([200, null]);

    await page.goto(base);
    await expect(page.getByRole("link", { name: "Find my knowledge base" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Create a knowledge base" })).toHaveCount(0);
    await expectAccessible(page);
    for (const path of ["/new", "/new/subdomain?of=free"]) expect((await page.goto(base + path))?.status()).toBe(404);
    expect((await page.goto(`${base}/find`))?.status()).toBe(200);
  } finally {
    await stop();
    await drop();
  }
});

test("the creator of a workspace confirms their email before inviting others, if mail is sent", async ({ page }) => {
  const { url, drop } = await aDatabase(process.env.DATABASE_URL as string);
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const { stop } = await startServer("front door", {
    DATABASE_URL: url,
    PORT: String(port),
    BASE_URL: base,
    WORKSPACE_CREATION: "on",
    // Nothing listens there, so mails wait.
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "lectern@example.com",
  });
  try {
    await page.goto(`${base}/new`);
    await fillIn(page, { name: "Win at https://evil.example", subdomain: "evil", email: "victim@example.com" });
    await page.getByRole("button", { name: "Create knowledge base" }).click();
    await expect(page.getByText("A name can't contain a URL or an @.")).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill("Docs");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create knowledge base" }).click();
    await expect(page.getByRole("link", { name: "Invite your team" })).toBeVisible();
    await page.getByRole("link", { name: "Invite your team" }).click();
    await expect(page.getByText("Confirm your email first.")).toBeVisible();
    await expect(page.getByLabel("Emails")).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send link to victim@example.com" }).click();
    await expect(page.getByText("Link sent to victim@example.com")).toBeVisible();
  } finally {
    await stop();
    await drop();
  }
});
