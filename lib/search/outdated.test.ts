import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aDatabase, testServers } from "@/lib/testing";

// A database of its own: what is outdated is looked for in all workspaces, and other tests have some that are.
let made: Awaited<ReturnType<typeof aDatabase>>;

beforeAll(async () => {
  made = await aDatabase(testServers[0]?.[1] ?? "");
  vi.stubEnv("DATABASE_URL", made.url);
  vi.resetModules();
});

afterAll(async () => {
  const { closeConnections } = await import("@/lib/db");
  await closeConnections();
  vi.unstubAllEnvs();
  await made.drop();
});

test("what an older version stored is found again after a start, of every workspace, and once", async () => {
  const { aCategory, anArticle, aWorkspace } = await import("@/lib/testing");
  const { inWorkspace, readWorkspace } = await import("@/lib/db");
  const { searchArticles } = await import("@/lib/search/search");
  const { reindexOutdated } = await import("@/lib/workspaces");
  const [current, first, second] = [await aWorkspace(), await aWorkspace(), await aWorkspace()];
  for (const workspace of [first, second]) {
    await anArticle(workspace, { category: await aCategory(workspace), title: "Walrus" });
    await inWorkspace(workspace.id, async (db) => {
      await db.$executeRaw`UPDATE search_documents SET words = '''walrus'':1A'`;
      await db.$executeRaw`UPDATE workspaces SET search_form = 0`;
    });
  }
  const found = async ({ id }: { id: string }) =>
    (await readWorkspace(id, (read) => searchArticles(read, id, "walrus", { limit: 9, offset: 0 }))).total;
  expect([await found(first), await found(second)]).toEqual([0, 0]);
  const told: string[] = [];
  await reindexOutdated((line) => told.push(line));
  expect([await found(first), await found(second)]).toEqual([1, 1]);
  expect(told).toHaveLength(2);
  expect(told.join()).not.toContain(current.subdomain);
  await reindexOutdated((line) => told.push(line));
  expect(told).toHaveLength(2);
});
