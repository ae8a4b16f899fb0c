import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { similarArticles, wantedBy } from "@/lib/reader/similar-articles";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

async function similarTo(workspace: TestWorkspace, path: string, viewer: Viewer = "anyone"): Promise<string[]> {
  const wanted = wantedBy(path);
  if (wanted === null) return [];
  const found = await readAs(workspace, viewer, (snapshot) =>
    similarArticles(snapshot, { id: workspace.id, language: "en" }, wanted),
  );
  return found.map(({ slug }) => slug);
}

test("the words of a slug find articles with half of them, five at most, and nothing where none is near", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (const letter of ["a", "b", "c", "d", "e", "f"])
    await anArticle(workspace, { category, slug: `key-${letter}`, title: `Keys ${letter}` });
  await anArticle(workspace, {
    category,
    slug: "reset-your-password",
    title: "Reset your password",
    html: "<p>Elephants.</p>",
  });
  for (const path of ["/articles/how-to-reset-passwords", "/articles/reset_a-password/", "/categories/password.html"])
    expect([path, await similarTo(workspace, path)]).toEqual([path, ["reset-your-password"]]);
  expect(await similarTo(workspace, "/articles/keys")).toHaveLength(5);
  for (const path of [
    "/articles/walrus-feeding",
    "/articles/password-policy-for-elephants",
    "/articles/how-to",
    "/articles/---",
    "/articles/a-12345678",
    "/password",
    "/articles/reset/password",
    `/articles/${"'&|!:*()<>\\%_".repeat(100)}`,
    `/articles/${"walrus-".repeat(1000)}`,
  ])
    expect([path, await similarTo(workspace, path)]).toEqual([path, []]);
});

test("drafts and other workspaces' articles are similar to nothing, and what is for members to nothing that others ask for", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const closed = await aCategory(workspace);
  await anArticle(other, { category: await aCategory(other), slug: "theirs", title: "Walrus feeding" });
  await anArticle(workspace, { category: closed, slug: "closed", title: "Walrus feeding" });
  await anArticle(workspace, { category: closed, slug: "draft", title: "Walrus feeding", state: "draft" });
  expect(await similarTo(workspace, "/articles/walrus")).toEqual(["closed"]);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  expect(await similarTo(workspace, "/articles/walrus")).toEqual([]);
  expect(await similarTo(workspace, "/articles/walrus", "member")).toEqual(["closed"]);
});
