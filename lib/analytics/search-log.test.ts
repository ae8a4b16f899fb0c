import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { flushSearches, noteSearch, noteSearchClick } from "@/lib/analytics/search-log";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { openLog } from "@/lib/log";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

interface Row {
  id: string;
  term: string;
  clicked: boolean;
}

const written = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) => read<Row>("SELECT id, term, clicked FROM searches ORDER BY created_at, term, id"));
const terms = async (workspace: TestWorkspace) => (await written(workspace)).map(({ term }) => term).sort();
const clicks = async (workspace: TestWorkspace) =>
  (await written(workspace)).filter(({ clicked }) => clicked).map(({ id }) => id);
const note = ({ id }: TestWorkspace, ...all: string[]) => all.map((term) => noteSearch(id, { term, total: 1 }));

afterEach(() => openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) }));

test("a search is written soon after it was noted, and nothing of it says who searched", async () => {
  const workspace = await aWorkspace();
  const id = noteSearch(workspace.id, { term: " Réset  my\tPassword ", total: 3 });
  const all = () => readWorkspace(workspace.id, (read) => read("SELECT * FROM searches"));
  await expect.poll(all).toEqual([
    {
      workspace_id: workspace.id,
      id,
      term: "Réset my Password",
      term_folded: "reset my password",
      results_count: 3,
      clicked: false,
      created_at: expect.any(Date),
    },
  ]);
  const [age] = await readWorkspace(workspace.id, (read) =>
    read("SELECT created_at BETWEEN now() - interval '1 minute' AND now() AS recent FROM searches"),
  );
  expect(age).toEqual({ recent: true });
});

test("of a word that is typed letter by letter the last search is kept", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  note(workspace, "P", "pa", "PÁSS", "invoice", "password", "password", "pass");
  note(other, "invoic");
  const [opened = ""] = note(workspace, "ref");
  noteSearchClick(workspace.id, opened);
  note(workspace, "refund");
  await flushSearches();
  expect(await terms(workspace)).toEqual(["invoice", "pass", "password", "password", "ref", "refund"]);
  expect(await terms(other)).toEqual(["invoic"]);
});

test("a click is kept with its search, whether that is written already or not", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const [first = "", second = "", third = ""] = note(workspace, "one", "two", "three");
  noteSearchClick(workspace.id, first);
  await flushSearches();
  expect(await clicks(workspace)).toEqual([first]);
  noteSearchClick(workspace.id, second);
  await expect.poll(async () => (await clicks(workspace)).sort()).toEqual([first, second].sort());

  for (const id of [randomUUID(), "", "nonsense", `${third}'`]) noteSearchClick(workspace.id, id);
  noteSearchClick(other.id, third);
  note(workspace, "four");
  await flushSearches();
  expect((await clicks(workspace)).sort()).toEqual([first, second].sort());
  expect(await terms(workspace)).toEqual(["four", "one", "three", "two"]);
  expect(await written(other)).toEqual([]);
});

test("none of very many searches is lost, nor a click on one of the last", async () => {
  const workspace = await aWorkspace();
  const ids = note(workspace, ...Array.from({ length: 450 }, (_, index) => `number ${index} of them`));
  noteSearchClick(workspace.id, ids[449] ?? "");
  await flushSearches();
  expect((await written(workspace)).map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(await clicks(workspace)).toEqual([ids[449]]);
});

test("a workspace that keeps no log of searches has none from that moment on", async () => {
  const workspace = await aWorkspace();
  const keep = (searchLogEnabled: boolean) =>
    inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { searchLogEnabled } }));
  note(workspace, "before");
  await flushSearches();
  note(workspace, "noted before, and not written yet");
  await keep(false);
  note(workspace, "meanwhile");
  await flushSearches();
  await keep(true);
  note(workspace, "afterward");
  await flushSearches();
  expect(await terms(workspace)).toEqual(["afterward", "before"]);
});

test("whatever was typed can be kept, 200 characters of it", async () => {
  const workspace = await aWorkspace();
  note(workspace, "", " \t\0", "\ud83c", "nul\0and\u001b[31m", "half\ud800", "?!", "x".repeat(300));
  note(workspace, `${"y".repeat(199)}🎉`, `${"z".repeat(199)} z`, "Cafe\u0301");
  await flushSearches();
  expect(await terms(workspace)).toEqual(
    ["nul and [31m", "half", "?!", "x".repeat(200), "y".repeat(199), "z".repeat(199), "Café"].sort(),
  );
});

test("searches are kept for 400 days, even if very many expire together", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  for (const { id } of [workspace, other]) {
    await acrossWorkspaces.query(
      `INSERT INTO searches (workspace_id, term, term_folded, results_count, created_at)
       SELECT $1::uuid, 'old', 'old', 0, now() - interval '401 days' FROM generate_series(1, 1500)
       UNION ALL SELECT $1::uuid, 'kept', 'kept', 0, now() - interval '399 days'`,
      [id],
    );
  }
  note(workspace, "first");
  await flushSearches();
  note(workspace, "second");
  await flushSearches();
  expect(await terms(workspace)).toEqual(["first", "kept", "second"]);
  expect(await written(other)).toHaveLength(1_501);
});

test("one that cannot be written holds up nobody else's, and is told of without its words", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const lines: string[] = [];
  openLog({ level: "info", format: "json", write: (line) => lines.push(line) });
  noteSearch(workspace.id, { term: "confidential", total: Number.NaN });
  noteSearch("no workspace", { term: "confidential too", total: 1 });
  note(other, "fine");
  await flushSearches();
  note(workspace, "fine as well");
  await flushSearches();
  expect(await terms(other)).toEqual(["fine"]);
  expect(await terms(workspace)).toEqual(["fine as well"]);
  expect(lines.filter((line) => line.includes("could not be written:"))).toHaveLength(2);
  expect(lines.map((line) => JSON.parse(line) as { dropped?: number })).toContainEqual(
    expect.objectContaining({ level: "warn", dropped: 2 }),
  );
  expect(lines.join("")).not.toContain("confidential");
});
