import { AsyncResource } from "node:async_hooks";
import { withinPatience } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { outsideRequests } from "@/lib/http/request";

/** The most requests that share a transaction. */
const MOST = 16;
/** The most characters in a shared transaction. A longer request runs alone. */
const MOST_CHARACTERS = 500_000;
const WAIT_MS = 2_000;
/** The minimum for a shared transaction. */
const LEAST_MS = 250;

interface Waiting<Request, Result> {
  request: Request;
  /** In characters. */
  size: number;
  /** On the clock of `performance`. */
  until: number;
  alone: () => Promise<Result>;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
  timer: NodeJS.Timeout;
}

/**
 * Lets requests that would wait for the same lock share a transaction, and thereby its cost. No request waits for
 * others to arrive. Requests that arrive while a group is busy run together in its next turn.
 * @param runAll runs several requests in a number of seconds. When it is nearly done, it can call `next` to begin the next
 * turn, which must wait for its locks. If it throws UnavailableError, the outcome is unknown, and all requests fail with that
 * error. After any other error, nothing has changed, and each request runs alone
 * @returns a function that throws UnavailableError if a request has waited too long or the outcome is unknown, and otherwise what
 * `alone` throws
 */
export function together<Request, Result>(
  runAll: (requests: readonly Request[], seconds: number, next: () => void) => Promise<readonly Result[]>,
) {
  const groups = new Map<string, Waiting<Request, Result>[]>();

  const runAlone = async ({ alone, resolve }: Waiting<Request, Result>): Promise<void> => {
    const result = alone();
    resolve(result);
    await result.catch(() => {});
  };
  const run = async (turn: readonly Waiting<Request, Result>[], next: () => void): Promise<void> => {
    for (const { timer } of turn) clearTimeout(timer);
    const [first] = turn;
    if (first && turn.length === 1) return runAlone(first);
    const ms = Math.min(...turn.map(({ until }) => until)) - performance.now();
    const requests = turn.map(({ request }) => request);
    try {
      const results = await outsideRequests(() => runAll(requests, Math.max(ms, LEAST_MS) / 1000, next));
      for (const [index, { resolve }] of turn.entries()) resolve(results[index] as Result);
    } catch (error) {
      // The database did not answer, so the changes may have been made.
      if (error instanceof UnavailableError) for (const { reject } of turn) reject(error);
      // One after the other, so that they don't use up the connections that other workspaces need.
      else for (const one of turn) await runAlone(one);
    }
  };
  const runGroup = async (name: string, waiting: Waiting<Request, Result>[]): Promise<void> => {
    while (waiting.length > 0) {
      await new Promise<void>((next) => void run(waiting.splice(0, countOf(waiting)), next).finally(next));
    }
    groups.delete(name);
  };
  return (name: string, request: Request, size: number, alone: () => Promise<Result>): Promise<Result> =>
    withinPatience(
      WAIT_MS,
      (ms) =>
        new Promise((resolve, reject) => {
          const waiting = groups.get(name) ?? [];
          const giveUp = () => {
            waiting.splice(waiting.indexOf(mine), 1);
            reject(new UnavailableError("Other changes take too long."));
          };
          const timer = setTimeout(giveUp, ms);
          const until = performance.now() + ms;
          const mine = { request, size, until, alone: AsyncResource.bind(alone), resolve, reject, timer };
          waiting.push(mine);
          if (groups.has(name)) return;
          groups.set(name, waiting);
          void runGroup(name, waiting);
        }),
    );
}

/** How many of those who wait can share the next transaction. */
function countOf(waiting: readonly { size: number }[]): number {
  let characters = 0;
  const over = waiting.findIndex(({ size }, index) => {
    characters += size;
    return index === MOST || (index > 0 && characters > MOST_CHARACTERS);
  });
  return over < 0 ? waiting.length : over;
}
