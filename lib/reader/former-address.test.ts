import { describe, expect, it } from "vitest";
import { inWorkspace } from "@/lib/db";
import { formerAddress } from "@/lib/reader/former-address";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

function ask(workspace: TestWorkspace, path: string, viewer: Viewer = "anyone") {
  return readAs(workspace, viewer, (snapshot) => formerAddress(snapshot, path));
}

interface Target {
  article?: { id: string };
  category?: { id: string };
  url?: string;
  /** Where what is gone was. */
  from?: { id: string };
}

async function redirect(workspace: TestWorkspace, fromPath: string, target: Target = {}): Promise<void> {
  const { article, category, url, from } = target;
  const kind = article ? "article" : category ? "category" : url ? "url" : "gone";
  await inWorkspace(workspace.id, (db) =>
    db.redirect.create({
      data: { fromPath, kind, articleId: article?.id, categoryId: (category ?? from)?.id, url },
    }),
  );
}

async function aShelf() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides", slug: "guides" });
  const article = await anArticle(workspace, { category, title: "Install", slug: "install" });
  const secret = await aCategory(workspace, { name: "Secret", slug: "secret" });
  const hidden = await anArticle(workspace, { category: secret, title: "Plan", slug: "plan" });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: secret.id }, data: { visibility: "members" } }),
  );
  return { workspace, category, article, secret, hidden };
}

const permalinkOf = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, async (db) => (await db.article.findFirstOrThrow({ where: { id } })).permalink);

