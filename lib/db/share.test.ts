import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inShare, share } from "@/lib/db/share";
import { UnavailableError } from "@/lib/errors";
import { duringRequest, newRequest, noteOfRequest } from "@/lib/http/request";

const request = (workspaceId: string) => duringRequest(newRequest(null, "api"), () => noteOfRequest({ workspaceId }));

/** Units that end when the test says so. */
function units(workspaceId: string, count: number, ms = 10_000) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: count }, (_, index) =>
    inShare(workspaceId, ms, () => {
      started.push(index);
      return new Promise<void>((resolve) => (ends[index] = resolve));
    }),
  );
  const end = (index: number) => {
    ends[index]?.();
    return all[index];
  };
  return { all, started, end };
}

const SHARE = share();
const first = Array.from({ length: SHARE }, (_, index) => index);

test("while others are served, a workspace's units wait for each other, and for nobody else's", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const { all, started, end } = units(busy, SHARE + 2);
  expect(started).toEqual(first);
  expect(units(other, 1).started).toEqual([0]);
  await end(0);
  await expect.poll(() => started.slice(0, SHARE + 1)).toEqual([...first, SHARE]);
  for (let index = 1; index < all.length; index++) {
    await expect.poll(() => started).toContain(index);
    await end(index);
  }
  await Promise.all(all);
});

test("alone, all of a workspace's units run at the same time", async () => {
  const workspaceId = randomUUID();
  // Two requests, because earlier ones may have been of another workspace.
  const count = SHARE + 2;
  await expect
    .poll(() => {
      request(workspaceId);
      const { started, end } = units(workspaceId, count);
      for (let index = 0; index < count; index++) void end(index);
      return started.length;
    })
    .toBe(count);
});

test("a slow unit doesn't hold up the others for long", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const { started, end, all } = units(busy, SHARE + 1);
  expect(started).toEqual(first);
  await expect.poll(() => started).toEqual([...first, SHARE]);
  for (let index = 0; index <= SHARE; index++) await end(index);
  await Promise.all(all);
});

test("a unit that waits too long is refused, and those after it get their turn", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  request(other);
  const slow = units(busy, SHARE);
  const refused = inShare(busy, 20, () => Promise.resolve());
  const patient = inShare(busy, 10_000, () => Promise.resolve("done"));
  await expect(refused).rejects.toThrow(UnavailableError);
  for (const index of first) await slow.end(index);
  expect(await patient).toBe("done");
});
