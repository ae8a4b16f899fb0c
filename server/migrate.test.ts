import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { migrate } from "@/server/migrate";

const servers = [["the test server", inject("adminUrl")]];
if (process.env.TEST_PG15_URL) servers.push(["PostgreSQL 15", process.env.TEST_PG15_URL]);

describe.each(servers)("on %s", (_, adminUrl) => {
  const admin = new Client({ connectionString: adminUrl });
  let directory: string;
  let url: string;
  let database: Client;

  beforeAll(async () => {
    await admin.connect();
  });

  beforeEach(async () => {
    const name = `migrate_${randomBytes(6).toString("hex")}`;
    await admin.query(`CREATE DATABASE ${name}`);
    const address = new URL(adminUrl);
    address.pathname = `/${name}`;
    url = address.href;
    database = new Client({ connectionString: url });
    await database.connect();
    directory = await mkdtemp(join(tmpdir(), "migrations-"));
    await mkdir(join(directory, "functions"));
    await write("001_letters", "CREATE TABLE letters (id int PRIMARY KEY);\n");
    await write("002_more", "ALTER TABLE letters ADD body text;\nINSERT INTO letters VALUES (1, 'a');\n");
  });

  afterEach(async () => {
    await database.end();
    await admin.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await rm(directory, { recursive: true });
  });

  afterAll(() => admin.end());

  const write = async (name: string, sql: string) => {
    await mkdir(join(directory, "migrations", name), { recursive: true });
    await writeFile(join(directory, "migrations", name, "migration.sql"), sql);
  };
  const writeFunction = (name: string, sql: string) => writeFile(join(directory, `functions/${name}.sql`), sql);
  const answer = async () => (await database.query("SELECT answer()")).rows[0];
  const records = async () =>
    (
      await database.query(
        "SELECT migration_name AS name, finished_at IS NOT NULL AS finished, applied_steps_count AS steps FROM _prisma_migrations ORDER BY 1",
      )
    ).rows;
  const BOTH = [
    { name: "001_letters", finished: true, steps: 1 },
    { name: "002_more", finished: true, steps: 1 },
  ];

  test("migrations are applied in the order of their names, once", async () => {
    const lines: string[] = [];
    expect(await migrate(url, { directory, log: (line) => lines.push(line) })).toEqual(["001_letters", "002_more"]);
    expect(lines).toEqual([
      expect.stringMatching(/^Applied 001_letters in \d+ ms\.$/),
      expect.stringMatching(/^Applied 002_more in \d+ ms\.$/),
    ]);
    expect(await migrate(url, { directory })).toEqual([]);
    expect((await database.query("SELECT * FROM letters")).rows).toEqual([{ id: 1, body: "a" }]);
    expect(await records()).toEqual(BOTH);
  });

  test("a migration that came later is applied to a database that has the others", async () => {
    await migrate(url, { directory });
    await write("003_title", "ALTER TABLE letters ADD title text;");
    expect(await migrate(url, { directory })).toEqual(["003_title"]);
  });

  test("the records are those of Prisma: the checksum is the file's", async () => {
    await migrate(url, { directory });
    const { rows } = await database.query("SELECT * FROM _prisma_migrations WHERE migration_name = '001_letters'");
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        // From sha256sum.
        checksum: "79c8b468a69f0bb233852d21a5448fdac7aeeb7621d22481292712c2aba96aca",
        migration_name: "001_letters",
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        applied_steps_count: 1,
        logs: null,
        rolled_back_at: null,
      },
    ]);
  });

  test("a file that changed after it was applied is refused", async () => {
    await migrate(url, { directory });
    await write("001_letters", "CREATE TABLE letters (id bigint PRIMARY KEY);\n");
    await expect(migrate(url, { directory })).rejects.toThrow(
      /^The migration 001_letters was changed after it was applied .* write the change as a new migration\.$/,
    );
  });

  test("a database that is newer than the folder is refused", async () => {
    await migrate(url, { directory });
    await rm(join(directory, "migrations/002_more"), { recursive: true });
    await expect(migrate(url, { directory })).rejects.toThrow(
      /^This database is newer than this version of Lectern, which doesn't have the migration 002_more/,
    );
  });

  test("a migration that another tool left unfinished is refused, and passed over once it was rolled back", async () => {
    await migrate(url, { directory });
    await database.query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '002_more'");
    await expect(migrate(url, { directory })).rejects.toThrow(/002_more was started by another tool/);
    await database.query(
      "UPDATE _prisma_migrations SET rolled_back_at = now(), checksum = 'x' WHERE migration_name = '002_more'",
    );
    await database.query("ALTER TABLE letters DROP body; DELETE FROM letters");
    expect(await migrate(url, { directory })).toEqual(["002_more"]);
  });

  test("a database that lacks the first migration is refused, with the way to move its content", async () => {
    await migrate(url, { directory });
    await database.query(
      "UPDATE _prisma_migrations SET migration_name = '000_house' WHERE migration_name = '001_letters'",
    );
    await expect(migrate(url, { directory })).rejects.toThrow(
      "This database was created by an older version of Lectern, without the migration 001_letters. Export its workspaces with that version (npm run kb -- export) and import them here into an empty database.",
    );
    expect((await database.query("SELECT * FROM letters")).rows).toEqual([{ id: 1, body: "a" }]);
  });

  const RETURNS = (value: number) =>
    `CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN ${value}; END $$;\n`;

  test("functions are applied after the migrations, and again only when their file changes", async () => {
    const log: string[] = [];
    const start = () => migrate(url, { directory, log: (line) => log.push(line.replace(/ in \d+ ms/, "")) });
    await writeFunction("answer", RETURNS(42));
    await writeFunction(
      "count_letters",
      "CREATE FUNCTION count_letters() RETURNS bigint LANGUAGE sql RETURN (SELECT count(*) FROM letters);\n",
    );
    await start();
    expect(log.splice(0)).toEqual([
      "Applied 001_letters.",
      "Applied 002_more.",
      "Applied functions: answer, count_letters.",
    ]);
    expect(await answer()).toEqual({ answer: 42 });
    // count_letters cannot be created twice.
    await start();
    expect(log.splice(0)).toEqual([]);
    await writeFunction("answer", RETURNS(43));
    await start();
    expect(log.splice(0)).toEqual(["Applied functions: answer."]);
    expect(await answer()).toEqual({ answer: 43 });
  });

  test("a function that fails leaves the former one, names its file and line, and is tried at the next start", async () => {
    await writeFunction("answer", RETURNS(42));
    await migrate(url, { directory });
    await writeFunction("answer", `${RETURNS(43)}\nGRANT EXECUTE ON FUNCTION answer TO nobody_at_all;\n`);
    await expect(migrate(url, { directory })).rejects.toThrow(
      `${join(directory, "functions/answer.sql")}, line 3: role "nobody_at_all" does not exist. Nothing of this file was kept.`,
    );
    expect(await answer()).toEqual({ answer: 42 });
    await writeFunction("answer", RETURNS(44));
    await migrate(url, { directory });
    expect(await answer()).toEqual({ answer: 44 });
  });

  test("the product's own functions can be applied to a database that has them", async () => {
    await migrate(url);
    const triggers =
      "SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2";
    const before = (await database.query(triggers)).rows;
    expect(before.length).toBeGreaterThan(20);
    await database.query("DELETE FROM _applied_functions");
    expect(await migrate(url)).toEqual([]);
    expect((await database.query(triggers)).rows).toEqual(before);
    expect((await database.query("SELECT count(*)::int FROM _applied_functions")).rows).toEqual([{ count: 11 }]);
  });

  test("a migration that fails leaves nothing, names its file and line, and keeps those before it", async () => {
    await write("003_wrong", "CREATE TABLE words (id int);\n\nALTER TABLE lettres ADD title text;\n");
    await expect(migrate(url, { directory })).rejects.toThrow(
      `${join(directory, "migrations/003_wrong/migration.sql")}, line 3: relation "lettres" does not exist. Nothing of this file was kept.`,
    );
    expect(
      (await database.query("SELECT to_regclass('words') AS words, to_regclass('letters') AS letters")).rows,
    ).toEqual([{ words: null, letters: "letters" }]);
    expect(await records()).toEqual(BOTH);
    await write("003_wrong", "ALTER TABLE letters ADD title text;\n");
    expect(await migrate(url, { directory })).toEqual(["003_wrong"]);
  });

  test("the line of a statement that fails while it runs is found between functions, strings and comments", async () => {
    await write(
      "003_wrong",
      `-- Words; and more.
CREATE FUNCTION two() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RETURN 2;
END $$;
/* ; */ INSERT INTO letters VALUES (2, 'a;b''c'), (3, E'\\';');;

CREATE UNIQUE INDEX letters_body ON letters ((length(body) > 0));
`,
    );
    await expect(migrate(url, { directory })).rejects.toThrow(
      /003_wrong\/migration\.sql, line 8: could not create unique index "letters_body"\. Key .* is duplicated\. Nothing/,
    );
  });

  test("a migration that ends its own transaction is not taken for applied", async () => {
    await write("003_commits", "CREATE TABLE words (id int);\nCOMMIT;\nCREATE TABLE more_words (id int);\n");
    await expect(migrate(url, { directory })).rejects.toThrow("ends its own transaction");
    expect(await records()).toEqual([...BOTH, { name: "003_commits", finished: false, steps: 1 }]);
  });

  test("two processes that start together apply everything once, and both succeed", async () => {
    const both = await Promise.all([migrate(url, { directory }), migrate(url, { directory })]);
    expect(both.flat()).toEqual(["001_letters", "002_more"]);
    expect(await records()).toEqual(BOTH);
  });

  test("waiting for another that migrates ends, and says who it is", async () => {
    await database.query("SET application_name = 'slow release'; SELECT pg_advisory_lock(72707369)");
    // The lock of another database on the same server does not count.
    await admin.query("SELECT pg_advisory_lock(72707369)");
    await expect(migrate(url, { directory, lockWaitMs: 200 })).rejects.toThrow(
      /^Another process has been migrating this database for too long: "slow release" from [^"]*\(backend \d+\)\. Wait until/,
    );
    await admin.query("SELECT pg_advisory_unlock(72707369)");
    await database.query("SELECT pg_advisory_unlock(72707369)");
    expect(await migrate(url, { directory, lockWaitMs: 200 })).toEqual(["001_letters", "002_more"]);
  });

  test("a table in use holds a migration up, but no reader behind it for more than two seconds", async () => {
    await migrate(url, { directory });
    await write("003_title", "ALTER TABLE letters ADD title text;");
    await database.query("BEGIN; LOCK TABLE letters IN ACCESS SHARE MODE");
    const migrating = migrate(url, { directory });
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await waitFor(database, "SELECT 1 FROM pg_locks WHERE relation = 'letters'::regclass AND NOT granted");
    const start = performance.now();
    await reader.query("SELECT * FROM letters");
    expect(performance.now() - start).toBeLessThan(2_500);
    await database.query("COMMIT");
    expect(await migrating).toEqual(["003_title"]);
    await reader.end();
  });

  test("a process killed in the middle leaves nothing, and the next one completes", async () => {
    await write("003_slow", "CREATE TABLE words (id int);\nSELECT pg_sleep(30);\n");
    const program = `import { migrate } from "./server/migrate.ts"; await migrate(process.argv[1], { directory: process.argv[2] });`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program, url, directory], {
      stdio: "inherit",
    });
    await waitFor(
      database,
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'lectern migrate' AND wait_event = 'PgSleep'",
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    await write("003_slow", "CREATE TABLE words (id int);\n");
    expect(await migrate(url, { directory })).toEqual(["003_slow"]);
    expect(await records()).toEqual([...BOTH, { name: "003_slow", finished: true, steps: 1 }]);
  });
});

async function waitFor(database: Client, question: string): Promise<void> {
  await expect.poll(async () => (await database.query(question)).rowCount, { timeout: 15_000, interval: 20 }).toBe(1);
}
