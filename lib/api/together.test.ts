import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { together } from "@/lib/api/together";
import { UnavailableError } from "@/lib/errors";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Runs that end when the test says so. A shared run fails if one of its requests is "bad". */
function someRuns() {
  const runs: { requests: string[]; end: () => void }[] = [];
  const during = (requests: readonly string[]) =>
    new Promise<void>((end) => runs.push({ requests: [...requests], end: () => end() }));
  const share = together(async (requests: readonly string[]) => {
    await during(requests);
    if (requests.includes("bad")) throw new Error("One of them is bad.");
    if (requests.includes("cut off")) throw new UnavailableError("The database did not answer.");
    return requests.map((request) => `${request} shared`);
  });
  const alone = async (request: string) => {
    await during([request]);
    if (request === "bad") throw new Error("Bad.");
    return `${request} alone`;
  };
  const ask = (request: string, { group = "one", size = 1 } = {}) => share(group, request, size, () => alone(request));
  /** Ends the runs of this moment, and returns their requests. */
  const end = async () => {
    await vi.advanceTimersByTimeAsync(1);
    const ended = runs.splice(0);
    for (const run of ended) run.end();
    await vi.advanceTimersByTimeAsync(1);
    return ended.map(({ requests }) => requests);
  };
  return { ask, end };
}

test("a request runs immediately and alone, and those that arrive meanwhile share the next run", async () => {
  const { ask, end } = someRuns();
  const answers = Promise.all(["a", "b", "c"].map((request) => ask(request)));
  expect([await end(), await end(), await end()]).toEqual([[["a"]], [["b", "c"]], []]);
  expect(await answers).toEqual(["a alone", "b shared", "c shared"]);
});

/** Runs that call `next` and end when the test says so. */
function someOverlappingRuns() {
  const runs: { requests: readonly string[]; next: () => void; end: (error?: Error) => void }[] = [];
  const share = together(async (requests: readonly string[], _: number, next) => {
    await new Promise<void>((resolve, reject) => {
      runs.push({ requests, next, end: (error) => (error ? reject(error) : resolve()) });
    });
    return requests;
  });
  const alone: string[] = [];
  const ask = (request: string) =>
    share("one", request, 1, () => {
      alone.push(request);
      return Promise.resolve(request);
    });
  const started = async () => {
    await vi.advanceTimersByTimeAsync(1);
    return runs.map(({ requests }) => requests.join(" "));
  };
  return { runs, ask, started, alone };
}

test("the next run begins as soon as the current one allows it, and not a second time when that one ends", async () => {
  const { runs, ask, started } = someOverlappingRuns();
  const answers = ["first", "a", "b"].map(ask);
  await started();
  answers.push(ask("c"), ask("d"));
  expect(await started()).toEqual(["a b"]);
  runs[0]?.next();
  expect(await started()).toEqual(["a b", "c d"]);
  answers.push(ask("e"), ask("f"));
  runs[0]?.end();
  expect(await started()).toEqual(["a b", "c d"]);
  runs[1]?.end();
  expect(await started()).toEqual(["a b", "c d", "e f"]);
  runs[2]?.end();
  expect(await Promise.all(answers)).toEqual(["first", "a", "b", "c", "d", "e", "f"]);
});

test("a run that fails after the next one began fails alone: its requests run once more, or not at all if it is unknown", async () => {
  const { runs, ask, started, alone } = someOverlappingRuns();
  const first = ask("first");
  const failing = [ask("a"), ask("b")];
  await started();
  const following = [ask("c"), ask("d")].map((one) => one.catch((error: Error) => error.name));
  runs[0]?.next();
  await started();
  runs[0]?.end(new Error("It cannot be committed."));
  expect(await Promise.all([first, ...failing])).toEqual(["first", "a", "b"]);
  runs[1]?.end(new UnavailableError("The database did not answer."));
  expect(await Promise.all(following)).toEqual(["UnavailableError", "UnavailableError"]);
  expect(alone).toEqual(["first", "a", "b"]);
  expect(await started()).toEqual(["a b", "c d"]);
});

test("a request that arrives while the last run of its group ends doesn't wait for it", async () => {
  const { runs, ask, started } = someOverlappingRuns();
  const answers = ["first", "a", "b"].map(ask);
  await started();
  runs[0]?.next();
  await started();
  expect(await ask("c")).toBe("c");
  runs[0]?.end();
  expect(await Promise.all(answers)).toEqual(["first", "a", "b"]);
});

test("groups don't wait for each other", async () => {
  const { ask, end } = someRuns();
  void ask("a");
  void ask("b", { group: "two" });
  expect(await end()).toEqual([["a"], ["b"]]);
});

test("if a shared run fails, its requests run one after the other, and each fails or succeeds for itself", async () => {
  const { ask, end } = someRuns();
  const answers = Promise.allSettled(["a", "b", "bad", "c"].map((request) => ask(request)));
  const runs = [await end(), await end(), await end(), await end(), await end()];
  expect(runs).toEqual([[["a"]], [["b", "bad", "c"]], [["b"]], [["bad"]], [["c"]]]);
  expect((await answers).map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
    "a alone",
    "b alone",
    "Bad.",
    "c alone",
  ]);
});

test("if the outcome of a shared run is unknown, its requests fail and are not run again", async () => {
  const { ask, end } = someRuns();
  const answers = Promise.allSettled(["a", "b", "cut off"].map((request) => ask(request)));
  expect([await end(), await end(), await end()]).toEqual([[["a"]], [["b", "cut off"]], []]);
  expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
});

test("a run has 16 requests and half a million characters at most, unless one request has more", async () => {
  const { ask, end } = someRuns();
  void ask("first");
  for (let number = 0; number < 20; number++) void ask(String(number));
  void ask("long", { size: 600_000 });
  await end();
  const sizes = [await end(), await end(), await end()].map((runs) => runs.map(({ length }) => length));
  expect(sizes).toEqual([[16], [4], [1]]);
});

test("a request that waits over two seconds is refused and never run", async () => {
  const { ask, end } = someRuns();
  const first = ask("a");
  const second = ask("b").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2_001);
  expect(await second).toBeInstanceOf(UnavailableError);
  expect([await end(), await end()]).toEqual([[["a"]], []]);
  expect(await first).toBe("a alone");
});
