import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { aDatabase, type TestDatabase, type TestWorkspace, testServers } from "@/lib/testing";

// A database of its own: what is outdated is looked for in all workspaces, and other tests have some that are.
let made: TestDatabase;

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

/** Of each workspace an article that an older version made searchable. */
async function outdated(count: number) {
  const { aCategory, anArticle, aWorkspace } = await import("@/lib/testing");
  const { inWorkspace } = await import("@/lib/db");
  const subdomains = Array.from({ length: count }, (_, index) => `w${index}-${randomBytes(4).toString("hex")}`);
  return Promise.all(
    subdomains.map(async (subdomain) => {
      const workspace = await aWorkspace({ subdomain });
      await anArticle(workspace, { category: await aCategory(workspace), title: "Walrus" });
      await inWorkspace(workspace.id, async (db) => {
        await db.$executeRaw`UPDATE search_documents SET words = '''walrus'':1A'`;
        await db.$executeRaw`UPDATE workspaces SET search_form = 0`;
      });
      return workspace;
    }),
  );
}

async function found({ id }: { id: string }, text = "walrus"): Promise<number> {
  const { searchArticles } = await import("@/lib/search/search");
  const { readWorkspace } = await import("@/lib/db");
  return (await readWorkspace(id, (read) => searchArticles(read, id, text, { limit: 9, offset: 0 }))).total;
}

const told: string[] = [];

/** @param onTold hears of each line when it is told */
async function reindexOutdated(
  onTold: (line: string) => void = () => {},
  signal = new AbortController().signal,
  pauseMs = 1,
) {
  const workspaces = await import("@/lib/workspaces");
  const tell = (line: string, error?: unknown) => {
    told.push(error ? `${line} ${(error as Error).message}` : line);
    onTold(line);
  };
  await workspaces.reindexOutdated({ tell, signal, pauseMs });
}

beforeEach(() => {
  told.length = 0;
});

test("what an older version stored is found again after a start, of every workspace, and once", async () => {
  const { aWorkspace } = await import("@/lib/testing");
  const [first, second] = (await outdated(2)) as [TestWorkspace, TestWorkspace];
  await aWorkspace();
  expect([await found(first), await found(second)]).toEqual([0, 0]);
  await reindexOutdated();
  expect([await found(first), await found(second)]).toEqual([1, 1]);
  const line = ({ subdomain }: TestWorkspace) =>
    `The search of ${subdomain} is in its new form: articles made searchable anew: 1.`;
  expect(told).toEqual([line(first), line(second)]);
  await reindexOutdated();
  expect(told).toHaveLength(2);
});

test("what has the form before this one is found by every field all the while", async () => {
  const { aCategory, anArticle, aWorkspace } = await import("@/lib/testing");
  const { inWorkspace } = await import("@/lib/db");
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Habitat" });
  await anArticle(workspace, { category, title: "Walrus" });
  await inWorkspace(workspace.id, async (db) => {
    await db.$executeRaw`UPDATE search_documents SET words = ts_delete(words, ARRAY(
      SELECT lexeme FROM unnest(words) WHERE substr(lexeme, 3, 1) IN ('o', 'e')))`;
    await db.$executeRaw`UPDATE workspaces SET search_form = 1`;
  });
  const each = async () => [
    await found(workspace, "walrus"),
    await found(workspace, "habitat walr"),
    await found(workspace, "ha"),
  ];
  expect(await each()).toEqual([1, 1, 1]);
  await reindexOutdated();
  expect(await each()).toEqual([1, 1, 1]);
});

/** The database refuses the documents of a workspace, until `allow` is called. */
async function refusing({ id }: TestWorkspace): Promise<{ allow: () => Promise<void> }> {
  const owner = new Client({ connectionString: made.url });
  await owner.connect();
  await owner.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'No words.'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON search_documents FOR EACH ROW
    WHEN (OLD.workspace_id = '${id}') EXECUTE FUNCTION refuse()`);
  const allow = async () => {
    await owner.query("DROP FUNCTION refuse CASCADE");
    await owner.end();
  };
  return { allow };
}

test("a workspace that fails is named, holds up no other one, and is tried again", async () => {
  const [first, second] = (await outdated(2)) as [TestWorkspace, TestWorkspace];
  const { allow } = await refusing(first);
  let allowed: Promise<void> | undefined;
  await reindexOutdated((line) => {
    if (line.includes(`search of ${second.subdomain} is`)) allowed = allow();
  });
  await allowed;
  expect([await found(first), await found(second)]).toEqual([1, 1]);
  expect(told[0]).toContain(`Articles of ${first.subdomain} cannot be searched yet`);
  expect(told[0]).toContain("No words.");
  expect(told[1]).toContain(`The search of ${second.subdomain} is`);
  expect(told.at(-1)).toContain(`The search of ${first.subdomain} is`);
});

test("a server that stops ends it between two workspaces, and nobody is told of an error", async () => {
  const [first, second] = (await outdated(2)) as [TestWorkspace, TestWorkspace];
  const stopping = new AbortController();
  await reindexOutdated(() => stopping.abort(), stopping.signal);
  expect([await found(first), await found(second)]).toEqual([1, 0]);
  expect(told).toHaveLength(1);
  await reindexOutdated();
  expect(await found(second)).toBe(1);
});

test("a server that stops ends it within a workspace", async () => {
  const { reindexWorkspace } = await import("@/lib/search/reindex");
  const [workspace] = (await outdated(1)) as [TestWorkspace];
  const stopping = new AbortController();
  await expect(reindexWorkspace(workspace.id, () => stopping.abort(), stopping.signal)).rejects.toThrow("aborted");
  await reindexOutdated(undefined, stopping.signal);
  expect(told).toEqual([]);
  await reindexOutdated();
  expect(told).toHaveLength(1);
});

test("a server that stops waits for no other try", async () => {
  const [workspace] = (await outdated(1)) as [TestWorkspace];
  const { allow } = await refusing(workspace);
  const stopping = new AbortController();
  await reindexOutdated(() => setImmediate(() => stopping.abort()), stopping.signal, 3_600_000);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(`Articles of ${workspace.subdomain} cannot be searched yet`);
  await allow();
});
