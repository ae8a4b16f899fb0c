import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import AxeBuilder from "@axe-core/playwright";
import { encode } from "next-auth/jwt";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "playwright/test";
import { closeConnections, inWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { hashPassword } from "@/lib/members/passwords";
import { authSecret } from "@/lib/secrets";
import { hostCookie, SESSION_COOKIE } from "@/lib/session/cookie";
import { createWorkspace } from "@/lib/workspaces/workspaces";
import { openDatabase } from "@/server/postgres";
import { type ReadMail, readMail } from "@/testing/mail";

export const baseUrl = process.env.E2E_BASE_URL as string;
/** The server would count a headless browser as a crawler. */
export const personsBrowser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const password = "four quiet harbor words";
export const actor = { kind: "system", id: null, name: "Browser tests" } as const;

/** A workspace of the running server with one administrator, who signs in with `email` and `password`. */
export interface TestWorkspace {
  id: string;
  name: string;
  subdomain: string;
  url: string;
  email: string;
  memberId: string;
  /** The same member, as testing/workspace.ts expects the author of articles. */
  admin: { id: string };
}

interface WorkerFixtures {
  /** Creates a workspace. Its subdomain begins with this one. */
  aWorkspace: (input: { name: string; subdomain: string }) => Promise<TestWorkspace>;
}

export const test = base.extend<object, WorkerFixtures>({
  aWorkspace: [
    // Playwright reads the required fixtures from the pattern. This fixture needs none.
    async ({}, use) => {
      const database = await openDatabase({
        databaseUrl: process.env.DATABASE_URL,
        dataDir: process.env.E2E_DATA_DIR ?? "",
      });
      process.env.DATABASE_URL = database.url;
      delete process.env.DATABASE_DIRECT_URL;
      // The server's folder for uploads.
      if (process.env.E2E_DATA_DIR) process.env.DATA_DIR = process.env.E2E_DATA_DIR;
      await use(makeWorkspace);
      await closeConnections();
      await database.release();
    },
    // Also runs for tests that don't use it, because it opens the database of the environment.
    { scope: "worker", auto: true },
  ],
});

async function makeWorkspace({ name, subdomain }: { name: string; subdomain: string }): Promise<TestWorkspace> {
  const email = "ada@example.com";
  const { administrator: admin, ...workspace } = await createWorkspace(
    {
      name,
      subdomain: `${subdomain}-${randomBytes(4).toString("hex")}`,
      administrator: { email, firstName: "Ada", lastName: "Lovelace", passwordHash: await hashPassword(password) },
    },
    actor,
  );
  return { ...workspace, url: workspaceUrl(workspace.subdomain, baseUrl), email, memberId: admin.id, admin };
}

/** Fills the sign-in form that the page shows and sends it. */
export async function submitSignIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

type Door = Pick<TestWorkspace, "id" | "url" | "email">;

/** Signs a member in with the form, as a person does. The page then shows the admin home page. */
export async function signInByForm(page: Page, workspace: Door, email = workspace.email): Promise<void> {
  await page.goto(`${workspace.url}/admin/sign-in`);
  await submitSignIn(page, email, password);
  await expect(page).toHaveURL(`${workspace.url}/admin`);
}

/** Signs a member in without the form, because the form takes a second. The page stays as it is. */
export async function signIn(page: Page, workspace: Door, email = workspace.email): Promise<void> {
  const [name, value] = await sessionOf(workspace, email);
  await page.context().addCookies([{ name, value, url: workspace.url, httpOnly: true, sameSite: "Lax" }]);
}

/**
 * Starts a session in the database. Unlike the form, it asks for no code, writes no audit entry, and does not remember the browser.
 * @returns the name and value of its cookie
 */
async function sessionOf(workspace: Door, email: string): Promise<[name: string, value: string]> {
  const session = await inWorkspace(workspace.id, async (db) => {
    const [started] = await db.$queryRaw<{ id: string }[]>`
      INSERT INTO sessions (member_id, authenticated_at, expires_at)
      SELECT id, now(), now() + interval '1 day' FROM members WHERE email_folded = lower(${email}) AND active
      RETURNING id::text`;
    return started?.id;
  });
  if (!session) throw new Error(`The workspace has no active member with the email ${email}.`);
  const { name } = hostCookie(SESSION_COOKIE, baseUrl);
  return [name, await encode({ token: { session, workspace: workspace.id }, secret: authSecret() })];
}

/** Signs a member in, in a separate browser context. Its page is still blank. */
export async function signedIn(
  browser: Browser,
  workspace: Door,
  { email, ...options }: BrowserContextOptions & { email?: string } = {},
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await signIn(page, workspace, email);
  return page;
}

/** The header in which a browser sends its cookies. */
export async function cookieOf(context: BrowserContext): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** The cookie header of a member who has just signed in, for requests without a browser. */
export async function cookieOfMember(workspace: Door, email = workspace.email): Promise<string> {
  return (await sessionOf(workspace, email)).join("=");
}

/** The mails to an email, the oldest first. Without a mail server, mails are files. */
export async function mailsTo(address: string): Promise<ReadMail[]> {
  const folder = join(process.env.DATA_DIR ?? "", "mail");
  const names = await readdir(folder).catch(() => []);
  const theirs = names.filter((name) => name.endsWith(`_${address}.eml`)).sort();
  return Promise.all(theirs.map(async (name) => readMail(await readFile(join(folder, name)))));
}

/** The first URL in a mail with this prefix. */
export const linkIn = (mail: ReadMail | undefined, start = "http") =>
  mail?.text.split(/\s/).find((word) => word.startsWith(start)) ?? "";

/** Waits for this many mails to an email with a URL of this prefix, and returns that URL of the last mail. */
export async function linkMailedTo(address: string, { start = "http", count = 1 } = {}): Promise<string> {
  const links = async () => (await mailsTo(address)).map((mail) => linkIn(mail, start)).filter(Boolean);
  await expect.poll(async () => (await links()).length, { timeout: 15_000 }).toBe(count);
  return (await links()).at(-1) ?? "";
}

/** Chooses the best match for these words in a combobox. */
export async function choose(page: Page, label: string, words: string): Promise<void> {
  // Before the page's scripts run, a select has the label.
  await page
    .locator("input[role=combobox]")
    .and(page.getByLabel(label, { exact: true }))
    .fill(words);
  // Native selects have options too.
  await page.locator("[role=option]").first().click();
}

/** Opens the menu with the member's own pages. */
export async function openAccount(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account: / }).click();
}

