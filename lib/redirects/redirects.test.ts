import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { type InvalidError, NotFoundError } from "@/lib/errors";
import { formerAddress } from "@/lib/reader/former-address";
import { ownParts } from "@/lib/redirects/addresses";
import {
  addRedirect,
  changeRedirect,
  listRedirects,
  possibleTargets,
  type RequestedTarget,
  removeRedirect,
  restoreRedirect,
} from "@/lib/redirects/redirects";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

const homeOf = ({ subdomain }: TestWorkspace) => `https://${subdomain}.example.com`;
const address = (text: string): RequestedTarget => ({ kind: "address", address: text });
const gone: RequestedTarget = { kind: "gone" };

const add = (workspace: TestWorkspace, from: string, to: RequestedTarget | string) =>
  inWorkspace(workspace.id, (db) =>
    addRedirect(db, { from, to: typeof to === "string" ? address(to) : to }, homeOf(workspace), workspace.actor),
  );
const change = (workspace: TestWorkspace, id: string, to: RequestedTarget | string) =>
  inWorkspace(workspace.id, (db) =>
    changeRedirect(db, id, typeof to === "string" ? address(to) : to, homeOf(workspace), workspace.actor),
  );
const remove = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => removeRedirect(db, id, workspace.actor));
const restore = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => restoreRedirect(db, id, homeOf(workspace), workspace.actor));
const list = (
  { id }: TestWorkspace,
  filter: Partial<Parameters<typeof listRedirects>[1]> = {},
): ReturnType<typeof listRedirects> =>
  readWorkspace(id, (read) => listRedirects(read, { limit: 100, offset: 0, ...filter }));
/** Where readers are led. */
const ask = (workspace: TestWorkspace, path: string, viewer: Viewer = "anyone") =>
  readAs(workspace, viewer, (snapshot) => formerAddress(snapshot, path));
const audit = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) =>
    read(
      `SELECT action, subject_name AS of, details->>'leads_to' AS "leadsTo" FROM audit_entries
       WHERE subject_kind = 'redirect' ORDER BY created_at, id`,
    ),
  );
