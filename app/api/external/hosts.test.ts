import { expect, test } from "vitest";
import { scheduleDeletion, takeBackDeletion } from "@/lib/workspaces/deletion";
import { changeSubdomain } from "@/lib/workspaces/subdomains";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";
import { GET as getArticle } from "./v2/articles/[article_id]/route";
import { GET as getCategory } from "./v2/categories/[category_id]/route";
import { GET as me } from "./v2/me/route";

const path = "/api/external/v2/me";

test("programs find a workspace at a former subdomain too, and are told its address as it is now", async () => {
  const workspace = await aWorkspace();
  const { subdomain } = workspace;
  await changeSubdomain(workspace.id, `${subdomain}-new`, workspace.actor);
  for (const host of [subdomain, `${subdomain}-new`]) {
    const { status, body } = await call(me, { ...workspace, subdomain: host }, path);
    expect([status, body.workspace.id, JSON.stringify(body.workspace)]).toEqual([
      200,
      workspace.id,
      expect.stringContaining(`//${subdomain}-new.`),
    ]);
  }
  expect((await call(me, { ...workspace, subdomain: `${subdomain}-no` }, path)).status).toBe(404);
});

test("URLs in kept answers follow a new subdomain", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category });
  const categoryOf = async (subdomain: string) => {
    const there = { ...workspace, subdomain };
    const [article, own] = [
      await call(getArticle, there, `/api/external/v2/articles/${id}`),
      await call(getCategory, there, `/api/external/v2/categories/${category.id}`),
    ];
    return [article.body.article.category.articles[0].url, own.body.category.url];
  };
  const { subdomain } = workspace;
  const urlsAt = (name: string) =>
    ["articles", "categories"].map((kind) => expect.stringMatching(`//${name}\\..*/${kind}/`));
  expect(await categoryOf(subdomain)).toEqual(urlsAt(subdomain));
  await changeSubdomain(workspace.id, `${subdomain}-new`, workspace.actor);
  expect(await categoryOf(`${subdomain}-new`)).toEqual(urlsAt(`${subdomain}-new`));
});

test("a workspace that waits for its deletion is nothing to programs, and is there again when that is taken back", async () => {
  const workspace = await aWorkspace();
  const status = async () => (await call(me, workspace, path)).status;
  expect(await status()).toBe(200);
  await scheduleDeletion(workspace.id, workspace.name, workspace.actor);
  expect(await status()).toBe(404);
  await takeBackDeletion(workspace.id, workspace.actor);
  expect(await status()).toBe(200);
});
