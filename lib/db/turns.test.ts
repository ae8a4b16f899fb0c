import { expect, test } from "vitest";
import { inTurns } from "@/lib/db/turns";

/** Calls that end when the test says so. */
function calls() {
  const open: { questions: readonly string[]; end: (answers: string[]) => void; fail: (error: Error) => void }[] = [];
  const ask = inTurns<string, string>(
    (questions) => new Promise((resolve, reject) => open.push({ questions, end: resolve, fail: reject })),
  );
  return { ask, open };
}

test("questions that come together share a call, and later ones the next, which begins after they came", async () => {
  const { ask, open } = calls();
  const first = [ask("a"), ask("b")];
  await expect.poll(() => open.length).toBe(1);
  const second = [ask("c"), ask("d")];
  expect(open.map(({ questions }) => questions)).toEqual([["a", "b"]]);
  open[0]?.end(["A", "B"]);
  expect(await Promise.all(first)).toEqual(["A", "B"]);
  await expect.poll(() => open.length).toBe(2);
  expect(open[1]?.questions).toEqual(["c", "d"]);
  open[1]?.end(["C", "D"]);
  expect(await Promise.all(second)).toEqual(["C", "D"]);
});

test("a call that fails fails for its questions alone", async () => {
  const { ask, open } = calls();
  const first = ask("a");
  await expect.poll(() => open.length).toBe(1);
  const second = ask("b");
  open[0]?.fail(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => open.length).toBe(2);
  open[1]?.end(["B"]);
  expect(await second).toBe("B");
});

test("a call that takes long holds nobody up", async () => {
  const { ask, open } = calls();
  const slow = ask("a");
  await expect.poll(() => open.length).toBe(1);
  const quick = ask("b");
  await expect.poll(() => open.length).toBe(2);
  open[1]?.end(["B"]);
  expect(await quick).toBe("B");
  open[0]?.end(["A"]);
  expect(await slow).toBe("A");
});