describe("a former address", () => {
  it("leads to where the article is now, however often its slug changed", async () => {
    const { workspace, category, article } = await aShelf();
    await anArticle(workspace, { id: article.id, category, slug: "set-up" });
    await anArticle(workspace, { id: article.id, category, slug: "get-started" });
    for (const former of ["install", "set-up"]) {
      expect(await ask(workspace, `/articles/${former}`)).toEqual({ moved: "/articles/get-started" });
    }
    expect(await ask(workspace, "/articles/never-was")).toBeNull();
  });

  it("may be spelled in capitals, with underscores or with .html, but not lead to what is hidden", async () => {
    const { workspace, category } = await aShelf();
    await anArticle(workspace, { category, title: "Set up", slug: "set-up" });
    await redirect(workspace, "/old/handbook", { url: "/articles/set-up" });
    for (const [path, moved] of Object.entries({
      "/articles/Install": "/articles/install",
      "/articles/SET_UP.html": "/articles/set-up",
      "/categories/Guides.htm": "/categories/guides",
      "/Old/Handbook.html": "/articles/set-up",
    })) {
      expect([path, await ask(workspace, path)]).toEqual([path, { moved }]);
    }
    for (const path of ["/articles/Plan", "/categories/SECRET", "/articles/Never_Was.html", "/Nothing"]) {
      expect([path, await ask(workspace, path)]).toEqual([path, null]);
    }
  });

  it("may be a permalink, which always works", async () => {
    const { workspace, article, hidden } = await aShelf();
    expect(await ask(workspace, `/articles/${await permalinkOf(workspace, article.id)}`)).toEqual({
      moved: "/articles/install",
    });
    const closed = `/articles/${await permalinkOf(workspace, hidden.id)}`;
    expect(await ask(workspace, closed)).toBeNull();
    expect(await ask(workspace, closed, "member")).toEqual({ moved: "/articles/plan" });
  });

  it("of a merged category leads to the one it is part of now", async () => {
    const { workspace, category } = await aShelf();
    await redirect(workspace, "/categories/how-to", { category });
    expect(await ask(workspace, "/categories/how-to")).toEqual({ moved: "/categories/guides" });
  });

  it("says that it is gone when that was all that was left to say", async () => {
    const workspace = await aWorkspace();
    await redirect(workspace, "/articles/retired");
    expect(await ask(workspace, "/articles/retired")).toBe("gone");
  });

  it("is told to be gone to those alone who could read in its category", async () => {
    const { workspace, category, secret } = await aShelf();
    await redirect(workspace, "/articles/open", { from: category });
    await redirect(workspace, "/articles/closed", { from: secret });
    await redirect(workspace, "/articles/of-somewhere");
    const answers = async (viewer: Viewer) => {
      const paths = ["/articles/open", "/articles/closed", "/articles/of-somewhere"];
      return Promise.all(paths.map((path) => ask(workspace, path, viewer)));
    };
    expect(await answers("anyone")).toEqual(["gone", null, "gone"]);
    expect(await answers("member")).toEqual(["gone", "gone", "gone"]);
  });

  it("is followed through other former addresses to the end", async () => {
    const { workspace, article } = await aShelf();
    await redirect(workspace, "/one", { url: "/two?from=one#part" });
    await redirect(workspace, "/two", { url: "/articles/three" });
    await redirect(workspace, "/articles/three", { article });
    for (const path of ["/one", "/two", "/articles/three"]) {
      expect(await ask(workspace, path)).toEqual({ moved: "/articles/install" });
    }
  });

  it("in a loop finds nothing", async () => {
    const { workspace } = await aShelf();
    await redirect(workspace, "/egg", { url: "/hen" });
    await redirect(workspace, "/hen", { url: "/egg" });
    await redirect(workspace, "/self", { url: "/self" });
    for (const path of ["/egg", "/hen", "/self"]) expect(await ask(workspace, path)).toBeNull();
  });

  it("may lead to another page or another host, and to nothing that a browser would run", async () => {
    const { workspace } = await aShelf();
    await redirect(workspace, "/find", { url: "/search?q=a#b" });
    await redirect(workspace, "/shop", { url: "https://shop.example/a b" });
    expect(await ask(workspace, "/find")).toEqual({ moved: "/search?q=a#b" });
    expect(await ask(workspace, "/shop")).toEqual({ moved: "https://shop.example/a%20b" });
    const ways = [
      "/.//evil.example/x",
      "/..//evil.example",
      "/x/..//evil.example",
      "/\\evil.example/x",
      "/\t/evil.example/x",
    ];
    const schemes = ["javascript:alert(1)", "data:text/html,x", "https://", "/\t/["];
    for (const [index, url] of [...schemes, ...ways, "//evil.example", "shop"].entries()) {
      await redirect(workspace, `/bad-${index}`, { url });
      expect([url, await ask(workspace, `/bad-${index}`)]).toEqual([url, null]);
    }
  });

  it("tells nobody of what is hidden, unpublished or empty, by whatever way it leads there", async () => {
    const { workspace, category, secret, hidden } = await aShelf();
    const empty = await aCategory(workspace, { name: "Empty", slug: "empty" });
    const draft = await anArticle(workspace, { category, title: "Unfinished", slug: "unfinished", state: "draft" });
    await redirect(workspace, "/articles/to-hidden", { article: hidden });
    await redirect(workspace, "/categories/to-hidden", { category: secret });
    await redirect(workspace, "/to-hidden-article", { url: "/articles/plan" });
    await redirect(workspace, "/to-hidden-category", { url: "/categories/secret" });
    const closed = ["/articles/to-hidden", "/categories/to-hidden", "/to-hidden-article", "/to-hidden-category"];
    for (const path of closed) expect([path, await ask(workspace, path)]).toEqual([path, null]);
    for (const path of closed) {
      const moved = /article/.test(path) ? "/articles/plan" : "/categories/secret";
      expect([path, await ask(workspace, path, "member")]).toEqual([path, { moved }]);
    }
    await redirect(workspace, "/articles/to-draft", { article: draft });
    await redirect(workspace, "/categories/to-empty", { category: empty });
    await redirect(workspace, "/to-draft", { url: "/articles/unfinished" });
    for (const path of ["/articles/to-draft", "/categories/to-empty", "/to-draft"]) {
      expect([path, await ask(workspace, path, "member")]).toEqual([path, null]);
    }
  });

  it("is not told to be gone by a workspace for members, but to them, whatever categories it has", async () => {
    const workspace = await aWorkspace();
    await redirect(workspace, "/articles/retired");
    await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
    expect(await ask(workspace, "/articles/retired")).toBeNull();
    const open = await aCategory(workspace);
    await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { visibility: "everyone" } }));
    await redirect(workspace, "/articles/open", { from: open });
    expect(await ask(workspace, "/articles/retired")).toBeNull();
    expect(await ask(workspace, "/articles/open")).toBe("gone");
    expect(await ask(workspace, "/articles/retired", "member")).toBe("gone");
  });

  it("of another workspace is none", async () => {
    const { workspace, article } = await aShelf();
    const other = await aWorkspace();
    await redirect(workspace, "/old", { article });
    expect(await ask(workspace, "/old")).toEqual({ moved: "/articles/install" });
    expect(await ask(other, "/old")).toBeNull();
  });
});
