import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ImpossibleError, type Installation, NoFaultError } from "./installation";
import type { Writer, Writers } from "./writers";

export interface Outcome {
  fault: string;
  /** Why this machine can't have the fault. */
  impossible?: string;
  rounds: number;
  acknowledged: number;
  lost: number;
  halfApplied: number;
  /** Connections that were cut while a request was on its way. */
  cut: number;
  /** The longest wait for an answer, and the longest time from the end of a fault to an acknowledged write of each, in milliseconds. */
  longest: number;
  recovery: number;
  /** Lost and half applied writes, findings of the checks, and answers that should not have been given. */
  problems: string[];
}

/** Injects a fault and ends it. @throws NoFaultError if the machine did not have it */
type Inject = (installation: Installation, writers: Writers) => Promise<void>;

const FROZEN_MS = 5_000;
const HELD_MS = 4_000;
const JUMPED_MS = 2_000;
const CUTS = 20;
const BETWEEN_CUTS_MS = 150;
const HOUR_MS = 3_600_000;
/** More than a small disk has room for. */
const MOST_LOG_FILES = 64;
/** More than the server has connections. */
const CROWD = 40;

/** Holds a lock for a while, as a maintenance program or a hung client does. */
async function holding(url: string, sql: string, during: () => Promise<unknown> = async () => {}): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query(sql);
    const work = during();
    await sleep(HELD_MS);
    await client.query("ROLLBACK");
    await work;
  } finally {
    await client.end();
  }
}

const isAnswering = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url }).on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};

/** Has PostgreSQL write into its log until the files that it has in stock are used up. On a full disk, it then stops. */
async function useUpLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url }).on("error", () => {});
  const sql = "SELECT pg_logical_emit_message(false, '', 'full'), pg_switch_wal()";
  try {
    await client.connect();
    for (let file = 0; file < MOST_LOG_FILES; file++) await client.query(sql);
  } catch {
    // It has stopped.
  } finally {
    await client.end();
  }
}

export const faults: Record<string, Inject> = {
  "server killed": async (installation) => {
    await installation.end("SIGKILL");
    await installation.start();
  },
  "PostgreSQL killed": (installation) => installation.signal("SIGKILL", false),
  "PostgreSQL frozen": async (installation) => {
    await installation.signal("SIGSTOP", true);
    await sleep(FROZEN_MS);
    await installation.signal("SIGCONT", true);
  },
  "all connections held": ({ databaseUrl }, writers) =>
    holding(databaseUrl, `SELECT FROM members WHERE id = '${writers.memberOfCrowd}' FOR UPDATE`, () =>
      writers.crowd(CROWD),
    ),
  "table locked": ({ databaseUrl }) => holding(databaseUrl, "LOCK TABLE articles IN ACCESS EXCLUSIVE MODE"),
  "server stopped": async (installation) => {
    await installation.end("SIGTERM");
    await installation.start();
  },
  "connections cut": async ({ proxy }) => {
    for (let cut = 0; cut < CUTS; cut++) {
      proxy.cut();
      await sleep(BETWEEN_CUTS_MS);
    }
  },
  "connections black-holed": async ({ proxy }) => {
    proxy.hold();
    await sleep(HELD_MS);
    proxy.resume();
  },
  "connections forgotten": async ({ proxy }) => {
    proxy.hold();
    await sleep(HELD_MS);
    proxy.forget();
  },
  "clock jumps": async (installation) => {
    installation.shiftClock(HOUR_MS);
    await sleep(JUMPED_MS);
    installation.shiftClock(-HOUR_MS);
    await sleep(JUMPED_MS);
    installation.shiftClock(0);
  },
  "disk full": async (installation) => {
    const free = await installation.fillDisk();
    try {
      await sleep(HELD_MS);
      await useUpLog(installation.databaseUrl);
      await sleep(HELD_MS);
      if (await isAnswering(installation.databaseUrl)) throw new NoFaultError("PostgreSQL did not stop.");
    } finally {
      await free();
    }
  },
};

/** Where the rounds of some faults run. */
const surroundings: Record<string, (installation: Installation, rounds: () => Promise<void>) => Promise<void>> = {
  "connections cut": ({ throughProxy }, rounds) => throughProxy(rounds),
  "connections black-holed": ({ throughProxy }, rounds) => throughProxy(rounds),
  "connections forgotten": ({ throughProxy }, rounds) => throughProxy(rounds),
  "disk full": async ({ moveToSmallDisk }, rounds) => {
    await moveToSmallDisk();
    await rounds();
  },
};

