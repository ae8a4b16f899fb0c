import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { startServer } from "@/testing/server";
import { ask, baseUrl, expectAccessible, type TestWorkspace, test } from "./kit";

async function publish(workspace: TestWorkspace, category: string, titles: string[]): Promise<void> {
  await inWorkspace(workspace.id, async (db) => {
    const { id: categoryId } = await db.category.create({ data: { name: category, slug: "guides", sequence: 1 } });
    for (const [index, title] of titles.entries()) {
      const { id } = await db.article.create({
        data: {
          permalink: `a-0000000${index}`,
          slug: `article-${index}`,
          categoryId,
          authorId: workspace.memberId,
          state: "published",
          title,
        },
      });
      await db.articleLive.create({
        data: { id, title, html: "", renderedHtml: "", text: "", excerpt: "", markdown: "" },
      });
    }
  });
}

test("two workspaces with look-alike names each show their own", async ({ page, aWorkspace }) => {
  const one = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const two = await aWorkspace({ name: "Harbour Coffee Two", subdomain: "harbour" });
  await publish(one, "Brewing", ["Grind", "Water"]);
  await publish(two, "Roasting", ["Drum"]);

  await page.goto(one.url);
  await expect(page).toHaveTitle("Harbour Coffee");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Coffee");
  const categories = page.getByRole("region", { name: "Categories" });
  await expect(categories.getByRole("link")).toHaveText(["Brewing"]);
  await expectAccessible(page);

  await page.goto(two.url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour Coffee Two");
  await expect(categories.getByRole("link")).toHaveText(["Roasting"]);
});

test("a workspace without articles says so, in its own language's frame", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Leeres Regal", subdomain: "regal" });
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { language: "de" } }));
  await page.goto(workspace.url);
  await expect(page.getByText("Noch keine Artikel")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expectAccessible(page);
});

