import type { Client } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aPooler, type Pooler } from "@/testing/pooler";
import { type Planted, plant } from "@/testing/wall";
import { aDatabase, type TestDatabase } from "@/testing/workspace";

// Lectern behind PgBouncer in transaction mode. Many connections share one session of PostgreSQL.

let wall: typeof import("@/lib/db");
let made: TestDatabase;
let pooler: Pooler;
let owner: Client;
let ours: Planted;
let theirs: Planted;

beforeAll(async () => {
  made = await aDatabase(process.env.DATABASE_URL as string);
  const login = await made.serverLogin();
  pooler = await aPooler(login, { sessions: 1 });
  vi.stubEnv("DATABASE_URL", pooler.url);
  vi.stubEnv("DATABASE_DIRECT_URL", login);
  vi.resetModules();
  wall = await import("@/lib/db");
  owner = await made.connect();
  ours = await plant(owner);
  theirs = await plant(owner);
});

afterAll(async () => {
  await wall.closeConnections();
  await pooler.stop();
  await made.drop();
  vi.unstubAllEnvs();
});

const SEEN = "SELECT title, pg_backend_pid() AS session FROM articles";
interface Seen {
  title: string;
  session: number;
}

const units = {
  read: (id: string) => wall.readWorkspace(id, (read) => read<Seen>(SEEN)),
  write: (id: string) => wall.inWorkspace(id, (db) => db.$queryRawUnsafe<Seen[]>(SEEN)),
  model: (id: string) =>
    wall.inWorkspace(id, async (db) => {
      const before = await wall.readingOf(db)<Seen>(SEEN);
      const titles = await db.article.findMany({ select: { title: true } });
      return before.map((row, index) => ({ ...row, title: titles[index]?.title ?? "" }));
    }),
};

/** What a session is like between transactions. */
const state = () =>
  wall.acrossWorkspaces.query(
    `SELECT current_user = session_user AS "roleIsBack", current_setting('statement_timeout') AS timeout,
       current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('tcp_user_timeout') AS lost,
       coalesce(current_setting('app.workspace_id', true), '') AS workspace`,
  );
const clean = [{ roleIsBack: true, timeout: "0", idle: "0", lost: "0", workspace: "" }];

test("two workspaces that share a session never see each other, and leave nothing in it", async () => {
  for (const unit of Object.values(units)) {
    const turns = Array.from({ length: 12 }, (_, turn) => (turn % 3 ? ours : theirs));
    const [answers, between] = await Promise.all([
      Promise.all(turns.map(({ id }) => unit(id))),
      Promise.all(turns.map(() => state())),
    ]);
    expect(answers.map((rows) => [...new Set(rows.map(({ title }) => title))])).toEqual(
      turns.map(({ word }) => [word]),
    );
    expect(new Set(answers.flat().map(({ session }) => session)).size).toBe(1);
    expect(between).toEqual(turns.map(() => clean));
  }
});

test("a unit that fails or runs out of time leaves nothing in the session", async () => {
  const ends = [
    () => wall.inWorkspace(ours.id, () => Promise.reject(new Error("The unit fails."))),
    () => wall.readWorkspace(ours.id, (read) => read("SELECT nonsense")),
    () => wall.inWorkspace(ours.id, (db) => db.$queryRaw`SELECT nonsense`),
    () => wall.inWorkspace(ours.id, (db) => db.$queryRaw`SELECT FROM pg_sleep(30)`, 1),
    () => wall.readWorkspace(ours.id, (read) => read("SELECT FROM pg_sleep(30)"), 1),
  ];
  for (const unit of ends) {
    await expect(unit()).rejects.toThrow();
    expect(await state()).toEqual(clean);
    expect((await units.read(theirs.id)).map(({ title }) => title)).toContain(theirs.word);
  }
});
