import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { inShare, share } from "@/lib/db/share";
import { UnavailableError } from "@/lib/errors";
import { areOthersServed, duringRequest, newRequest, noteOfRequest } from "@/lib/http/request";

const inRequest = <T>(work: () => T) => duringRequest(newRequest(null, "api"), work);
const request = (workspaceId: string) => inRequest(() => noteOfRequest({ workspaceId }));

/** Transactions of requests that end when the test says so. */
function units(workspaceId: string, count: number, { ms = 10_000, pauses = false } = {}) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: count }, (_, index) =>
    inRequest(() =>
      inShare(
        workspaceId,
        ms,
        () => {
          started.push(index);
          return new Promise<void>((resolve) => (ends[index] = resolve));
        },
        pauses,
      ),
    ),
  );
  const end = (index: number) => {
    ends[index]?.();
    return all[index];
  };
  return { all, started, end };
}

afterEach(() => {
  vi.useRealTimers();
});

const SHARE = share();
const first = Array.from({ length: SHARE }, (_, index) => index);

test("while others are served, a workspace's transactions wait for each other, and for nobody else's", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const { all, started, end } = units(busy, SHARE + 2);
  expect(started).toEqual(first);
  const theirs = units(other, 1);
  expect(theirs.started).toEqual([0]);
  await theirs.end(0);
  await end(0);
  await expect.poll(() => started.slice(0, SHARE + 1)).toEqual([...first, SHARE]);
  for (let index = 1; index < all.length; index++) {
    await expect.poll(() => started).toContain(index);
    await end(index);
  }
  await Promise.all(all);
});

test("a workspace that is alone waits for nothing, and gives up its place when others come", async () => {
  const busy = randomUUID();
  request(busy);
  await expect.poll(() => areOthersServed(busy)).toBe(false);
  const many = SHARE + 3;
  const before = units(busy, many);
  expect(before.started).toHaveLength(many);
  request(randomUUID());
  const later = units(busy, SHARE + 1);
  expect(later.started).toEqual([]);
  await before.end(0);
  // No timer runs between these.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(later.started).toEqual([]);
  for (let index = 1; index < many; index++) await before.end(index);
  await expect.poll(() => later.started.slice(0, SHARE)).toEqual(first);
  for (let index = 0; index <= SHARE; index++) {
    await expect.poll(() => later.started).toContain(index);
    await later.end(index);
  }
});

test("a slow transaction doesn't hold up the others for long, and jobs don't wait", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const { started, end, all } = units(busy, SHARE + 1);
  expect(started).toEqual(first);
  expect(await inShare(busy, 10_000, () => Promise.resolve("a job"))).toBe("a job");
  await expect.poll(() => started).toEqual([...first, SHARE]);
  for (let index = 0; index <= SHARE; index++) await end(index);
  await Promise.all(all);
});

test("a transaction that waits too long is refused, and those after it get their turn", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const slow = units(busy, SHARE);
  const refused = inRequest(() => inShare(busy, 0, () => Promise.resolve()));
  const patient = inRequest(() => inShare(busy, 10_000, () => Promise.resolve("done")));
  await expect(refused).rejects.toThrow(UnavailableError);
  for (const index of first) await slow.end(index);
  expect(await patient).toBe("done");
});

test("a slow read leaves the database to others for as long as it took, unless the next one has waited long", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const { started, end, all } = units(busy, SHARE + 3, { ms: 400, pauses: true });
  const turns = (count: number) => Array.from({ length: SHARE + count }, (_, index) => index);
  await vi.advanceTimersByTimeAsync(60);
  await end(0);
  await vi.advanceTimersByTimeAsync(59);
  expect(started).toEqual(turns(0));
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(turns(1));
  // A quick one.
  await vi.advanceTimersByTimeAsync(9);
  await end(SHARE);
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual(turns(2));
  // Half of the time of the last one ends after 200 milliseconds.
  await vi.advanceTimersByTimeAsync(60);
  await end(SHARE + 1);
  await vi.advanceTimersByTimeAsync(10);
  expect(started).toEqual(turns(2));
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(turns(3));
  for (let index = 1; index < all.length; index++) await end(index);
  await Promise.all(all);
});