test("an unknown subdomain is a 404 that shows what a URL looks like", async ({ page, aWorkspace }) => {
  const { url } = await aWorkspace({ name: "Taken", subdomain: "taken" });
  expect((await page.goto(url))?.status()).toBe(200);
  for (const path of ["/", "/admin", "/admin/sign-in", "/some/page"]) {
    const answer = await page.goto(url.replace("taken", "unknown") + path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No knowledge base here");
    await expect(page.getByText(baseUrl.replace("//", "//your-workspace."))).toBeVisible();
    await expect(page.getByLabel("Password")).toHaveCount(0);
  }
  await expectAccessible(page);
});

test("every host says where to report a vulnerability", async () => {
  const { host } = new URL(process.env.E2E_BASE_URL as string);
  for (const one of [host, `nobody.${host}`]) {
    const { status, headers, body } = await ask(one, "/.well-known/security.txt");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const [, expires = ""] = /^Contact: mailto:security@example\.com\nExpires: (\S+)\n/.exec(body) ?? [];
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect(days > 300 && days < 367).toBe(true);
  }
});

test("a host that is not of this installation is a 404 as well", async () => {
  const { status, body } = await ask("example.org", "/");
  expect(status).toBe(404);
  expect(body).toContain("No knowledge base here");
  expect((await ask("example.org", "/api/auth/session")).status).toBe(404);
});

test("the bare domain explains itself and names no workspace", async ({ page, aWorkspace }) => {
  const { name, subdomain } = await aWorkspace({ name: "Discreet Ltd", subdomain: "discreet" });
  expect((await page.goto(baseUrl))?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "A knowledge base for the questions you keep answering",
  );
  const html = await page.content();
  expect(html).toContain("your-workspace");
  expect(html).not.toContain(name);
  expect(html).not.toContain(subdomain);
  await expectAccessible(page);
});

test("a workspace's folder cannot be asked for directly, however the path is written", async ({ aWorkspace }) => {
  const one = await aWorkspace({ name: "Front Street", subdomain: "front" });
  const two = await aWorkspace({ name: "Back Street", subdomain: "back" });
  expect((await ask(new URL(two.url).host, "/")).body).toContain("Back Street");
  for (const host of [new URL(baseUrl).host, new URL(one.url).host, "example.org"]) {
    for (const folder of ["/sites/", "/%73ites/", "/./sites/", "/api/../sites/", "/_next/%2e%2e/sites/", "/sites%2f"]) {
      const { status, body } = await ask(host, folder + two.subdomain);
      expect(`${host} ${folder} ${status}`).toBe(`${host} ${folder} 404`);
      expect(body).not.toContain("Back Street");
    }
  }
});

test("an unknown page of a workspace is its own 404, also without scripts", async ({ browser, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Signpost", subdomain: "signpost" });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  expect((await page.goto(`${workspace.url}/articles/none`))?.status()).toBe(404);
  await expect(page).toHaveTitle("Page not found · Signpost");
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signpost");
  await context.close();
});

test("a refused request shows a person a page, and a program plain text", async ({ page, aWorkspace }) => {
  const { url } = await aWorkspace({ name: "Closed Counter", subdomain: "counter" });
  const heading = page.getByRole("heading", { level: 1 });
  expect((await page.goto(`${url}/search?q=${"a".repeat(9_000)}`))?.status()).toBe(414);
  await expect(heading).toHaveText("This URL is too long");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to the home page" }).click();
  await expect(heading).toHaveText("Closed Counter");
  expect((await page.goto(`${url}/articles/%FF`))?.status()).toBe(400);
  await expect(heading).toHaveText("This URL isn't valid");
  const { status, headers, body } = await ask(new URL(url).host, "/articles/%FF");
  expect([status, headers["content-type"]]).toEqual([400, "text/plain; charset=utf-8"]);
  expect(body).toMatch(/^The URL is not properly percent-encoded\./);

  // A form on another site.
  await page.goto("about:blank");
  await page.evaluate((action) => {
    const form = document.createElement("form");
    Object.assign(form, { action, method: "post" });
    document.body.append(form);
    form.submit();
  }, `${url}/admin/sign-in`);
  await expect(heading).toHaveText("Nothing was changed");
  await page.getByRole("link", { name: "Open the page again" }).click();
  await expect(page.getByLabel("Password")).toBeVisible();
});

test("pages carry the headers that keep them out of frames, and run no script but their own", async ({
  aWorkspace,
}) => {
  const { url } = await aWorkspace({ name: "Framed", subdomain: "framed" });
  const nonces = new Set<string>();
  for (const path of ["/", "/admin/sign-in", "/nothing", "/developers"]) {
    const { headers, body } = await ask(new URL(url).host, path);
    const policy = headers["content-security-policy"] as string;
    expect(policy).toContain("default-src 'self'; ");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1];
    if (nonce) nonces.add(nonce);
    const scripts = [...body.matchAll(/<script(?! type="application\/ld\+json")([^>]*)>([^]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    // A shared cached page has no nonce. Its own scripts come from this host, or the policy allows them by hash.
    const isOwn = ([, attributes = "", text = ""]: RegExpExecArray) =>
      nonce
        ? attributes.includes(`nonce="${nonce}"`)
        : / src="\/_(next|scripts)\//.test(attributes) ||
          policy.includes(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
    expect(scripts.filter((script) => !isOwn(script)).map(([whole]) => whole)).toEqual([]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
    expect(headers).not.toHaveProperty("x-powered-by");
  }
  // The home page and the reference are kept.
  expect(nonces.size).toBe(2);
});

test("a drawn picture keeps the policy of its own, which allows nothing", async ({ aWorkspace }) => {
  const { url, memberId } = await aWorkspace({ name: "Pictured", subdomain: "pictured" });
  const { status, headers } = await ask(new URL(url).host, `/avatars/${memberId}.svg`);
  expect(status).toBe(200);
  expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
});

test("on https, pages, files, the API and refusals have the headers that keep browsers on it", async ({
  aWorkspace,
}) => {
  const { subdomain } = await aWorkspace({ name: "Guarded", subdomain: "guarded" });
  // With one workspace, the base URL would redirect to it.
  await aWorkspace({ name: "Another", subdomain: "another" });
  const server = await startServer("front door", { BASE_URL: "https://kb.example", JOBS: "off", QUICKSTART: "" });
  try {
    const { port } = new URL(server.address);
    for (const [host, path, status] of [
      ["kb.example", "/", 200],
      ["kb.example", "/nothing", 404],
      ["nobody.kb.example", "/", 404],
      // Rendered, then kept.
      [`${subdomain}.kb.example`, "/", 200],
      [`${subdomain}.kb.example`, "/", 200],
      ["elsewhere.example", "/", 404],
      ["nobody.kb.example", "/api/external/v2/me", 404],
      ["kb.example", "/icon.svg", 200],
    ] as const) {
      const answer = await ask(host, path, { port });
      expect([host, path, answer.status, answer.headers]).toEqual([
        ...[host, path, status],
        expect.objectContaining({
          "strict-transport-security": "max-age=31536000",
          "cross-origin-opener-policy": "same-origin",
          "permissions-policy": expect.stringContaining("camera=()"),
        }),
      ]);
    }
    // Each line of the log is JSON, also those of the start.
    const lines = server.output.join("").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { msg?: string }).msg)).toContainEqual(
      expect.stringMatching(/^SMTP_URL is not set/),
    );
  } finally {
    await server.stop();
  }
});

test("a server with a HOST that is nobody's ends with what to do", async () => {
  await expect(startServer("front door", { HOST: "nobody.invalid", JOBS: "off", QUICKSTART: "" })).rejects.toThrow(
    /HOST is .{1,2}nobody\.invalid.{1,2}, which isn't an address of this machine\. Set one such as/,
  );
});

test("connections are kept for longer than proxies keep them", async () => {
  const { headers } = await ask(new URL(baseUrl).host, "/healthz", { headers: { Connection: "keep-alive" } });
  expect(headers["keep-alive"]).toBe("timeout=75");
});

test("a request whose head never ends is closed after seconds, and others are answered meanwhile", async () => {
  const { host, hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
  const closed = once(socket, "close");
  socket.resume().write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
  expect((await ask(host, "/healthz")).status).toBe(200);
  // Without a limit of ours, Node waits a minute.
  const late = AbortSignal.timeout(25_000);
  await Promise.race([closed, once(late, "abort")]);
  expect(late.aborted).toBe(false);
});

test("nothing resizes images for strangers", async ({ aWorkspace }) => {
  const { url } = await aWorkspace({ name: "Resized", subdomain: "resized" });
  for (const of of ["%2Ficon.svg", "http%3A%2F%2F127.0.0.1%2F"])
    expect((await ask(new URL(url).host, `/_next/image?url=${of}&w=64&q=75`)).status).toBe(404);
  expect((await ask(new URL(url).host, "/icon.svg")).status).toBe(200);
});
