import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { kbWith } from "@/testing/kb";
import { aDatabase, type TestDatabase } from "@/testing/workspace";

// The command line with the login of a server, which does not own the tables.

vi.setConfig({ testTimeout: 180_000 });

let folder: string;
let made: TestDatabase;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-logins-"));
  made = await aDatabase(String(process.env.DATABASE_URL));
  url = await made.serverLogin();
});
afterAll(async () => {
  await made.drop();
  await rm(folder, { recursive: true });
});

const kbAs = (login: string, ...args: string[]) => kbWith({ DATABASE_URL: login, DATA_DIR: folder }, ...args);

test("it manages workspaces and makes backups, and only the owner can restore them", async () => {
  const created = await kbAs(url, "workspace", "create", "--subdomain", "docs", "--name", "Docs");
  expect([created.err, created.code]).toEqual([expect.any(String), 0]);
  const imported = await kbAs(url, "import", "--workspace", "docs", "prisma/acme");
  expect([imported.out, imported.code]).toEqual([expect.stringMatching(/^Read 8 files .* 8 new/), 0]);
  const file = join(folder, "lectern.zip");
  const saved = await kbAs(url, "backup", "--out", file);
  expect([saved.err, saved.code]).toEqual([expect.any(String), 0]);
  expect(saved.out).toMatch(/^Saved and checked 1 workspace, /);

  const empty = await aDatabase(String(process.env.DATABASE_URL));
  try {
    const login = await empty.serverLogin();
    const refused = await kbAs(login, "restore", file);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain(
      `Only the owner of the tables can restore, and the role ${new URL(login).username} isn't the owner. Set DATABASE_URL to the owner's for this command.\n`,
    );
    const restored = await kbAs(empty.url, "restore", file);
    expect([restored.err, restored.code]).toEqual([expect.any(String), 0]);
    expect((await kbAs(login, "workspace", "list")).out).toMatch(/^docs +Docs /m);
  } finally {
    await empty.drop();
  }
});

test("doctor says which login it has, and which rights are too many", async () => {
  const owner = await made.connect();
  const { rows } = await owner.query<{ name: string }>("SELECT current_user AS name");
  const wide = await kbAs(made.url, "doctor");
  expect(wide.out).toContain(`ok       the database login is ${rows[0]?.name}, which owns the tables\n`);
  const name = new URL(url).username;
  const narrow = await kbAs(url, "doctor");
  expect(narrow.out).toContain(`ok       the database login is ${name}, which can't change tables\n`);
  await owner.query(
    `ALTER ROLE ${name} CREATEDB; GRANT pg_read_all_data TO ${name}; GRANT CREATE ON SCHEMA public TO ${name}`,
  );
  const more = await kbAs(url, "doctor");
  expect(more.out).toContain(
    `problem  the database login is ${name}, which can't change tables: It has more rights than the server needs: CREATEDB, CREATE in its schema, the role pg_read_all_data. Revoke them as the database's administrator.\n`,
  );
  expect(more.code).toBe(1);
  await owner.query(`REVOKE CREATE ON SCHEMA public FROM ${name}`);
});

test("migrate applies what is missing, as the owner", async () => {
  const owner = await made.connect();
  await owner.query("UPDATE _applied_functions SET checksum = '' WHERE name = 'enqueue_job'");
  const refused = await kbAs(url, "migrate");
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.err).toMatch(
    /^The role .* can't apply the migrations of this version: enqueue_job\. Run "npm run kb -- migrate"/,
  );
  const applied = await kbAs(made.url, "migrate");
  expect(applied).toMatchObject({
    code: 0,
    err: "Applied functions: enqueue_job.\n",
    out: "The database is up to date.\n",
  });
  expect((await kbAs(url, "migrate")).out).toBe("The database is up to date.\n");
});
