import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { plant, tablesOf } from "@/testing/wall";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

// Questions across workspaces with a server's login, which does not own the tables (server/migrate/login.ts). prisma/logins.test.ts
// tries what it may not do.

describe.each(testServers)("on %s", (_, server) => {
  let made: TestDatabase;
  let owner: Client;
  let folder: string;
  let lib: Awaited<ReturnType<typeof load>>;

  const load = async () => ({
    ...(await import("@/lib/db")),
    ...(await import("@/lib/counters")),
    ...(await import("@/lib/delays")),
    ...(await import("@/lib/workspaces/deletion")),
    ...(await import("@/lib/workspaces/former-subdomains")),
    ...(await import("@/lib/workspaces/subdomains")),
    ...(await import("@/lib/workspaces/whereabouts")),
    ...(await import("@/lib/workspaces/workspaces")),
    ...(await import("@/testing/workspace")),
  });

  beforeAll(async () => {
    made = await aDatabase(server);
    folder = await mkdtemp(join(tmpdir(), "lectern-login-"));
    vi.stubEnv("DATABASE_URL", await made.serverLogin());
    vi.stubEnv("DATA_DIR", folder);
    vi.resetModules();
    lib = await load();
    owner = await made.connect();
  });

  afterAll(async () => {
    await lib.closeConnections();
    await made.drop();
    await rm(folder, { recursive: true });
    vi.unstubAllEnvs();
  });

  test("it creates, renames, finds, closes and reopens workspaces", async () => {
    const workspace = await lib.aWorkspace();
    const { id, subdomain, name, actor } = workspace;
    expect((await lib.findWorkspace(subdomain))?.id).toBe(id);
    expect(await lib.changeSubdomain(id, `${subdomain}-new`, actor)).toBe(`${subdomain}-new`);
    expect(await lib.addressNow(subdomain)).toContain(`//${subdomain}-new.`);
    expect((await lib.checkSubdomain(subdomain)).invalid).toHaveLength(1);
    await lib.changeSubdomain(id, subdomain, actor);
    await lib.scheduleDeletion(id, name, actor);
    expect(await lib.findWorkspace(subdomain)).toBeNull();
    await lib.takeBackDeletion(id, actor);
    expect((await lib.findWorkspace(subdomain))?.id).toBe(id);
    const { rows } = await owner.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = 'deletion_scheduled'",
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test("it deletes everything of a workspace", async () => {
    const [gone, stays] = [await plant(owner), await plant(owner)];
    await owner.query("UPDATE workspaces SET delete_after = now() - interval '1 second' WHERE id = $1", [gone.id]);
    expect(await lib.deleteWorkspace(gone.id)).toBe(true);
    const left = async (id: string) => {
      const tables = (await tablesOf(owner)).filter((table) => table !== "workspaces");
      const sql = tables.map((table) => `SELECT '${table}' FROM ${table} WHERE workspace_id = $1`).join(" UNION ");
      return (await owner.query(sql, [id])).rows.length;
    };
    expect(await left(gone.id)).toBe(0);
    expect(await left(stays.id)).toBeGreaterThan(20);
  });

  test("it counts limits and failed tries, and keeps the salts of days", async () => {
    const tried = { by: ["login"], free: 1, longest: 60, remembered: 60, clears: true };
    expect((await lib.beginTry([tried])).allowed).toBe(true);
    await lib.forgiveTry([tried]);
    await lib.forgetTries();
    expect((await lib.beginTry([tried])).allowed).toBe(true);
    expect(await lib.takeLimit("feedback", { workspace: "login", network: null })).toBeNull();
    expect(await lib.checkLimit("feedback", { workspace: "login", network: null })).toBeNull();
    const salt = await lib.saltOfDay("2026-11-30");
    expect(await lib.saltOfDay("2026-11-30")).toEqual(salt);
    await lib.forgetSalts("2026-12-01");
    expect(await lib.saltOfDay("2026-11-30")).not.toEqual(salt);
  });

  test("it queues the mail of someone who forgot their workspaces", async () => {
    await lib.mailWorkspacesOf("ada@example.com");
    const { rows } = await owner.query(
      "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'workspaces_of_address'",
    );
    expect(rows).toHaveLength(1);
  });
});
