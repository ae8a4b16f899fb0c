import type { Asker } from "./ask";
import { type Draw, drawing } from "./draw";
import type { Kind } from "./queries";

/** A workspace to measure, and its queries. */
export interface Target {
  label: string;
  articles: number;
  asker: Asker;
  workspaceId: string;
  queries: Record<Kind, string[]>;
}

/** Milliseconds for one kind of query in one workspace. */
export interface Times {
  median: number;
  /** The 99th percentile, or the slowest of fewer than 100. */
  slow: number;
  count: number;
  failed: number;
}

export interface Measured {
  target: Target;
  kind: Kind;
  /** The median number of matching articles. */
  matches: number;
  single: Times;
  many: Times;
  /** The slowest query without parallel load. */
  slowest: string;
}

/** The number of parallel queries. */
export const CLIENTS = 16;
/** The number of repetitions of each query, time permitting. */
const PASSES = 5;
/** The share of that time that the warm-up may take. */
const WARM_UP = 0.2;

/**
 * Measures kinds of queries in workspaces in turns, so that disturbances affect all of them and the ratios hold.
 * @param changed whether the content changes before each query, or before each pass of many
 * @param seconds the limit per kind and workspace, once for single queries and once for parallel ones
 */
export async function measure(
  targets: readonly Target[],
  kinds: readonly Kind[],
  seconds: number,
  changed: boolean,
  onProgress: (done: number, total: number) => void,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [index, kind] of kinds.entries()) {
    onProgress(index, kinds.length);
    const single = await inTurns(targets, kind, 1, seconds, changed);
    const many = await inTurns(targets, kind, CLIENTS, seconds, changed);
    for (const [place, target] of targets.entries()) {
      const samples = single[place] as Sample[];
      const found = samples.flatMap(({ total }) => (total === null ? [] : [total]));
      measured.push({
        target,
        kind,
        matches: percentile(found, 0.5),
        single: timesOf(samples),
        many: timesOf(many[place] as Sample[]),
        slowest: samples.reduce((left, right) => (right.milliseconds > left.milliseconds ? right : left)).text,
      });
    }
  }
  onProgress(kinds.length, kinds.length);
  return measured;
}

interface Sample {
  text: string;
  milliseconds: number;
  total: number | null;
}

/**
 * Sends the queries of a kind to every target in the same order, in portions. When one target's time is up, all stop.
 * Warms up first.
 */
async function inTurns(
  targets: readonly Target[],
  kind: Kind,
  clients: number,
  seconds: number,
  changed: boolean,
): Promise<Sample[][]> {
  const all: Sample[][] = targets.map(() => []);
  const turns = drawing(clients);
  const places = targets.map((_, place) => place);
  let spent = targets.map(() => 0);
  for (let pass = -1; pass < PASSES; pass++) {
    const portions = targets.map(({ queries }) => portionsOf(shuffled(queries[kind], drawing(clients, pass)), clients));
    const most = Math.max(...portions.map(({ length }) => length));
    for (let portion = 0; portion < most; portion++) {
      if (Math.max(...spent) > seconds * (pass < 0 ? WARM_UP : 1) * 1000) break;
      for (const place of shuffled(places, turns)) {
        const texts = portions[place]?.[portion];
        if (!texts) continue;
        const { asker, workspaceId } = targets[place] as Target;
        const start = performance.now();
        const { milliseconds, totals } = await asker.ask({ workspaceId, texts, clients, changed });
        spent[place] = (spent[place] as number) + performance.now() - start;
        if (pass < 0) continue;
        for (const [index, text] of texts.entries()) {
          all[place]?.push({ text, milliseconds: milliseconds[index] as number, total: totals[index] ?? null });
        }
      }
    }
    if (pass < 0) spent = targets.map(() => 0);
  }
  return all;
}

/** Without parallel load, each query is a portion, so that two workspaces are compared within a moment. */
function portionsOf(texts: readonly string[], clients: number): string[][] {
  return clients === 1 ? texts.map((text) => [text]) : [[...texts]];
}

function shuffled<T>(list: readonly T[], draw: Draw): T[] {
  return list
    .map((one) => ({ one, order: draw.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ one }) => one);
}

function timesOf(samples: readonly Sample[]): Times {
  const times = samples.map(({ milliseconds }) => milliseconds);
  return {
    median: percentile(times, 0.5),
    slow: percentile(times, 0.99),
    count: times.length,
    failed: samples.filter(({ total }) => total === null).length,
  };
}

/** The nearest-rank percentile. NaN for an empty list. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