const WARM_MS = 1_500;
const RECOVERED_MS = 60_000;
const AFTER_MS = 1_000;

/**
 * Injects faults while all writers work, then compares what is stored with what was acknowledged.
 * @param options.findings of the checks of the whole database, run while nobody writes
 * @param outcomes of earlier rounds, which these are added to
 */
export async function injectFaults(
  installation: Installation,
  writers: Writers,
  options: {
    names: string[];
    rounds: number;
    findings?: () => Promise<string[]>;
    /** How long the writers work before a fault, in milliseconds. */
    warmMs?: number;
    /** Compares and checks after the last round of each fault instead of after every round. */
    atTheEnd?: boolean;
    tell?: (line: string) => void;
  },
  outcomes: Outcome[] = [],
): Promise<Outcome[]> {
  for (const name of options.names) {
    const none = { rounds: 0, acknowledged: 0, lost: 0, halfApplied: 0, cut: 0, longest: 0, recovery: 0 };
    const outcome = outcomes.find(({ fault }) => fault === name) ?? { fault: name, ...none, problems: [] };
    if (!outcomes.includes(outcome)) outcomes.push(outcome);
    const allRounds = async () => {
      for (let left = options.rounds; left > 0; left--) {
        await round(installation, writers, faults[name] as Inject, outcome, options.warmMs);
        outcome.rounds++;
        if (!options.atTheEnd || left === 1) {
          for (const writer of writers.all) await compare(writer, outcome);
          for (const finding of (await options.findings?.()) ?? []) outcome.problems.push(`${name}: ${finding}`);
        }
        const { rounds, acknowledged, lost, halfApplied, problems } = outcome;
        options.tell?.(
          `${name}, round ${rounds}: ${acknowledged} acknowledged, ${lost} lost, ${halfApplied} half applied, ${problems.length} problems`,
        );
      }
    };
    try {
      await (surroundings[name]?.(installation, allRounds) ?? allRounds());
    } catch (error) {
      if (!(error instanceof ImpossibleError)) throw error;
      outcome.impossible = error.message;
      options.tell?.(`${name}: ${error.message}`);
    }
  }
  return outcomes;
}

async function round(
  installation: Installation,
  writers: Writers,
  inject: Inject,
  outcome: Outcome,
  warmMs = WARM_MS,
): Promise<void> {
  const { served } = writers;
  const total = () => writers.all.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const before = total();
  await writers.run();
  try {
    await sleep(warmMs);
    writers.atFault?.(true);
    await inject(installation, writers).catch((error: unknown) => {
      if (!(error instanceof NoFaultError)) throw error;
      outcome.problems.push(`${outcome.fault}: ${error.message}`);
    });
    const ended = performance.now();
    // A write that was sent before the end of the fault does not count.
    const sent = served.map((writer) => writer.sent);
    const away = () => served.filter(({ acknowledged }, index) => acknowledged <= (sent[index] ?? 0));
    while (away().length > 0 && performance.now() - ended < RECOVERED_MS) await sleep(5);
    for (const { name } of away()) outcome.problems.push(`${outcome.fault}: ${name} could not write again.`);
    outcome.recovery = Math.max(outcome.recovery, performance.now() - ended);
    writers.atFault?.(false);
    await sleep(AFTER_MS);
  } finally {
    await writers.pause();
  }
  const { longest, cut, strange } = writers.waited();
  outcome.acknowledged += total() - before;
  outcome.longest = Math.max(outcome.longest, longest);
  outcome.cut += cut;
  outcome.problems.push(...strange.slice(0, 20));
}

async function compare(writer: Writer, outcome: Outcome): Promise<void> {
  const stored = await writer.stored();
  const missing = (await writer.missing?.()) ?? 0;
  const said = `${outcome.fault}: ${writer.name} has ${stored.join(", ")} stored, of ${writer.acknowledged} acknowledged and ${writer.sent} sent`;
  const [first = -1] = stored;
  if (stored.some((number) => number !== first) || first > writer.sent) {
    outcome.halfApplied++;
    outcome.problems.push(said);
  } else if (first < writer.acknowledged || missing > 0) {
    outcome.lost += Math.max(writer.acknowledged - first, missing);
    outcome.problems.push(`${said}. ${missing} left no trace`);
  }
}
