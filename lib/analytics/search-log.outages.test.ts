import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { aFragileDatabase, type FragileDatabase } from "@/testing/outage";

// A database that goes away under the log of searches.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: FragileDatabase;
let searches: typeof import("@/lib/analytics/search-log");
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  database = await aFragileDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.resetModules();
  searches = await import("@/lib/analytics/search-log");
  const { openLog } = await import("@/lib/log");
  openLog({
    level: "info",
    format: "json",
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
});

beforeEach(() => {
  lines.length = 0;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  database.thaw();
  await (await import("@/lib/db")).closeConnections();
  await database.drop();
});

const terms = async () =>
  (
    await database.owner.query<{ term: string }>("SELECT term FROM searches WHERE term <> $1", [database.ours.word])
  ).rows.map(({ term }) => term);
const note = (term: string) => searches.noteSearch(database.ours.id, { term, total: 1 });
const logged = (message: string) => lines.find(({ msg }) => msg === message);
const waits = "Searches are waiting to be written because the database is not responding.";
const back = "Searches are being written again. The database is back.";
const lost = "Searches were lost because they could not be written.";

test("while it is away the newest wait, the oldest give way, and no request is told of it", async () => {
  note("before");
  await searches.flushSearches();
  await database.stop();

  const { currentRequest, duringRequest, newRequest } = await import("@/lib/http/request");
  const request = newRequest(null, "api");
  await duringRequest(request, async () => {
    const ids = Array.from({ length: 2_100 }, (_, index) => note(`number ${index} of them`));
    searches.noteSearchClick(database.ours.id, ids[2_099] ?? "");
    await vi.waitFor(() => expect(logged(waits)).toBeDefined(), 20_000);
    expect(currentRequest()).toBe(request);
  });
  expect([request.unavailable, logged(waits)?.request_id]).toEqual([false, undefined]);

  // By now the click is older than it has to be, and its search is not among the first to be written.
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 5_000);
  await database.start();
  await vi.waitFor(() => expect(logged(back)).toBeDefined(), 20_000);
  const kept = Array.from({ length: 2_000 }, (_, index) => `number ${index + 100} of them`);
  expect((await terms()).sort()).toEqual(["before", ...kept].sort());
  expect(logged(lost)).toMatchObject({ level: "warn", dropped: 100 });
  const clicked = () => database.owner.query("SELECT term FROM searches WHERE clicked");
  await vi.waitFor(async () => expect((await clicked()).rows).toEqual([{ term: "number 2099 of them" }]), 20_000);
  clock.mockRestore();
});

test("a server that stops says how many searches are lost, and then has none of them", async () => {
  await database.owner.query("DELETE FROM searches");
  await database.stop();
  for (let index = 0; index < 350; index++) note(`number ${index} of them`);
  await vi.waitFor(() => expect(logged(waits)).toBeDefined(), 20_000);
  await searches.flushSearches();
  expect(logged(lost)).toMatchObject({ level: "warn", dropped: 350 });
  // Tried twice by now.
  expect(lines.filter(({ msg }) => msg === waits)).toHaveLength(1);
  lines.length = 0;

  await database.start();
  note("one that came after");
  await searches.flushSearches();
  expect(await terms()).toEqual(["one that came after"]);
  expect(logged(lost)).toBeUndefined();
});

test("a server that stops while it is frozen gives up, and says how many searches are lost", async () => {
  await database.freeze();
  note("one of two");
  note("two of two");
  await searches.flushSearches();
  expect(logged(lost)).toMatchObject({ level: "warn", dropped: 2 });
  database.thaw();
});
