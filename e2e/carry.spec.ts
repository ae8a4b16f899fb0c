import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, type Page } from "playwright/test";
import { ZipFile } from "yazl";
import {
  ask,
  baseUrl,
  complaintsOf,
  cookieOf,
  expectAccessible,
  ownAddress,
  signedIn,
  type TestWorkspace,
  test,
} from "./kit";

// An administrator exports and imports archives.

async function aZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text, "latin1"), path);
  zip.end();
  return buffer(zip.outputStream);
}

const handbook = {
  "guides/_category.yml": "name: Guides\n",
  "guides/setup.md": "# Set up\n\nSee [the form](form.txt) and [nothing](gone.md).\n",
  "guides/form.txt": "A form.\n",
};

/** Incompressible, so the archive exceeds what the framework reads of a body behind the middleware. */
const large = randomBytes(12_000_000).toString("latin1");

/** Uploads a zip, and waits until the server has checked it. */
async function check(page: Page, zip: Buffer): Promise<void> {
  await page.getByLabel("Zip file").setInputFiles({ name: "handbook.zip", mimeType: "application/zip", buffer: zip });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Review handbook.zip" })).toBeVisible({ timeout: 30_000 });
}

test("a zip is looked at, imported, exported, and gives the same in another workspace", async ({
  browser,
  aWorkspace,
}) => {
  test.setTimeout(120_000);
  const [from, to] = [
    await aWorkspace({ name: "From", subdomain: "from" }),
    await aWorkspace({ name: "To", subdomain: "to" }),
  ];
  const page = await signedIn(browser, from);
  const complaints = complaintsOf(page);
  await page.goto(`${from.url}/admin/import`);
  await expectAccessible(page);
  await check(page, await aZip({ ...handbook, "guides/large.bin": large }));
  await expect(page.getByText("guides/setup.md:3: Broken link: gone.md")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("heading", { name: "handbook.zip: Done" })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await page.goto(`${from.url}/articles/set-up`);
  await expect(page.getByRole("link", { name: "the form" })).toHaveAttribute("href", /^\/uploads\//);

  const exported = async (workspace: TestWorkspace, by: Page) => {
    await by.goto(`${workspace.url}/admin/export`);
    await by.getByRole("button", { name: "Create export" }).click();
    const link = by.getByRole("link", { name: /^Download/ });
    await expect(link).toBeVisible({ timeout: 30_000 });
    const [download] = await Promise.all([by.waitForEvent("download"), link.click()]);
    return { bytes: await readFile(await download.path()), path: (await link.getAttribute("href")) ?? "" };
  };
  await page.goto(`${from.url}/admin/export`);
  await expectAccessible(page);
  const first = await exported(from, page);
  await expectAccessible(page);

  const theirs = await signedIn(browser, to);
  await theirs.goto(`${to.url}/admin/import`);
  await check(theirs, first.bytes);
  await theirs.getByRole("button", { name: "Import", exact: true }).click();
  await expect(theirs.getByRole("heading", { name: "handbook.zip: Done" })).toBeVisible({ timeout: 30_000 });
  expect((await exported(to, theirs)).bytes.equals(first.bytes)).toBe(true);

  // Members of another workspace and signed-out visitors do not get it.
  expect(await theirs.evaluate(async (path) => (await fetch(path)).status, first.path)).toBe(404);
  expect((await ask(new URL(from.url).host, first.path)).headers.location).toContain("/admin/sign-in");
  expect(complaints).toEqual([]);
});

test("without scripts a zip is imported too, and what is none is refused with what to do", async ({
  browser,
  aWorkspace,
}) => {
  test.setTimeout(120_000);
  const workspace = await aWorkspace({ name: "Plain", subdomain: "plain" });
  const page = await signedIn(browser, workspace, { javaScriptEnabled: false });
  await page.goto(`${workspace.url}/admin/import`);
  await page
    .getByLabel("Zip file")
    .setInputFiles({ name: "x.zip", mimeType: "application/zip", buffer: Buffer.from("no zip") });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("Not a zip file")).toBeVisible();
  await page
    .getByLabel("Zip file")
    .setInputFiles({ name: "handbook.zip", mimeType: "application/zip", buffer: await aZip(handbook) });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(async () => {
    const again = page.getByRole("link", { name: "Refresh" });
    if (await again.isVisible()) await again.click();
    await expect(page.getByRole("heading", { name: "Review handbook.zip" })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Import canceled")).toBeVisible();
});

test("an upload is taken from the import's own page alone, and of its members", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Closed", subdomain: "closed" });
  const page = await signedIn(browser, workspace);
  const session = { Cookie: await cookieOf(page.context()) };
  const send = (headers: Record<string, string>) =>
    ask(new URL(workspace.url).host, "/api/imports", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x", ...headers },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\x03\x04\r\n--x--\r\n',
    });
  const another = await aWorkspace({ name: "Another", subdomain: "another" });
  for (const Origin of [another.url, baseUrl, "https://example.com", "null"]) {
    expect((await send({ ...session, Origin })).status).toBe(403);
  }
  expect((await send(session)).status).toBe(403);
  expect((await send({ Origin: workspace.url })).headers.location).toBe("/admin/sign-in");
  await page.goto(`${workspace.url}/admin/import`);
  await expect(page.getByText("a.zip")).toBeHidden();

  // The same request with the page's own Origin succeeds.
  const taken = await send({ ...session, Origin: workspace.url });
  expect([taken.status, taken.headers.location]).toEqual([303, "/admin/import"]);
  await page.reload();
  await expect(page.getByText("a.zip").first()).toBeVisible();
});

test("only so many archives upload together, and those that are too large are not read", async ({
  browser,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Many", subdomain: "many" });
  const page = await signedIn(browser, workspace);
  const host = new URL(workspace.url).host;
  const headers = {
    Cookie: await cookieOf(page.context()),
    Origin: workspace.url,
    "Content-Type": "multipart/form-data; boundary=x",
  };
  const localAddress = ownAddress();
  const begin = (more: Record<string, string>) => {
    const { port } = new URL(baseUrl);
    const request = httpRequest({
      ...{ host: "127.0.0.1", port, path: "/api/imports", method: "POST", localAddress },
      headers: { ...headers, ...more, Host: host },
    });
    const answered = new Promise<string | undefined>((resolve) => {
      request.on("response", (response) => {
        response.resume();
        resolve(response.headers.location);
      });
      request.on("error", () => resolve(undefined));
    });
    request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\x03\x04');
    return { request, answered };
  };
  // The server answers from the announced size, before most of the body arrives.
  const huge = begin({ "Content-Length": "1000000000" });
  expect(await huge.answered).toBe("/admin/import?refused=too_long");
  huge.request.destroy();

  const started = Array.from({ length: 4 }, () => begin({ "Transfer-Encoding": "chunked" }));
  const refused = async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nno zip\r\n--x--\r\n';
    return (await ask(host, "/api/imports", { method: "POST", headers, body, localAddress })).headers.location;
  };
  await expect
    .poll(async () => {
      const said = await refused();
      // The check itself may have taken a slot.
      if (!said?.endsWith("busy")) started.push(begin({ "Transfer-Encoding": "chunked" }));
      return said;
    })
    .toBe("/admin/import?refused=busy");
  for (const { request } of started) request.destroy();
  await expect.poll(refused).toBe("/admin/import?refused=invalid");
  await page.goto(`${workspace.url}/admin/import?refused=busy`);
  await expect(page.getByText("Too many uploads right now")).toBeVisible();
});
