import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Db } from "@/lib/db";
import { duringRequest, newRequest } from "@/lib/http/request";
import { type Planted, plant, snapshot } from "@/testing/wall";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

// The traces, limits and failures of a unit of work. The pool has two connections beside those for jobs.

describe.each(testServers)("on %s", (_, server) => {
  let wall: typeof import("@/lib/db");
  let made: TestDatabase;
  let owner: Client;
  let ours: Planted;
  let theirs: Planted;

  /** lib/db with a pool of its own. */
  async function connected(url: string) {
    vi.stubEnv("DATABASE_URL", url);
    vi.stubEnv("DATABASE_POOL", "4");
    vi.resetModules();
    return import("@/lib/db");
  }

  beforeAll(async () => {
    made = await aDatabase(server);
    wall = await connected(made.url);
    owner = await made.connect();
    ours = await plant(owner);
    theirs = await plant(owner);
  });

  afterAll(async () => {
    await wall.closeConnections();
    await made.drop();
    vi.unstubAllEnvs();
  });

  const titles = (rows: { title: string }[]) => [...new Set(rows.map(({ title }) => title))];
  const failing = () => Promise.reject(new Error("The unit fails."));

  test("a unit sees one workspace because it switches the role, while the connecting role sees all of them", async () => {
    const inside = await wall.inWorkspace(ours.id, (db) => db.article.findMany());
    expect(titles(inside)).toEqual([ours.word]);
    const read = await wall.readWorkspace(ours.id, (query) => query<{ title: string }>("SELECT title FROM articles"));
    expect(titles(read)).toEqual([ours.word]);
    const withoutRole = await wall.acrossWorkspaces.transaction(async (db) => {
      await db.$queryRaw`SELECT set_config('app.workspace_id', ${ours.id}, true)`;
      return db.article.findMany();
    });
    expect(titles(withoutRole).sort()).toEqual([ours.word, theirs.word].sort());
  });

  test("a reading unit cannot write", async () => {
    const sql = "UPDATE synonyms SET term = 'changed'";
    const before = await snapshot(owner, ours.id);
    await expect(wall.readWorkspace(ours.id, (read) => read(sql))).rejects.toMatchObject({ code: "25006" });
    expect(await snapshot(owner, ours.id)).toBe(before);
    expect(await wall.inWorkspace(ours.id, (db) => db.$executeRawUnsafe(sql))).toBe(1);
  });

  test("statements sent together report the one that failed, after all have ended", async () => {
    const before = await snapshot(owner, ours.id);
    let ended = false;
    const failed = wall.inWorkspace(ours.id, async (db) => {
      const later = async () => {
        await db.$executeRaw`SELECT 1 / 0`.catch(() => {});
        await db.$executeRaw`UPDATE synonyms SET term = 'changed'`.finally(() => (ended = true));
      };
      await wall.inOneGo([later(), db.$executeRaw`UPDATE synonyms SET term = term || '!'`, failing()]);
    });
    await expect(failed).rejects.toThrow("The unit fails.");
    expect(ended).toBe(true);
    expect(await snapshot(owner, ours.id)).toBe(before);
  });

  test("statements sent together report the cause, also where Prisma's fail because of it", async () => {
    const failed = wall.inWorkspace(ours.id, (db) =>
      wall.inOneGo([db.tag.findMany(), db.synonym.findMany(), db.$executeRaw`SELECT 1 / 0`]),
    );
    await expect(failed).rejects.toMatchObject({ code: "22012" });
  });

  test("when the statement that builds the wall fails, those that were sent with it change nothing", async () => {
    const before = await snapshot(owner, theirs.id);
    let results: PromiseSettledResult<unknown>[] = [];
    const failed = wall.inWorkspace("\0", async (db) => {
      const changes = [
        db.$executeRaw`UPDATE synonyms SET term = 'changed'`,
        db.synonym.updateMany({ data: { term: "changed" } }),
      ];
      results = await Promise.allSettled(changes);
    });
    await expect(failed).rejects.toMatchObject({ code: "22021" });
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await snapshot(owner, theirs.id)).toBe(before);
  });

  test("a statement on a list keeps its plan only if it reads no table", async () => {
    const kept = await wall.inWorkspace(ours.id, async (db) => {
      const lists = [
        `INSERT INTO tags (name, name_folded) SELECT * FROM unnest($1::text[], $1::text[])
         ON CONFLICT (workspace_id, name_folded) DO UPDATE
           SET name = excluded.name`,
        "SELECT count(*) FROM (SELECT DISTINCT word FROM unnest($1::text[]) AS word) words",
        "SELECT count(*) FROM unnest($1::text[]) AS word WHERE EXISTS (SELECT FROM tags WHERE name = word)",
        "SELECT count(*) FROM unnest($1::text[]) AS word JOIN tags ON name = word",
        "select count(*) from tags join unnest($1::text[]) AS word on name = word",
        "SELECT count(*) FROM unnest($1::text[]) AS word JOIN unnest($1::text[]) AS other ON other = word",
        "UPDATE tags SET name = word FROM unnest($1::text[]) AS word WHERE name = word",
      ];
      for (const sql of lists) await wall.readingOf(db)(sql, [["a word"]]);
      const rows = await db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
      return lists.map((sql) => rows.some(({ statement }) => statement === sql));
    });
    expect(kept).toEqual([true, true, false, false, false, false, false]);
  });

  test("quick reads that arrive together share a snapshot of their workspace, and others don't", async () => {
    const moment = async (id: string) => {
      const [row] = await wall.readTogether(id, (read) =>
        read<{ began: string; titles: string[] }>(
          "SELECT pg_backend_pid() || ' ' || now()::text AS began, array_agg(DISTINCT title) AS titles FROM articles",
        ),
      );
      return row;
    };
    const [first, other, second] = await Promise.all([moment(ours.id), moment(theirs.id), moment(ours.id)]);
    expect(second).toEqual({ began: first?.began, titles: [ours.word] });
    expect(other?.titles).toEqual([theirs.word]);
    expect(other?.began).not.toBe(first?.began);
    expect((await moment(ours.id))?.began).not.toBe(first?.began);
  });

  test("a quick read is not refused because another one of its snapshot failed", async () => {
    const failure = (error: { code: string }) => error.code;
    const one = (sql: string) => wall.readTogether(ours.id, (read) => read<{ title: string }>(sql).then(titles));
    const [before, refused, after] = await Promise.all([
      one("SELECT title FROM articles"),
      one("SELECT (1 / 0)::text AS title").catch(failure),
      one("SELECT title FROM articles"),
    ]);
    expect([before, refused, after]).toEqual([[ours.word], "22012", [ours.word]]);
    // The second read uses the first one's statement, so its text isn't sent.
    const nonsense = () => one("SELECT nonsense").catch(failure);
    expect(await Promise.all([nonsense(), nonsense()])).toEqual(["42703", "42703"]);
  });

  test("a quick read sees what was changed before it, also while others read", async () => {
    const content = () =>
      wall.readTogether(ours.id, (read) => read<{ term: string }>("SELECT term FROM synonyms LIMIT 1"));
    const others: Promise<unknown>[] = [];
    for (const term of Array.from({ length: 50 }, (_, index) => `word ${index}`)) {
      others.push(content(), content());
      await owner.query("UPDATE synonyms SET term = $1 WHERE workspace_id = $2", [term, ours.id]);
      others.push(content());
      expect(await content()).toEqual([{ term }]);
    }
    await Promise.all(others);
  });

  test("a quick read that has no time left keeps no connection, and ends no other one's time", async () => {
    const one = (waitedMs: number) => {
      const request = newRequest(null, "api");
      request.waiting.ms = waitedMs;
      return duringRequest(request, () =>
        wall.readTogether(ours.id, async (read) => titles(await read<{ title: string }>("SELECT title FROM articles"))),
      );
    };
    for (const _ of [1, 2, 3]) {
      const [fresh, late, tired] = await Promise.allSettled([one(0), one(1_900), one(3_000)]);
      expect([fresh, late]).toMatchObject([{ value: [ours.word] }, { value: [ours.word] }]);
      expect(tired).toMatchObject({ reason: { name: "UnavailableError" } });
    }
    const { total, idle } = wall.connectionCounts();
    expect(idle).toBe(total);
  });

  test("a quick read doesn't share the time of one that waits for long", async () => {
    const held: (() => void)[] = [];
    const holders = [1, 2].map(() =>
      wall.inWorkspace(ours.id, () => new Promise<void>((resolve) => held.push(resolve)), 10),
    );
    await vi.waitFor(() => expect(held).toHaveLength(2));
    const one = () =>
      wall.readTogether(ours.id, async (read) => titles(await read<{ title: string }>("SELECT title FROM articles")));
    const early = one().catch((error: Error) => error.name);
    const start = performance.now();
    await vi.waitFor(() => expect(performance.now() - start).toBeGreaterThan(1_000), 5_000);
    const late = one();
    expect(await early).toBe("UnavailableError");
    for (const end of held) end();
    expect(await late).toEqual([ours.word]);
    await Promise.all(holders);
  });

  test("a reading unit takes no id that is more than one", async () => {
    const work = vi.fn();
    await expect(wall.readWorkspace(`${theirs.id}', true)--`, work)).rejects.toThrow("A workspace ID must be a UUID.");
    expect(work).not.toHaveBeenCalled();
  });

  test("a partition named directly shows nothing, and the policy of its own stands behind the missing grant", async () => {
    const partitionOf = async (workspace: Planted) => {
      const sql = "SELECT tableoid::regclass::text AS name FROM search_documents WHERE workspace_id = $1";
      return (await owner.query<{ name: string }>(sql, [workspace.id])).rows[0]?.name ?? "";
    };
    const seenIn = async (workspace: Planted) => {
      const sql = `SELECT title FROM ${await partitionOf(workspace)}`;
      return titles(await wall.readWorkspace(ours.id, (read) => read<{ title: string }>(sql)));
    };
    await expect(seenIn(ours)).rejects.toMatchObject({ code: "42501" });
    await expect(seenIn(theirs)).rejects.toMatchObject({ code: "42501" });
    for (const workspace of [ours, theirs])
      await owner.query(`GRANT SELECT ON ${await partitionOf(workspace)} TO kb_tenant`);
    expect(await seenIn(ours)).toEqual([ours.word]);
    expect(await seenIn(theirs)).not.toContain(theirs.word);
    await owner.query(`ALTER TABLE ${await partitionOf(theirs)} DISABLE ROW LEVEL SECURITY`);
    expect(await seenIn(theirs)).toContain(theirs.word);
  });

  test("no unit can empty a table: TRUNCATE asks no policy", async () => {
    const truncate = () => wall.inWorkspace(ours.id, (db) => db.$executeRaw`TRUNCATE searches`);
    const rows = async () => (await owner.query("SELECT id FROM searches")).rowCount;
    await expect(truncate()).rejects.toThrow("permission denied");
    expect(await rows()).toBe(2);
    await owner.query("GRANT TRUNCATE ON searches TO kb_tenant");
    await truncate();
    expect(await rows()).toBe(0);
  });

  test("a unit that has ended, or whose time ran out, reads nothing anymore", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const keep = async (db: Db) => {
      const read = wall.readingOf(db);
      late = () => read("SELECT title FROM articles");
      return late();
    };
    await wall.inWorkspace(ours.id, keep);
    await expect(late?.()).rejects.toThrow();
    let lateRead: (() => Promise<unknown>) | undefined;
    await wall.readWorkspace(ours.id, async (read) => {
      lateRead = () => read("SELECT title FROM articles");
      return lateRead();
    });
    await expect(lateRead?.()).rejects.toThrow("This unit has ended.");
    // It reads until it can't. Other titles would mean that a statement ran outside of the wall.
    let seen: string[] = [];
    const tooLong = wall.inWorkspace(
      ours.id,
      async (db) => {
        const read = wall.readingOf(db);
        do seen = titles(await read("SELECT title FROM articles"));
        while (seen.length === 1);
      },
      1,
    );
    await expect(tooLong).rejects.toThrow("The database is not responding.");
    expect(seen).toEqual([ours.word]);
  });

  describe("the next user of a connection", () => {
    /** Both connections of the pool, as they are found. */
    const found = async () => {
      const look = () =>
        wall.acrossWorkspaces.query<{ pid: number }>(
          `SELECT pg_backend_pid() AS pid, current_user = session_user AS "roleIsBack",
             coalesce(current_setting('app.workspace_id', true), '') AS workspace, current_setting('statement_timeout') AS timeout
           FROM pg_sleep(0.1)`,
        );
      const both = (await Promise.all([look(), look()])).flat();
      expect(new Set(both.map(({ pid }) => pid)).size).toBe(2);
      return both.map(({ pid: _pid, ...state }) => state);
    };
    const clean = { roleIsBack: true, workspace: "", timeout: "0" };

    test("finds neither role nor workspace of the unit before, however that ended", async () => {
      const units = [
        () => wall.inWorkspace(ours.id, (db) => db.article.findMany()),
        () => wall.readWorkspace(ours.id, (read) => read("SELECT id FROM articles")),
        () => wall.inWorkspace(ours.id, failing),
        () => wall.readWorkspace(ours.id, failing),
        () => wall.inWorkspace(ours.id, (db) => db.$queryRaw`SELECT nonsense`),
        () => wall.readWorkspace(ours.id, (read) => read("SELECT nonsense")),
      ];
      for (const unit of units) {
        await Promise.allSettled([unit(), unit()]);
        expect(await found()).toEqual([clean, clean]);
      }
    });

    test("sees nothing as kb_tenant without a wall of its own", async () => {
      await Promise.all([1, 2].map(() => wall.inWorkspace(ours.id, (db) => db.article.findMany())));
      const naked = wall.acrossWorkspaces.transaction(async (db) => {
        await db.$executeRaw`SET LOCAL ROLE kb_tenant`;
        return db.article.findMany();
      });
      await expect(naked).rejects.toThrow(/invalid input syntax for type uuid|unrecognized configuration parameter/);
      expect(await wall.inWorkspace(ours.id, (db) => db.article.count())).toBe(2);
    });

    test("would be seen to find them, were they not for the transaction alone", async () => {
      const stay = () =>
        wall.acrossWorkspaces.query(
          `SELECT set_config('role', 'kb_tenant', false), set_config('app.workspace_id', '${ours.id}', false) FROM pg_sleep(0.1)`,
        );
      await Promise.all([stay(), stay()]);
      const dirty = { ...clean, roleIsBack: false, workspace: ours.id };
      expect(await found()).toEqual([dirty, dirty]);
      await wall.closeConnections();
    });
  });

  test("concurrent units of two workspaces never mix, as settings outside a transaction would", async () => {
    type Query = (sql: string) => Promise<{ title: string }[]>;
    const readTwice = async (query: Query) => {
      const before = await query("SELECT title FROM articles");
      await query("SELECT '' AS title FROM pg_sleep(0.002)");
      return [...before, ...(await query("SELECT title FROM articles"))];
    };
    /** How many of 40 units saw anything but their own workspace. */
    const mixed = async (unit: (id: string) => ReturnType<Query>) => {
      const workspaces = Array.from({ length: 40 }, (_, turn) => (turn % 2 ? ours : theirs));
      const answers = await Promise.all(workspaces.map(({ id }) => unit(id)));
      return answers.filter((rows, turn) => String(titles(rows)) !== workspaces[turn]?.word).length;
    };
    expect(await mixed((id) => wall.readWorkspace(id, (read) => readTwice((sql) => read(sql))))).toBe(0);
    expect(await mixed((id) => wall.inWorkspace(id, (db) => readTwice((sql) => db.$queryRawUnsafe(sql))))).toBe(0);
    const withoutTransaction = async (id: string) => {
      const settings = "SELECT set_config('role', 'kb_tenant', false), set_config('app.workspace_id', $1, false)";
      await wall.acrossWorkspaces.query(settings, [id]);
      return readTwice((sql) => wall.acrossWorkspaces.query(sql));
    };
    expect(await mixed(withoutTransaction)).toBeGreaterThan(0);
    await wall.closeConnections();
  });

  describe("a database that does not answer", () => {
    const faces = (at: typeof wall, id: string) => [
      () => at.inWorkspace(id, (db) => db.article.count()),
      () => at.readWorkspace(id, (read) => read("SELECT count(*) FROM articles")),
      () => at.acrossWorkspaces.query("SELECT count(*) FROM articles"),
    ];
    const unavailable = { name: "UnavailableError", message: "The database is not responding." };

    /** The outcome of each function of the wall, and the milliseconds of all. */
    async function outcomes(at: typeof wall) {
      const start = performance.now();
      const settled = await Promise.allSettled(faces(at, ours.id).map((face) => face()));
      const reasons = settled.map((result) => (result.status === "rejected" ? result.reason : "an answer"));
      return { reasons, time: performance.now() - start };
    }
    const answers = ["an answer", "an answer", "an answer"];

    test("because it can't be reached, is an UnavailableError immediately", async () => {
      await wall.closeConnections();
      for (const place of ["", "?host=/no/folder/of/a/socket"]) {
        const away = await connected(`postgresql://nobody@127.0.0.1:1/nothing${place}`);
        const { reasons, time } = await outcomes(away);
        expect(reasons).toMatchObject([unavailable, unavailable, unavailable]);
        expect(time).toBeLessThan(3000);
        await away.closeConnections();
      }
      wall = await connected(made.url);
      expect((await outcomes(wall)).reasons).toEqual(answers);
    });

    test("because a statement or the whole unit takes too long, is one", async () => {
      const start = performance.now();
      await Promise.all([
        expect(wall.inWorkspace(ours.id, (db) => db.$queryRaw`SELECT 1 FROM pg_sleep(30)`, 1)).rejects.toMatchObject(
          unavailable,
        ),
        expect(wall.readWorkspace(ours.id, (read) => read("SELECT 1 FROM pg_sleep(30)"))).rejects.toMatchObject(
          unavailable,
        ),
      ]);
      const slow = wall.inWorkspace(ours.id, async (db) => [await sleep(1100), await db.article.count()], 1);
      await expect(slow).rejects.toMatchObject(unavailable);
      expect(performance.now() - start).toBeLessThan(15_000);
      expect((await outcomes(wall)).reasons).toEqual(answers);
    });

    test("because it ends the connection, is one, and the next unit has another connection", async () => {
      const end = () =>
        owner.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()",
        );
      const cut = wall.inWorkspace(ours.id, async (db) => [await end(), await db.article.count()]);
      await expect(cut).rejects.toMatchObject(unavailable);
      const read = wall.readWorkspace(ours.id, async (query) => [await end(), await query("SELECT 1")]);
      await expect(read).rejects.toMatchObject(unavailable);
      // Idle ones too: nobody waits for them, and the process lives on. Prisma would look after its own.
      await wall.closeConnections();
      const reading = () => wall.readWorkspace(ours.id, (query) => query("SELECT 1 AS one"));
      await Promise.all([reading(), reading()]);
      await end();
      await vi.waitFor(async () => expect(await reading()).toEqual([{ one: 1 }]));
    });

    test("is not what a mistake is called", async () => {
      const twice = wall.inWorkspace(ours.id, (db) =>
        db.tag.create({ data: { name: ours.word, nameFolded: ours.word } }),
      );
      await expect(twice).rejects.toMatchObject({ code: "P2002" });
      await expect(wall.readWorkspace(ours.id, (read) => read("SELECT nonsense"))).rejects.toMatchObject({
        code: "42703",
      });
      await expect(wall.acrossWorkspaces.query("SELECT nonsense")).rejects.toMatchObject({ code: "42703" });
    });
  });
});
