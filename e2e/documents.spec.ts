import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { personsBrowser, test } from "./kit";
import { publish, putArticle, putCategory } from "./library";

test.use({ userAgent: personsBrowser });

const TEXT = `<h2>Before you start</h2><p>Read <a href="/articles/second">the second</a>.</p><h2>Steps</h2>
<pre><code class="language-js">const a = "&lt;b&gt;";</code></pre><table><tbody><tr><th>One</th></tr><tr><td>Two</td></tr></tbody></table>
<aside class="callout callout-note"><p>A note.</p></aside>`;

/** Returns the parts of a page to compare. Head elements are sorted because their order doesn't matter. */
function partsOf(
  page: Page,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ isNexts: boolean; links: string[]; html: string; head: string[]; body: string }> {
  return page.evaluate(
    async ([path, headers]) => {
      const response = await fetch(path, { headers: { ...headers, accept: "text/html" } });
      const source = await response.text();
      // Next separates adjacent text nodes with comments.
      const parsed = new DOMParser().parseFromString(source.replace(/<!--.*?-->/g, ""), "text/html");
      const outlet = parsed.querySelector("body > div[hidden]");
      outlet?.remove();
      for (const element of parsed.querySelectorAll("[nonce]")) element.removeAttribute("nonce");
      return {
        isNexts: outlet !== null,
        links: [...(response.headers.get("link") ?? "").matchAll(/<([^>]*)>/g)].map(([, url = ""]) => url).sort(),
        html: (parsed.documentElement.cloneNode(false) as Element).outerHTML,
        head: [...parsed.head.children].map((element) => element.outerHTML).sort(),
        body: parsed.body.outerHTML,
      };
    },
    [path, headers] as const,
  );
}

for (const [language, visibility] of [
  ["en", "everyone"],
  ["ar", "everyone"],
  ["ja", "members"],
] as const) {
  test(`visitors get the same pages that Next renders (language ${language}, visible to ${visibility})`, async ({
    page,
    aWorkspace,
  }) => {
    const workspace = await aWorkspace({ name: "Harbor & Sons", subdomain: `own-${language}` });
    await inWorkspace(workspace.id, (db) =>
      db.workspace.updateMany({
        data: {
          ...{ language, visibility, accentColor: "#225588", contact: "help@harbor.example" },
          headerLinks: [{ label: "Shop", url: "https://shop.example/" }],
        },
      }),
    );
    const open = await putCategory(workspace, "Guides", { visibility: "everyone" });
    const inner = await putCategory(workspace, "Install", { parentId: open });
    const first = await publish(workspace, inner, {
      title: "First <steps> & “more”",
      html: TEXT,
      metaDescription: 'All about "first" steps.',
      tags: ["Linux", "Windows"],
    });
    const second = await publish(workspace, inner, { title: "Second", html: "<p>Short.</p>" });
    const many = await putCategory(workspace, "Many", { visibility: "everyone", description: "More than a page." });
    // Two pages of a category are compared once.
    const parts = language === "en" ? 101 : 1;
    for (let number = 1; number <= parts; number++) {
      await putArticle(workspace, many, { title: `Part ${number}`, slug: `part-${number}`, sequence: number });
    }
    await inWorkspace(workspace.id, (db) =>
      db.article.updateMany({ where: { id: second.id }, data: { uniqueViewsCount: 1 } }),
    );
    // Next renders the first page requested from each server, and it is kept.
    await publish(workspace, await putCategory(workspace, "Other", { visibility: "everyone" }), { title: "Other" });
    await page.goto(`${workspace.url}/categories/other`);
    const paths = [first, second].map(({ url }) => new URL(url).pathname);
    const lists = ["/categories/guides", "/categories/install", "/categories/many"];
    // The home page first, because visits to articles change it.
    for (const path of ["/", ...lists, ...(parts > 1 ? ["/categories/many?page=2"] : []), ...paths]) {
      const own = await partsOf(page, path);
      // Next answers requests for a part.
      const next = await partsOf(page, path, { range: "bytes=0-" });
      expect([path, own.isNexts, next.isNexts]).toEqual([path, false, true]);
      expect(await partsOf(page, `${path}${path.includes("?") ? "&" : "?"}ref=mail`)).toEqual(own);
      expect({ ...own, isNexts: true }).toEqual(next);
      // No links from the page that Next rendered first.
      expect(own.links.filter((url) => !url.startsWith("/_next/"))).toEqual([]);
    }
  });
}

test("pages that visitors can't see, and pages that don't exist, are left to Next", async ({ page, aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Closed", subdomain: "own-closed" });
  const open = await putCategory(workspace, "Guides", { visibility: "everyone" });
  const article = await publish(workspace, open, { title: "First" });
  const hidden = await putCategory(workspace, "Hidden", { visibility: "members" });
  const secret = await publish(workspace, hidden, { title: "Secret" });
  for (const url of [workspace.url, article.url]) await page.goto(url);
  const statusOf = (path: string) => page.evaluate(async (path) => (await fetch(path)).status, path);
  expect(await statusOf("/categories/guides")).toBe(200);
  expect(await statusOf("/categories/hidden")).toBe(404);
  expect(await statusOf(new URL(secret.url).pathname)).toBe(404);
  for (const number of ["0", "2", "9999"]) expect(await statusOf(`/categories/guides?page=${number}`)).toBe(404);
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
  // "Guides" is for everyone, so there is still something to see.
  expect(await statusOf("/")).toBe(200);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: open }, data: { visibility: "members" } }),
  );
  for (const path of ["/", "/categories/guides"]) {
    await page.goto(workspace.url + path);
    expect(new URL(page.url()).pathname).toBe("/admin/sign-in");
  }
});
