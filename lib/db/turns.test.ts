import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inTurns } from "@/lib/db/turns";

// Tests advance the clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Waits until questions that were asked are sent. */
const sent = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Calls that end when the test says so. */
function calls() {
  const open: { questions: readonly string[]; end: (answers: string[]) => void; fail: (error: Error) => void }[] = [];
  const ask = inTurns<string, string>(
    (questions) => new Promise((resolve, reject) => open.push({ questions, end: resolve, fail: reject })),
  );
  return { ask, open };
}

test("questions asked together share a call, and questions asked during two calls share the next one", async () => {
  const { ask, open } = calls();
  const first = [ask("a"), ask("b")];
  await sent();
  const second = [ask("c")];
  await sent();
  const third = [ask("d"), ask("e")];
  await sent();
  expect(open.map(({ questions }) => questions)).toEqual([["a", "b"], ["c"]]);
  open[1]?.end(["C"]);
  expect(await Promise.all(second)).toEqual(["C"]);
  await sent();
  expect(open.map(({ questions }) => questions)).toEqual([["a", "b"], ["c"], ["d", "e"]]);
  open[0]?.end(["A", "B"]);
  open[2]?.end(["D", "E"]);
  expect(await Promise.all([...first, ...third])).toEqual(["A", "B", "D", "E"]);
});

test("a call that fails fails for its questions alone", async () => {
  const { ask, open } = calls();
  const first = ask("a");
  await sent();
  const second = ask("b");
  await sent();
  open[0]?.fail(new Error("away"));
  await expect(first).rejects.toThrow("away");
  open[1]?.end(["B"]);
  expect(await second).toBe("B");
});

test("slow calls don't delay later questions", async () => {
  const { ask, open } = calls();
  const slow: Promise<string>[] = [];
  for (const question of ["a", "b"]) {
    slow.push(ask(question));
    await sent();
  }
  const quick = ask("c");
  await sent();
  expect(open.length).toBe(2);
  vi.advanceTimersByTime(200);
  expect(open.length).toBe(3);
  open[2]?.end(["C"]);
  expect(await quick).toBe("C");
  open[0]?.end(["A"]);
  open[1]?.end(["B"]);
  expect(await Promise.all(slow)).toEqual(["A", "B"]);
});
