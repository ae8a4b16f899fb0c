import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { personsBrowser, test } from "./kit";
import { publish, putCategory } from "./library";

test.use({ userAgent: personsBrowser });

const TEXT = `<h2>Before you start</h2><p>Read <a href="/articles/second">the second</a>.</p><h2>Steps</h2>
<pre><code class="language-js">const a = "&lt;b&gt;";</code></pre><table><tbody><tr><th>One</th></tr><tr><td>Two</td></tr></tbody></table>
<aside class="callout callout-note"><p>A note.</p></aside>`;

/** Returns the parts of a page to compare. Head elements are sorted because their order doesn't matter. */
function partsOf(
  page: Page,
  path: string,
): Promise<{ isNexts: boolean; links: string[]; html: string; head: string[]; body: string }> {
  return page.evaluate(async (path) => {
    const response = await fetch(path, { headers: { accept: "text/html" } });
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
  }, path);
}

for (const [language, visibility] of [
  ["en", "everyone"],
  ["ar", "everyone"],
  ["ja", "members"],
] as const) {
  test(`visitors get the same article page that Next renders (language ${language}, visible to ${visibility})`, async ({
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
    // Next renders the first article requested from each server.
    const other = await publish(workspace, open, { title: "Other" });
    await page.goto(other.url);
    for (const { url } of [first, second]) {
      const { pathname } = new URL(url);
      const own = await partsOf(page, pathname);
      // Next renders any URL with a query string.
      const next = await partsOf(page, `${pathname}?left=to-next`);
      expect([own.isNexts, next.isNexts]).toEqual([false, true]);
      expect({ ...own, isNexts: true }).toEqual(next);
      // Nothing of the article that Next rendered first.
      expect(own.links.filter((url) => !url.startsWith("/_next/"))).toEqual([]);
    }
  });
}
