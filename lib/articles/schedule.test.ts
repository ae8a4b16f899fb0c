import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Actor } from "@/lib/audit/audit";
import { aDatabase, type TestDatabase, type TestWorkspace, testServers } from "@/testing/workspace";

vi.setConfig({ testTimeout: 60_000 });

// Workers publish due articles in a separate database, because they would also run the jobs of other tests.

describe.each(testServers)("on %s", (_, server) => {
  let made: TestDatabase;
  let databaseUrl: string;
  let owner: Client;
  let lib: Awaited<ReturnType<typeof load>>;
  const workers: { stop: () => Promise<void> }[] = [];

  const load = async () => ({
    ...(await import("@/lib/db")),
    ...(await import("@/testing/workspace")),
    ...(await import("@/lib/articles/removal")),
    ...(await import("@/server/jobs/handlers")),
    ...(await import("@/server/jobs/worker")),
    ...(await import("@/lib/articles/schedule")),
  });

  beforeAll(async () => {
    made = await aDatabase(server);
    databaseUrl = await made.serverLogin();
    vi.stubEnv("DATABASE_URL", databaseUrl);
    vi.resetModules();
    lib = await load();
    owner = await made.connect();
  });

  afterEach(async () => {
    for (const { stop } of workers.splice(0)) await stop();
    await owner.query("DELETE FROM graphile_worker._private_jobs");
  });

  afterAll(async () => {
    await lib.closeConnections();
    await made.drop();
    vi.unstubAllEnvs();
  });

  const aWorker = () => {
    const handlers = lib.jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost" });
    const worker = lib.startWorker({ databaseUrl, handlers, log: () => {} });
    workers.push(worker);
    return worker;
  };

  async function aDraft(given: { publishAt?: Date; title?: string } = {}, workspace?: TestWorkspace) {
    const of = workspace ?? (await lib.aWorkspace());
    const category = await lib.aCategory(of);
    const { id } = await lib.anArticle(of, { category, title: `Refunds ${randomUUID()}`, state: "draft", ...given });
    return { workspace: of, id };
  }
  const soon = (ms = 1_000) => new Date(Date.now() + ms);
  const isOver = (at: Date) =>
    expect
      .poll(async () => (await owner.query("SELECT now() > $1::timestamptz AS over", [at])).rows[0]?.over, {
        timeout: 10_000,
      })
      .toBe(true);
  const stateOf = async (id: string) =>
    (await owner.query("SELECT state, publish_at AS at, publish_held AS held FROM articles WHERE id = $1", [id]))
      .rows[0];
  const untilPublished = (id: string) =>
    expect
      .poll(() => stateOf(id), { timeout: 20_000, interval: 50 })
      .toEqual({ state: "published", at: null, held: false });
  const deedsOf = async (id: string) => {
    const sql = `SELECT actor_name AS by, action FROM audit_entries WHERE subject_id = $1 AND action = 'article.published'`;
    const versions = "SELECT number FROM article_versions WHERE article_id = $1 AND kind = 'publish'";
    return [(await owner.query(sql, [id])).rows, (await owner.query(versions, [id])).rowCount];
  };

  test("what becomes due while no server runs is published once when several start", async () => {
    await aWorker().stop();
    const { workspace, id } = await aDraft();
    const at = soon();
    await lib.inWorkspace(workspace.id, (db) => lib.schedulePublishing(db, id, at, workspace.actor));
    await isOver(at);
    expect(await stateOf(id)).toMatchObject({ state: "draft", at });
    for (let count = 0; count < 3; count++) aWorker();
    await untilPublished(id);
    const jobs = "SELECT FROM graphile_worker._private_jobs j";
    await expect.poll(async () => (await owner.query(jobs)).rowCount, { timeout: 10_000 }).toBe(0);
    expect(await deedsOf(id)).toEqual([[{ by: workspace.actor.name, action: "article.published" }], 1]);
  });

  test("what has no job is published too: after an import, and when a deletion is undone after its time", async () => {
    const workspace = await lib.aWorkspace();
    const at = soon();
    const imported = await aDraft({ publishAt: at }, workspace);
    const deleted = await aDraft({ publishAt: at }, workspace);
    const { batch } = await lib.inWorkspace(workspace.id, (db) =>
      lib.deleteArticles(db, [deleted.id], { kind: "gone" }, "http://docs.localhost", workspace.actor),
    );
    await isOver(at);
    await lib.inWorkspace(workspace.id, (db) => lib.restoreArticles(db, batch, workspace.actor, ["articles.publish"]));
    aWorker();
    await untilPublished(imported.id);
    await untilPublished(deleted.id);
    // Nobody scheduled them here.
    expect(await deedsOf(imported.id)).toEqual([[{ by: "Schedule", action: "article.published" }], 1]);
  });

  test("a sweep publishes in the name of the member who chose this time, and not of one who chose another", async () => {
    const workspace = await lib.aWorkspace();
    const actor: Actor = { kind: "member", id: workspace.admin.id, name: "Ada" };
    const at = soon();
    const chosen = await aDraft({}, workspace);
    const other = await aDraft({}, workspace);
    await lib.inWorkspace(workspace.id, async (db) => {
      await lib.schedulePublishing(db, chosen.id, at, actor);
      await lib.schedulePublishing(db, other.id, soon(3_600_000), actor);
    });
    await owner.query("UPDATE articles SET publish_at = $2 WHERE id = $1", [other.id, at]);
    await owner.query("DELETE FROM graphile_worker._private_jobs");
    await isOver(at);
    await lib.publishDue(workspace.id, new AbortController().signal);
    expect((await deedsOf(chosen.id))[0]).toEqual([{ by: "Ada", action: "article.published" }]);
    expect((await deedsOf(other.id))[0]).toEqual([{ by: "Schedule", action: "article.published" }]);
  });

  test("an article that cannot be published keeps none from being published at its time, then or later", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const workspace = await lib.aWorkspace();
    const at = soon();
    const broken = await aDraft({ publishAt: at }, workspace);
    const later = await aDraft({ publishAt: soon(3_600_000) }, workspace);
    await owner.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'Broken.'; END $$;
      CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON article_live FOR EACH ROW WHEN (NEW.id = '${broken.id}') EXECUTE FUNCTION fail()`);
    try {
      await isOver(at);
      const first = aWorker();
      await expect.poll(() => told.mock.calls.join(), { timeout: 10_000 }).toContain(broken.id);
      const jobs = "SELECT FROM graphile_worker._private_jobs";
      await expect.poll(async () => (await owner.query(jobs)).rowCount, { timeout: 10_000 }).toBe(0);
      await first.stop();
      await owner.query("UPDATE articles SET publish_at = now() - interval '1 second' WHERE id = $1", [later.id]);
      aWorker();
      await untilPublished(later.id);
      expect(await stateOf(broken.id)).toEqual({ state: "draft", at, held: false });
    } finally {
      await owner.query("DROP FUNCTION fail CASCADE");
      told.mockRestore();
    }
  });

  test("a sweep that failed again and again is done as soon as something is due, and not hours later", async () => {
    const at = soon();
    const { workspace, id } = await aDraft({ publishAt: at });
    await owner.query(
      `SELECT graphile_worker.add_job('publish_due', json_build_object('workspace_id', $1::text, 'payload', json_build_object()),
         job_key := 'publish_due ' || $1)`,
      [workspace.id],
    );
    await owner.query(
      "UPDATE graphile_worker._private_jobs SET attempts = 10, last_error = 'x', run_at = now() + interval '6 hours'",
    );
    await isOver(at);
    aWorker();
    await untilPublished(id);
  });

  test("a sweep that is to end begins no article", async () => {
    const at = soon();
    const { workspace, id } = await aDraft({ publishAt: at });
    await isOver(at);
    await lib.publishDue(workspace.id, AbortSignal.abort());
    expect(await stateOf(id)).toMatchObject({ state: "draft", at });
  });

  test("articles on hold, and articles with a past date, wait for review", async () => {
    const workspace = await lib.aWorkspace();
    const at = soon();
    const { id } = await aDraft({ publishAt: at }, workspace);
    const held = await aDraft({ publishAt: at }, workspace);
    await owner.query("UPDATE articles SET publish_held = true WHERE id = $1", [held.id]);
    const old = await aDraft({ publishAt: new Date("2026-01-01") }, workspace);
    await isOver(at);
    aWorker();
    await untilPublished(id);
    expect(await stateOf(held.id)).toEqual({ state: "draft", at, held: true });
    expect(await stateOf(old.id)).toEqual({ state: "draft", at: new Date("2026-01-01"), held: true });
  });

  test("a schedule with nothing left to publish ends", async () => {
    const { workspace, id } = await aDraft();
    const category = await lib.aCategory(workspace);
    const at = soon();
    const live = await lib.anArticle(workspace, { category, publishAt: at });
    await lib.inWorkspace(workspace.id, (db) => lib.schedulePublishing(db, id, at, workspace.actor));
    await isOver(at);
    aWorker();
    await untilPublished(id);
    await untilPublished(live.id);
    expect((await deedsOf(live.id))[0]).toEqual([]);
  });
});
