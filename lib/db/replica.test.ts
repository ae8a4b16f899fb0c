import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { duringRequest, newRequest } from "@/lib/http/request";
import { openLog } from "@/lib/log";
import { aFragileDatabase, type FragileDatabase, type FragileReplica } from "@/testing/outage";
import { type Planted, plant } from "@/testing/wall";
import type { Read, Versions } from "./versions";

// A real streaming replica. Making it takes seconds.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let primary: FragileDatabase;
let replica: FragileReplica;
let wall: typeof import("@/lib/db");
let ours: Planted;
let theirs: Planted;

beforeAll(async () => {
  primary = await aFragileDatabase();
  replica = await primary.replica();
  ours = primary.ours;
  theirs = await plant(primary.owner);
  await replica.catchUp();
  await use(replica);
});

/** Connects as a server does that has just been started. */
async function use({ url }: { url: string }): Promise<void> {
  vi.stubEnv("DATABASE_URL", primary.url);
  vi.stubEnv("DATABASE_REPLICA_URL", url);
  vi.resetModules();
  wall = await import("@/lib/db");
}

afterEach(() => wall.closeConnections());

afterAll(async () => {
  vi.unstubAllEnvs();
  await replica.drop();
  await primary.drop();
});

const SEEN = 'SELECT name, pg_is_in_recovery() AS "onReplica" FROM categories ORDER BY name';
interface Seen {
  name: string;
  onReplica: boolean;
}

/** What the door finds on the primary. */
async function versionsNow({ id }: Planted): Promise<Versions> {
  const sql = "SELECT version::text AS content, drafts::text FROM content_versions WHERE workspace_id = $1";
  return (await primary.owner.query<Versions>(sql, [id])).rows[0] as Versions;
}

type Kind = "alone" | "together";

const read = ({ id }: Planted, kind: Kind, since?: Versions) =>
  duringRequest(newRequest(null, "api"), () =>
    kind === "alone"
      ? wall.readWorkspace(id, (read) => read<Seen>(SEEN), undefined, since)
      : wall.readTogether(id, (read) => read<Seen>(SEEN), since),
  );

/** The names that a read at these versions sees, and where it was. */
async function seen(workspace: Planted, kind: Kind, since?: Versions) {
  const rows = await read(workspace, kind, since);
  return { names: rows.map(({ name }) => name), on: rows[0]?.onReplica ? "replica" : "primary" };
}

const kinds: Kind[] = ["alone", "together"];
const rename = ({ id, ids }: Planted, name: string) =>
  wall.inWorkspace(id, (db) => db.category.updateMany({ where: { id: ids.leaf as string }, data: { name } }));

/** Waits for a read on the replica: on a busy machine, the primary may be faster. */
const onReplica = (check: () => Promise<void>) => vi.waitFor(check, 20_000);

test.each(kinds)("a replica with the versions of the primary answers reads %s, behind the same wall", async (kind) => {
  const workspaces = Array.from({ length: 12 }, (_, turn) => (turn % 2 ? ours : theirs));
  const versions = { [ours.id]: await versionsNow(ours), [theirs.id]: await versionsNow(theirs) };
  await onReplica(async () => {
    const answers = await Promise.all(workspaces.map((one) => seen(one, kind, versions[one.id])));
    expect(answers).toEqual(workspaces.map(({ word }) => ({ names: [word, word], on: "replica" })));
  });
  expect(await seen(ours, kind)).toEqual({ names: [ours.word, ours.word], on: "primary" });
});

test("reads that may use the replica are counted by the database that answers them", async () => {
  const versions = await versionsNow(ours);
  await onReplica(async () => expect((await seen(ours, "alone", versions)).on).toBe("replica"));
  const { replica: before = 0, primary = 0 } = wall.replicaCounts()?.opened ?? {};
  expect(before).toBeGreaterThan(0);
  await seen(ours, "alone", { ...versions, content: String(BigInt(versions.content) + 1n) });
  await seen(ours, "alone");
  expect(wall.replicaCounts()?.opened).toEqual({ replica: before, primary: primary + 1 });
});

test.each(kinds)(
  "a change is in the next reads %s while the replica is behind, and when it has caught up",
  async (kind) => {
    const before = await versionsNow(theirs);
    await onReplica(async () => expect((await seen(theirs, kind, before)).on).toBe("replica"));
    await replica.replay("pause");
    await rename(theirs, "Aardvark");
    const after = await versionsNow(theirs);
    const all = { names: ["Aardvark", theirs.word], on: "primary" };
    expect(await seen(theirs, kind, after)).toEqual(all);
    // Reads that arrive together.
    const [, next] = await Promise.all([seen(theirs, kind, before), seen(theirs, kind, after)]);
    expect(next).toEqual(all);
    await onReplica(async () =>
      expect(await seen(theirs, kind, before)).toEqual({ names: [theirs.word, theirs.word], on: "replica" }),
    );
    await replica.replay("resume");
    await replica.catchUp();
    await onReplica(async () => expect(await seen(theirs, kind, after)).toEqual({ ...all, on: "replica" }));
    await rename(theirs, theirs.word);
    await replica.catchUp();
  },
);