/** The message area of member pages. */
export const message = (page: Page) => page.getByRole("region", { name: "Message" });

/** The number of pixels by which a page is wider than its window. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Crashes the process that shows a page: none of its scripts run anymore, and it sends nothing. */
export async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => null);
  await crashed;
  await page.close();
}

/**
 * Lets a page's requests to a URL arrive, but loses the answers.
 * @param address may contain * as a wildcard
 * @returns a function that ends it
 */
export async function loseAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  session.on("Fetch.requestPaused", ({ requestId }) => {
    session.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" }).catch(() => null);
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: address, requestStage: "Response" }] });
  return () => session.detach();
}

/** The axe rules that depend on color. The other rules need only one theme. */
export const rulesOfColors = ["color-contrast", "link-in-text-block"];

/** Checks the page against axe's rules, in both color schemes. @param except a selector for repeated elements to skip */
export async function expectAccessible(page: Page, except?: string): Promise<void> {
  // While the browser goes from page to page there is none.
  await expect(page).toHaveTitle(/./);
  for (const colorScheme of ["light", "dark"] as const) {
    // Without motion, because colors in transition between themes have the contrast of neither.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The second check runs the axe that the first one put into the page.
    const axeSource = colorScheme === "light" ? undefined : "undefined";
    // Without an extra blank page per check, which only frames of other origins would need.
    const axe = new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ["violations"] });
    if (except) axe.exclude(except);
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(rulesOfColors)).analyze();
    expect(
      violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map((node) => node.html).join(" ")}`),
    ).toEqual([]);
  }
}

/** Every problem that the browser reports while the page is used: policy violations and script errors. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Some tests provoke refusals, which the browser logs by status.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

/** A unique local IP address for this test, for limits by network. Only Linux has several without setup. */
export function ownAddress(): string | undefined {
  return process.platform === "linux"
    ? `127.${[...randomBytes(3)].map((byte) => 1 + (byte % 254)).join(".")}`
    : undefined;
}

/** A request that a browser would not send: any Host, any path, any headers. */
export function ask(
  host: string,
  path: string,
  {
    method = "GET",
    headers = {},
    body = "",
    port = new URL(baseUrl).port,
    localAddress,
  }: {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Uint8Array;
    port?: string | number;
    localAddress?: string;
  } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method, localAddress, headers: { ...headers, Host: host } },
      (response) => {
        const { statusCode = 0, headers: answered } = response;
        text(response).then((said) => resolve({ status: statusCode, headers: answered, body: said }), reject);
      },
    );
    request.once("error", reject);
    request.end(body);
  });
}
