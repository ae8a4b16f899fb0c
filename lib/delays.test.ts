import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { acrossWorkspaces } from "@/lib/db";
import { beginTry, forgetTries, forgiveTry, type Tried } from "@/lib/delays";

const by = (given: Partial<Tried> = {}): Tried => ({
  by: [randomUUID()],
  free: 2,
  longest: 100,
  remembered: 3600,
  clears: true,
  ...given,
});

/** As if so many seconds had passed for every try of this test. */
const pass = (seconds: number, ...tried: Tried[]) =>
  Promise.all(
    tried.map(async (one) => {
      const key = (await import("node:crypto")).createHash("sha256").update(JSON.stringify(one.by)).digest("base64url");
      await acrossWorkspaces.query(
        `UPDATE tries SET waits_until = waits_until - make_interval(secs => $2), forgotten_at = forgotten_at - make_interval(secs => $2)
         WHERE key = $1`,
        [key, seconds],
      );
    }),
  );

test("the first tries cost no time, and each wait that follows is twice the one before, up to the longest", async () => {
  const tried = [by()];
  const waits = [];
  for (let count = 0; count < 10; count++) {
    const { allowed, seconds } = await beginTry(tried);
    waits.push(allowed && seconds);
    await pass(seconds, ...tried);
  }
  expect(waits).toEqual([0, 0, 2, 4, 8, 16, 32, 64, 100, 100]);
});

test("a try that comes too early is not made, not counted, and told how long to wait", async () => {
  const [one, other] = [by({ free: 1 }), by()];
  expect(await beginTry([one, other])).toEqual({ allowed: true, seconds: 0 });
  expect(await beginTry([one, other])).toEqual({ allowed: true, seconds: 2 });
  for (let count = 0; count < 3; count++) {
    expect(await beginTry([other, one])).toEqual({ allowed: false, seconds: expect.toSatisfy((s) => s > 0 && s <= 2) });
  }
  await pass(2, one);
  expect(await beginTry([one])).toEqual({ allowed: true, seconds: 4 });
  expect(await beginTry([other])).toEqual({ allowed: true, seconds: 2 });
});

test("of many concurrent attempts, no more than allowed are made", async () => {
  const tried = [by({ free: 3 }), by({ free: 50 })];
  const made = await Promise.all(Array.from({ length: 20 }, () => beginTry(tried)));
  // The last of them starts the wait.
  expect(made.filter(({ allowed }) => allowed)).toHaveLength(4);
});

test("of concurrent attempts that cost no time, none is refused", async () => {
  for (let round = 0; round < 50; round++) {
    const tried = [by({ free: 100 })];
    const waits = await Promise.all(Array.from({ length: 20 }, () => beginTry(tried)));
    expect(waits.filter(({ allowed }) => !allowed)).toEqual([]);
  }
});

test("success clears what it proves, takes back only itself elsewhere, and ends no wait that it did not begin", async () => {
  const [own, network] = [by(), by({ clears: false })];
  for (let count = 0; count < 2; count++) await beginTry([own, network]);
  await beginTry([own, network]);
  await forgiveTry([own, network]);
  expect(await beginTry([own])).toEqual({ allowed: true, seconds: 0 });
  expect(await beginTry([network])).toEqual({ allowed: true, seconds: 2 });
});

test("forgotten attempts start again from zero and are deleted", async () => {
  const tried = [by({ free: 1 })];
  for (let count = 0; count < 2; count++) await pass((await beginTry(tried)).seconds, ...tried);
  await pass(3600, ...tried);
  expect(await beginTry(tried)).toEqual({ allowed: true, seconds: 0 });
  await pass(3600, ...tried);
  const gone = by();
  await beginTry([gone]);
  const count = async () =>
    (await acrossWorkspaces.query<{ n: number }>("SELECT count(*)::int AS n FROM tries WHERE forgotten_at < now()"))[0]
      ?.n;
  expect(await count()).toBeGreaterThan(0);
  while ((await count()) !== 0) await forgetTries();
  expect(await beginTry([gone])).toEqual({ allowed: true, seconds: 0 });
});

test("no address and no network can be read from what is kept", async () => {
  await beginTry([by({ by: ["network", "203.0.113.77"] })]);
  const rows = await acrossWorkspaces.query<{ row: string }>("SELECT t::text AS row FROM tries t");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ row }) => row.includes("203.0.113.77"))).toEqual([]);
});