test("a change to drafts alone sends reads to the primary too", async () => {
  await replica.replay("pause");
  const before = await versionsNow(ours);
  await primary.owner.query("UPDATE members SET email = 'new@example.com' WHERE workspace_id = $1", [ours.id]);
  const after = await versionsNow(ours);
  expect(after.content).toBe(before.content);
  await onReplica(async () => expect((await seen(ours, "alone", before)).on).toBe("replica"));
  expect((await seen(ours, "alone", after)).on).toBe("primary");
  await replica.replay("resume");
  await replica.catchUp();
});

test.each(kinds)("reads %s that a replica cancels because of a conflict run again on the primary", async (kind) => {
  const since = await versionsNow(ours);
  await onReplica(async () => {
    const places: boolean[] = [];
    const work = async (read: Read) => {
      const [row] = await read<Seen>(SEEN);
      places.push(row?.onReplica ?? false);
      if (!row?.onReplica) return "the primary's answer";
      await primary.owner.query("BEGIN; LOCK TABLE categories IN ACCESS EXCLUSIVE MODE; COMMIT");
      for (;;) await read(SEEN);
    };
    const answer =
      kind === "alone" ? wall.readWorkspace(ours.id, work, 2, since) : wall.readTogether(ours.id, work, since);
    const { primary: before = 0 } = wall.replicaCounts()?.opened ?? {};
    expect(await answer).toBe("the primary's answer");
    expect([places, wall.replicaCounts()?.opened.primary]).toEqual([[true, false], before + 1]);
  });
});

test("a slow query on the replica is logged as one", async () => {
  const warnings: string[] = [];
  openLog({ level: "warn", format: "json", write: (line) => warnings.push(line) });
  onTestFinished(async () => {
    openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) });
    vi.stubEnv("SLOW_QUERY_MS", undefined);
    await use(replica);
  });
  vi.stubEnv("SLOW_QUERY_MS", "20");
  await use(replica);
  const since = await versionsNow(ours);
  await onReplica(async () => {
    await wall.readWorkspace(ours.id, (read) => read("SELECT pg_sleep(0.05)"), 2, since);
    expect(warnings.join("")).toMatch(/"database":"replica".*pg_sleep/);
  });
  await wall.readWorkspace(ours.id, (read) => read("SELECT pg_sleep(0.05)"));
  expect(warnings.at(-1)).not.toContain("replica");
});

test("a replica that has received nothing since its start also answers", async () => {
  await replica.stop();
  await replica.start();
  const since = await versionsNow(ours);
  await onReplica(async () => expect((await seen(ours, "alone", since)).on).toBe("replica"));
});

test("a copy that doesn't follow its primary is not used, and the log says so once", async () => {
  const copy = await primary.replica({ follows: false });
  const warnings: string[] = [];
  openLog({ level: "warn", format: "json", write: (line) => warnings.push(line) });
  onTestFinished(async () => {
    openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) });
    await copy.drop();
    await use(replica);
  });
  await use(copy);
  const since = await versionsNow(ours);
  // Also when it is connected.
  const readSome = async () => {
    for (let read = 0; read < 5; read++) expect((await seen(ours, "alone", since)).on).toBe("primary");
  };
  await readSome();
  await vi.waitFor(async () => {
    await readSome();
    expect(warnings).toHaveLength(1);
  }, 20_000);
  expect(warnings[0]).toContain("over a minute behind");
  await readSome();
  expect(warnings).toHaveLength(1);
});

test.each(["stop", "freeze"] as const)("no read fails after a replica's %s, and it is used again", async (outage) => {
  const since = await versionsNow(ours);
  const burst = () => Promise.all(Array.from({ length: 40 }, (_, turn) => seen(ours, kinds[turn % 2] as Kind, since)));
  const answers = (on: string) => Array.from({ length: 40 }, () => ({ names: [ours.word, ours.word], on }));
  await onReplica(async () => expect(await burst()).toEqual(answers("replica")));
  await replica[outage]();
  expect(await burst()).toEqual(answers("primary"));
  expect(await burst()).toEqual(answers("primary"));
  if (outage === "stop") await replica.start();
  else replica.thaw();
  await onReplica(async () => expect(await burst()).toEqual(answers("replica")));
});
