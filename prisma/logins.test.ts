import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "@/server/migrate";
import { plant } from "@/testing/wall";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

// A server's login against its database (docs/operate.md, "Two database logins"). That the login is enough for the server is proved
// by the tests that start one: those of the contract over HTTP and the browser tests.

/** What only the owner of the tables may do. */
const forOwners = [
  "CREATE TABLE fresh (id integer)",
  "CREATE TABLE graphile_worker.fresh (id integer)",
  "CREATE SCHEMA fresh",
  "CREATE FUNCTION fresh() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
  "CREATE OR REPLACE FUNCTION begin_content_version() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
  "ALTER FUNCTION enqueue_job SECURITY INVOKER",
  "DROP FUNCTION enqueue_job",
  "ALTER TABLE articles ADD COLUMN fresh text",
  "ALTER TABLE articles DISABLE ROW LEVEL SECURITY",
  "ALTER TABLE audit_entries DISABLE TRIGGER USER",
  "ALTER TABLE articles OWNER TO kb_tenant",
  "CREATE POLICY fresh ON articles USING (true)",
  "ALTER POLICY wall ON articles USING (true)",
  "DROP POLICY wall ON articles",
  "DROP TABLE search_pins",
  "TRUNCATE audit_entries CASCADE",
  "UPDATE audit_entries SET actor_name = 'nobody'",
  "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('fresh', '', 'fresh')",
  "UPDATE _applied_functions SET checksum = ''",
  "DROP SCHEMA graphile_worker CASCADE",
  "CREATE ROLE kb_fresh",
  "ALTER ROLE kb_tenant BYPASSRLS",
  "DROP ROLE kb_server",
];

