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

test("questions that come together share a call, and those during two calls the next, which begins after they came", async () => {
  const { ask, open } = calls();
  const first = [ask("a"), ask("b")];
  await expect.poll(() => open.length).toBe(1);
  const second = [ask("c")];
  await expect.poll(() => open.length).toBe(2);
  const third = [ask("d"), ask("e")];
  open[1]?.end(["C"]);
  expect(await Promise.all(second)).toEqual(["C"]);
  await expect.poll(() => open.length).toBe(3);
  expect(open.map(({ questions }) => questions)).toEqual([["a", "b"], ["c"], ["d", "e"]]);
  open[0]?.end(["A", "B"]);
  open[2]?.end(["D", "E"]);
  expect(await Promise.all([...first, ...third])).toEqual(["A", "B", "D", "E"]);
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

test("calls that take long hold nobody up", async () => {
  const { ask, open } = calls();
  const slow: Promise<string>[] = [];
  for (const [before, question] of ["a", "b"].entries()) {
    slow.push(ask(question));
    await expect.poll(() => open.length).toBe(before + 1);
  }
  const quick = ask("c");
  await expect.poll(() => open.length).toBe(3);
  open[2]?.end(["C"]);
  expect(await quick).toBe("C");
  open[0]?.end(["A"]);
  open[1]?.end(["B"]);
  expect(await Promise.all(slow)).toEqual(["A", "B"]);
});