/** Which field an input is refused for, and in which words. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "It was not refused.",
    (error: InvalidError) => error.fields.map(({ field, message }) => `${field}: ${message}`).join(),
  );

async function aShelf() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides", slug: "guides" });
  const article = await anArticle(workspace, { category, title: "Install it", slug: "install" });
  return { workspace, category, article };
}

describe("a redirect by hand", () => {
  it("leads readers to an article, a category, another page or another site, as soon as it is made", async () => {
    const { workspace, category, article } = await aShelf();
    await add(workspace, "/help/install", { kind: "article", id: article.id });
    await add(workspace, "/help", { kind: "category", id: category.id });
    await add(workspace, "/find", "/search?q=a#b");
    await add(workspace, "/shop", "https://shop.example/a b");
    await add(workspace, "/retired", gone);
    expect(await ask(workspace, "/help/install")).toEqual({ moved: "/articles/install" });
    expect(await ask(workspace, "/help")).toEqual({ moved: "/categories/guides" });
    expect(await ask(workspace, "/find")).toEqual({ moved: "/search?q=a#b" });
    expect(await ask(workspace, "/shop")).toEqual({ moved: "https://shop.example/a%20b" });
    expect(await ask(workspace, "/retired")).toBe("gone");
    expect(await audit(workspace)).toEqual([
      { action: "redirect.created", of: "/help/install", leadsTo: "/articles/install" },
      { action: "redirect.created", of: "/help", leadsTo: "/categories/guides" },
      { action: "redirect.created", of: "/find", leadsTo: "/search?q=a#b" },
      { action: "redirect.created", of: "/shop", leadsTo: "https://shop.example/a%20b" },
      { action: "redirect.created", of: "/retired", leadsTo: "gone" },
    ]);
  });

  it("that says a page was removed says so to everybody, though some categories are for members", async () => {
    const { workspace, category } = await aShelf();
    const secret = await aCategory(workspace, { name: "Secret", slug: "secret" });
    await anArticle(workspace, { category: secret, title: "Plan", slug: "plan" });
    const see = (id: string, visibility: string) =>
      inWorkspace(workspace.id, (db) => db.category.updateMany({ where: { id }, data: { visibility } }));
    await see(secret.id, "members");
    await add(workspace, "/help/gone", gone);
    expect(await ask(workspace, "/help/gone")).toBe("gone");
    // A redirect to a place in a hidden article stays visible to those who could read it.
    const { id } = await add(workspace, "/help/plan", "/articles/plan#part");
    await change(workspace, id, gone);
    expect([await ask(workspace, "/help/plan"), await ask(workspace, "/help/plan", "member")]).toEqual([null, "gone"]);
    // A workspace for its members says nothing to others.
    await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
    await see(category.id, "everyone");
    expect([await ask(workspace, "/help/gone"), await ask(workspace, "/help/gone", "member")]).toEqual([null, "gone"]);
  });

  it("follows what it leads to when that is renamed, however its address was given", async () => {
    const { workspace, category, article } = await aShelf();
    const permalink = await inWorkspace(
      workspace.id,
      async (db) => (await db.article.findFirstOrThrow({ where: { id: article.id } })).permalink,
    );
    await add(workspace, "/one", "/articles/install");
    await add(workspace, "/two", `${homeOf(workspace)}/articles/install/`);
    await add(workspace, "/three", `/articles/${permalink}`);
    await add(workspace, "/four", "/categories/guides");
    await anArticle(workspace, { id: article.id, category, title: "Install it", slug: "set-up" });
    await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { slug: "how-to" } }));
    for (const path of ["/one", "/two", "/three"]) {
      expect([path, await ask(workspace, path)]).toEqual([path, { moved: "/articles/set-up" }]);
    }
    expect(await ask(workspace, "/four")).toEqual({ moved: "/categories/how-to" });
  });

  it("to another old address leads to where that one does, and never in a circle", async () => {
    const { workspace, category, article } = await aShelf();
    await add(workspace, "/a", { kind: "article", id: article.id });
    const b = await add(workspace, "/b", "/a");
    const c = await add(workspace, "/c", "/b");
    expect([b.target.kind, c.target.kind]).toEqual(["article", "article"]);
    expect(await refusal(add(workspace, "/d", "/d"))).toBe(
      "to: A URL can't redirect to itself. Choose another destination.",
    );
    expect(await refusal(change(workspace, b.id, `${homeOf(workspace)}/b`))).toContain("can't redirect to itself");
    // Another program wrote these without the noun.
    await inWorkspace(workspace.id, (db) =>
      db.redirect.createMany({
        data: [
          { fromPath: "/egg", kind: "url", url: "/hen" },
          { fromPath: "/hen", kind: "url", url: "/egg" },
        ],
      }),
    );
    expect(await refusal(add(workspace, "/nest", "/egg"))).toMatch(/^to: \/egg redirects back to the old URL/);
    const place = await add(workspace, "/place", "/articles/install#part");
    expect(place.target).toEqual({ kind: "url", url: "/articles/install#part" });
    await add(workspace, "/lost", gone);
    expect(await refusal(add(workspace, "/found", "/lost"))).toMatch(/^to: \/lost was deleted/);
    expect(category.slug).toBe("guides");
  });

  it("is kept by the path that readers ask for", async () => {
    const { workspace } = await aShelf();
    const kept = async (from: string) => (await add(workspace, from, gone)).fromPath;
    expect(await kept(" /help/x/ ")).toBe("/help/x");
    expect(await kept(`${homeOf(workspace)}/hc/en-us/articles/360`)).toBe("/hc/en-us/articles/360");
    expect(await kept("/%C3%BCber uns")).toBe("/über uns");
    expect(await kept("/a/../b")).toBe("/b");
    expect(await ask(workspace, "/über uns")).toBe("gone");
  });

  it("is refused where there is no such address, and where a page or a redirect is", async () => {
    const { workspace, category } = await aShelf();
    const draft = await anArticle(workspace, { category, title: "Plan", slug: "plan", state: "draft" });
    await add(workspace, "/old", gone);
    const from = (text: string) => refusal(add(workspace, text, gone));
    expect(await from("")).toBe("from: Enter the old path, such as /help/billing.");
    expect(await from("help")).toBe("from: The old path must begin with a slash, as in /help/billing.");
    expect(await from("//evil.example/x")).toMatch(/begin with a slash/);
    expect(await from("https://other.example/x")).toMatch(/^from: This URL is on another site/);
    expect(await from("/x?id=5")).toMatch(/^from: Leave out the query/);
    expect(await from("/x#part")).toMatch(/^from: Leave out/);
    expect(await from("/%E0%A4%A")).toMatch(/^from: This URL is not valid/);
    expect(await from("/articles/x.md")).toMatch(/^from: Leave out \.md/);
    expect(await from(`/${"x".repeat(500)}`)).toBe("from: An old path can have up to 500 characters.");
    for (const own of ["/", "/search", "/admin/keys", "/categories", "/api/x", "/articles/install/feedback"]) {
      expect(await from(own)).toMatch(/ is a page of the knowledge base/);
    }
    expect(await from("/articles/install")).toBe(
      "from: The article “Install it” has this URL. Existing pages can't be redirected.",
    );
    expect(await from(`/articles/${draft.slug}`)).toMatch(/article “Plan”/);
    expect(await from("/categories/guides")).toMatch(/category “Guides”/);
    expect(await from("/old/")).toBe("from: /old already has a redirect. Edit that redirect instead.");
    expect((await list(workspace)).total).toBe(1);
  });

  it("never leads to a page that readers can't find, or to another site without https", async () => {
    const { workspace, category } = await aShelf();
    const other = await aShelf();
    const draft = await anArticle(workspace, { category, title: "Plan", slug: "plan", state: "draft" });
    const to = (text: RequestedTarget | string) => refusal(add(workspace, "/old", text));
    expect(await to("")).toBe("to: Enter a destination.");
    expect(await to("/nothing")).toMatch(/^to: There is nothing at \/nothing/);
    expect(await to("/articles/plan")).toBe(
      "to: “Plan” is not published, so readers would find nothing. Publish it first.",
    );
    expect(await to({ kind: "article", id: draft.id })).toMatch(/is not published/);
    for (const id of [other.article.id, "x"])
      expect(await to({ kind: "article", id })).toMatch(/destination was deleted/);
    for (const id of [other.category.id, "x"])
      expect(await to({ kind: "category", id })).toMatch(/destination was deleted/);
    for (const url of ["http://shop.example", "javascript:alert(1)", "data:text/html,x"]) {
      expect([url, await to(url)]).toEqual([url, "to: A URL on another site must begin with https://."]);
    }
    expect(await to("https://me:secret@shop.example")).toMatch(/^to: Remove the name and password/);
    for (const url of ["//evil.example", "/\\evil.example", "/.//evil.example", "/\t/evil.example", "https://"]) {
      expect([url, await to(url)]).toEqual([url, expect.stringMatching(/^to: /)]);
    }
    expect((await list(workspace)).total).toBe(0);
  });

  it("is added by only one of several concurrent requests", async () => {
    const { workspace } = await aShelf();
    const second = whileOpen(
      workspace.id,
      (db) => addRedirect(db, { from: "/x", to: gone }, homeOf(workspace), workspace.actor),
      () => add(workspace, "/x", gone),
    );
    expect(await refusal(second)).toMatch(/^from: \/x already has a redirect/);
  });

  it("can be changed from a deleted page to a target, and from a target to a deleted page", async () => {
    const { workspace, article } = await aShelf();
    const secret = await aCategory(workspace, { name: "Secret", slug: "secret" });
    const hidden = await anArticle(workspace, { category: secret, title: "Plan", slug: "plan" });
    await inWorkspace(workspace.id, (db) =>
      db.category.updateMany({ where: { id: secret.id }, data: { visibility: "members" } }),
    );
    const lost = await add(workspace, "/lost", gone);
    await change(workspace, lost.id, { kind: "article", id: article.id });
    expect(await ask(workspace, "/lost")).toEqual({ moved: "/articles/install" });
    await change(workspace, lost.id, gone);
    expect(await ask(workspace, "/lost")).toBe("gone");
    const closed = await add(workspace, "/closed", { kind: "article", id: hidden.id });
    await change(workspace, closed.id, gone);
    expect([await ask(workspace, "/closed"), await ask(workspace, "/closed", "member")]).toEqual([null, "gone"]);
    // Nothing of it is new.
    await change(workspace, lost.id, gone);
    expect(await audit(workspace)).toEqual([
      { action: "redirect.created", of: "/lost", leadsTo: "gone" },
      { action: "redirect.updated", of: "/lost", leadsTo: "gone → /articles/install" },
      { action: "redirect.updated", of: "/lost", leadsTo: "/articles/install → gone" },
      { action: "redirect.created", of: "/closed", leadsTo: "/articles/plan" },
      { action: "redirect.updated", of: "/closed", leadsTo: "/articles/plan → gone" },
    ]);
  });

  it("is removed and brought back as it was, unless something else has its address by now", async () => {
    const { workspace, category, article } = await aShelf();
    for (const to of [address("/search?q=a"), { kind: "article", id: article.id } as const, gone]) {
      const made = await add(workspace, "/old #1?", to).catch(() => add(workspace, "/old%20%231%3F", to));
      const before = await ask(workspace, made.fromPath);
      expect((await remove(workspace, made.id)).fromPath).toBe(made.fromPath);
      expect(await ask(workspace, made.fromPath)).toBeNull();
      const back = await restore(workspace, made.id);
      expect(back).toEqual(made);
      expect(await ask(workspace, made.fromPath)).toEqual(before);
      await expect(restore(workspace, made.id)).rejects.toThrow(NotFoundError);
      await remove(workspace, back.id);
    }
    const guide = await add(workspace, "/articles/soon", gone);
    await remove(workspace, guide.id);
    await anArticle(workspace, { category, title: "Soon", slug: "soon" });
    expect(await refusal(restore(workspace, guide.id))).toMatch(/article “Soon”/);
    await expect(remove(workspace, guide.id)).rejects.toThrow(NotFoundError);
    const other = await aWorkspace();
    await expect(restore(other, guide.id)).rejects.toThrow(NotFoundError);
  });
});

describe("the list of redirects", () => {
  it("tells those by hand from those that something left, the newest first", async () => {
    const { workspace, category, article } = await aShelf();
    await add(workspace, "/help", { kind: "article", id: article.id });
    await anArticle(workspace, { id: article.id, category, title: "Install it", slug: "set-up" });
    const paths = ({ redirects }: Awaited<ReturnType<typeof list>>) => redirects.map(({ fromPath }) => fromPath);
    expect((await list(workspace)).redirects.map(({ fromPath, byHand }) => [fromPath, byHand])).toEqual([
      ["/articles/install", false],
      ["/help", true],
    ]);
    expect(paths(await list(workspace, { byHand: true }))).toEqual(["/help"]);
    expect(paths(await list(workspace, { byHand: false }))).toEqual(["/articles/install"]);
    // A manual redirect becomes automatic when the article later leaves the same URL.
    await anArticle(workspace, { id: article.id, category, title: "Install it", slug: "install" });
    expect(paths(await list(workspace, { byHand: false }))).toEqual(["/articles/set-up"]);
  });

  it("is searched by address and title, and filtered by what is led to", async () => {
    const { workspace, category, article } = await aShelf();
    await add(workspace, "/one", { kind: "article", id: article.id });
    await add(workspace, "/two", { kind: "category", id: category.id });
    await add(workspace, "/three", "https://shop.example/100%25");
    await add(workspace, "/four", gone);
    const soon = await anArticle(workspace, { category, title: "Soon", slug: "soon" });
    await add(workspace, "/five", { kind: "article", id: soon.id });
    await anArticle(workspace, { id: soon.id, category, title: "Soon", slug: "soon", state: "draft" });
    const found = async (asked: Parameters<typeof list>[1]) => {
      const { redirects, total } = await list(workspace, asked);
      return [...redirects.map(({ fromPath }) => fromPath).sort(), total];
    };
    expect(await found({ search: "INSTALL IT" })).toEqual(["/one", 1]);
    expect(await found({ search: "guides" })).toEqual(["/two", 1]);
    expect(await found({ search: "100%" })).toEqual(["/three", 1]);
    expect(await found({ search: "/f" })).toEqual(["/five", "/four", 2]);
    expect(await found({ kind: "url" })).toEqual(["/three", 1]);
    expect(await found({ kind: "gone" })).toEqual(["/four", 1]);
    expect(await found({ kind: "article" })).toEqual(["/five", "/one", 2]);
    expect(await found({ kind: "nowhere" })).toEqual(["/five", 1]);
    expect(await found({ limit: 2, offset: 4 })).toEqual([expect.any(String), 5]);
    expect((await list(await aWorkspace())).total).toBe(0);
  });
});

it("what a redirect can lead to is found by words: what is published, and categories", async () => {
  const { workspace, category } = await aShelf();
  await anArticle(workspace, { category, title: "Install later", slug: "later", state: "draft" });
  const found = (text: string) => readWorkspace(workspace.id, (read) => possibleTargets(read, workspace.id, text));
  expect((await found("install")).map(({ kind, address }) => [kind, address])).toEqual([
    ["article", "/articles/install"],
  ]);
  expect(await found("GUIDE")).toContainEqual({
    ...{ kind: "category", id: category.id, name: "Guides", address: "/categories/guides" },
  });
  expect(await found("  ")).toEqual([]);
});

it("no page of the product can be taken for an old address", () => {
  const folder = join(import.meta.dirname, "../../app/sites/[workspace]");
  const names = ["", "(reader)"].flatMap((part) => readdirSync(join(folder, part), { withFileTypes: true }));
  const parts = names.filter((entry) => entry.isDirectory() && !/^[_([]/.test(entry.name)).map(({ name }) => name);
  // Below these two are articles, categories and old URLs.
  const others = parts.filter((name) => !["articles", "categories"].includes(name));
  expect(others.length).toBeGreaterThan(5);
  expect(others.filter((name) => !ownParts.includes(name))).toEqual([]);
});