describe.each(testServers)("on %s", (_, address) => {
  let made: TestDatabase;
  let owner: Client;
  let server: Client;
  let url: string;

  beforeAll(async () => {
    made = await aDatabase(address);
    owner = await made.connect();
    await plant(owner);
    url = await made.serverLogin();
    server = new Client({ connectionString: url });
    await server.connect();
  });

  afterAll(async () => {
    await server.end();
    await made.drop();
  });

  const tried = async (client: Client, sql: string) => {
    await client.query("BEGIN");
    try {
      await client.query(sql);
      return "done";
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await client.query("ROLLBACK");
    }
  };

  test.each(forOwners)("only the owner can %s", async (sql) => {
    expect(await tried(server, sql)).toBe("42501");
    // Roles belong to other databases too, so the owner's attempt may be refused for that reason.
    expect(["done", "2BP01"]).toContain(await tried(owner, sql));
  });

  test("the server's login can't become the owner, and can't read other logins or files", async () => {
    const { rows } = await owner.query<{ name: string }>("SELECT quote_ident(current_user) AS name");
    for (const sql of [
      `SET ROLE ${rows[0]?.name}`,
      `GRANT ${rows[0]?.name} TO kb_server`,
      "SELECT rolpassword FROM pg_authid",
      "SELECT pg_read_file('PG_VERSION')",
      "COPY (SELECT 1) TO '/tmp/lectern-fresh'",
    ])
      expect([sql, await tried(server, sql)]).toEqual([sql, "42501"]);
    expect(await tried(server, "SET ROLE kb_tenant")).toBe("done");
  });

  test("behind the wall it sees no more than a request of the owner, and across workspaces no less", async () => {
    const seen = async (client: Client, role: string | null) => {
      await client.query("BEGIN");
      if (role) await client.query(`SET LOCAL ROLE ${role}; SET LOCAL app.workspace_id = '${randomUUID()}'`);
      const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM articles");
      await client.query("ROLLBACK");
      return rows[0]?.count;
    };
    const all = await seen(owner, null);
    expect(all).toBeGreaterThan(0);
    expect([await seen(server, null), await seen(server, "kb_tenant")]).toEqual([all, 0]);
  });

  test("PostgreSQL plans the server's questions as it plans the owner's", async () => {
    const planOf = async (client: Client, sql: string) =>
      (await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) ${sql}`)).rows.map((row) => row["QUERY PLAN"]);
    for (const sql of [
      "SELECT w.id, v.version FROM workspaces w JOIN content_versions v ON v.workspace_id = w.id WHERE w.subdomain = ANY('{a,b}')",
      "SELECT id FROM api_keys WHERE workspace_id = gen_random_uuid() AND key_hash = '\\x00' AND revoked_at IS NULL",
      "SELECT w.name FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.email_folded = lower('A') AND m.active",
      "SELECT id FROM search_documents WHERE workspace_id = '01234567-89ab-4cde-8f01-23456789abcd' AND words @@ 'a'::tsquery",
    ])
      expect(await planOf(server, sql)).toEqual(await planOf(owner, sql));
  });

  test("without CONNECT for everyone, the login of another installation can't connect", async ({ onTestFinished }) => {
    const other = await aDatabase(address);
    onTestFinished(() => other.drop());
    const { pathname } = new URL(other.url);
    const there = new Client({ connectionString: Object.assign(new URL(url), { pathname }).href });
    await (await other.connect()).query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${pathname.slice(1)} FROM PUBLIC`);
    await expect(there.connect()).rejects.toMatchObject({ code: "42501" });
  });

  test("a login without the role, or before the migrations, is told what to do", async ({ onTestFinished }) => {
    await expect(migrate(url)).resolves.toEqual([]);
    const name = new URL(url).username;
    await owner.query(`REVOKE kb_server FROM ${name}`);
    onTestFinished(() => owner.query(`GRANT kb_server TO ${name}`).then(() => {}));
    await expect(migrate(url)).rejects.toThrow(
      `The role ${name} doesn't own Lectern's tables and can't use them. Set DATABASE_URL to the owner's. For a server with a login of its own, follow deploy/server-login.sql as the database's administrator, then "npm run kb -- migrate" as the owner.`,
    );
  });

  test("servers of other databases get no rights, until an operator lets a server's login in", async ({
    onTestFinished,
  }) => {
    const other = await aDatabase(address);
    onTestFinished(() => other.drop());
    const there = await other.connect();
    await there.query(`REVOKE CONNECT ON DATABASE ${new URL(other.url).pathname.slice(1)} FROM kb_server`);
    await there.query(
      "CREATE TABLE fresh AS SELECT 1 AS id; ALTER TABLE fresh ENABLE ROW LEVEL SECURITY; GRANT SELECT ON fresh TO kb_tenant",
    );
    const seen = async () => {
      await migrate(other.url);
      await there.query("BEGIN; SET LOCAL ROLE kb_server");
      const { rows } = await there.query("SELECT id FROM fresh");
      await there.query("ROLLBACK");
      return rows;
    };
    expect(await seen()).toEqual([]);
    await other.serverLogin();
    expect(await seen()).toEqual([{ id: 1 }]);
  });

  test("a migration opens a new table to the server", async () => {
    await owner.query(
      "CREATE TABLE fresh AS SELECT 1 AS id; ALTER TABLE fresh ENABLE ROW LEVEL SECURITY; GRANT SELECT ON fresh TO kb_tenant",
    );
    const seen = async () => (await server.query("SELECT id FROM fresh")).rows;
    expect(await seen()).toEqual([]);
    await migrate(made.url);
    expect(await seen()).toEqual([{ id: 1 }]);
    await owner.query("DROP TABLE fresh");
  });

  test("migrations, functions and job tables that are missing stop a server, until the owner adds them", async () => {
    const { rows } = await owner.query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1",
    );
    const newest = rows[0]?.name;
    await owner.query("UPDATE _applied_functions SET checksum = '' WHERE name = 'enqueue_job'");
    await expect(migrate(url)).rejects.toThrow(
      `The role ${new URL(url).username} can't apply the migrations of this version: enqueue_job. Run "npm run kb -- migrate" with the owner's DATABASE_URL, then start again.`,
    );
    await expect(migrate(url, { setting: "DATABASE_DIRECT_URL" })).rejects.toThrow(
      "with the owner's DATABASE_DIRECT_URL, then",
    );
    await migrate(made.url);
    await expect(migrate(url)).resolves.toEqual([]);

    await owner.query(
      "DELETE FROM graphile_worker.migrations WHERE id = (SELECT max(id) FROM graphile_worker.migrations)",
    );
    await expect(migrate(url)).rejects.toThrow("this version: background jobs. Run");
    await owner.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [newest]);
    await expect(migrate(url)).rejects.toThrow(`this version: ${newest}, background jobs. Run`);
  });
});
