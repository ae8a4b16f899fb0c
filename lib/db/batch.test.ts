import { expect, test } from "vitest";
import { batched, type Read, readTogether } from "@/lib/db";
import { aWorkspace } from "@/testing/workspace";

/** Waits for the others, so that they share a snapshot and a statement. */
function meeting(count: number) {
  let missing = count;
  let open = () => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (--missing === 0) open();
    return all;
  };
}

test("questions asked at the same time share statements and are answered in order", async () => {
  const { id } = await aWorkspace();
  const asked: (readonly number[])[] = [];
  const double = batched(async (read: Read, numbers: readonly number[]) => {
    asked.push(numbers);
    const rows = await read<{ double: number }>(
      "SELECT 2 * number AS double FROM unnest($1::int[]) WITH ORDINALITY AS n (number, place) ORDER BY place",
      [numbers],
    );
    return rows.map(({ double }) => double);
  });
  const numbers = [3, 1, 4, 1, 5];
  const meet = meeting(numbers.length);
  const doubled = numbers.map((number) =>
    readTogether(id, async (read) => {
      await meet();
      return double(read, number);
    }),
  );
  expect(await Promise.all(doubled)).toEqual([6, 2, 8, 2, 10]);
  expect(asked).toEqual([[3, 1, 4, 1], [5]]);
});

test("a failed question doesn't fail the others", async () => {
  const { id } = await aWorkspace();
  const divide = batched(async (read: Read, by: readonly number[]) => {
    const rows = await read<{ part: number }>(
      "SELECT 12 / number AS part FROM unnest($1::int[]) WITH ORDINALITY AS n (number, place) ORDER BY place",
      [by],
    );
    return rows.map(({ part }) => part);
  });
  const meet = meeting(3);
  const parts = [3, 0, 4].map((by) =>
    readTogether(id, async (read) => {
      await meet();
      return divide(read, by);
    }),
  );
  expect(await Promise.allSettled(parts)).toMatchObject([
    { value: 4 },
    { status: "rejected", reason: { code: "22012" } },
    { value: 3 },
  ]);
});
