import { drawing } from "./draw";
import { problemsWith } from "./judge";
import { aRawSample } from "./raw";
import { aRequest } from "./request";
import type { Sample } from "./sample";
import { type Outcome, sendRaw, sendRequest, type Target } from "./send";
import type { World } from "./world";

/** The share of raw samples. */
const RAW_SHARE = 0.1;
const CONCURRENCY = 8;
/** When a search counts as slow, and how much slower than a plain one counts as a finding, in milliseconds. */
const SLOW_MS = 1_000;
/** The number of slowest searches to repeat alone, and the number of repetitions. */
const RETRIES = 5;
const REPEATS = 3;

/** The targets: a server without limits, and one with limits if available. */
export interface Targets {
  open: Target;
  limited?: Target;
}

export interface Finding {
  index: number;
  sample: Sample;
  outcome: Outcome;
  problems: string[];
}

export interface Tally {
  sent: number;
  /** Sample → status, or "closed" for a connection without an answer → how often. */
  statuses: Map<string, Map<string, number>>;
  findings: Finding[];
  /** Searches that took longer than a second. */
  slow: { index: number; milliseconds: number }[];
  /** The slowest search. Null when there was none. */
  slowest: { index: number; milliseconds: number } | null;
}

/** The sample with this number. It depends only on the world, the seed and the number. */
export function sampleAt(world: World, seed: number, index: number): Sample {
  const draw = drawing(seed, index);
  const request = () => aRequest(draw, world, `${seed}-${index}`);
  return draw.chance(RAW_SHARE) ? aRawSample(draw, world, request) : request();
}

/**
 * Sends one sample and judges the result.
 * @param bound the time limit in milliseconds
 * @param isAway asked after the answer: whether the database was away in the meantime
 */
export async function tried(
  world: World,
  targets: Targets,
  seed: number,
  index: number,
  bound?: number,
  isAway?: () => boolean,
): Promise<Finding> {
  const sample = sampleAt(world, seed, index);
  const target = (sample.limited && targets.limited) || targets.open;
  const outcome = await (sample.kind === "raw" ? sendRaw(target, sample, bound) : sendRequest(target, sample, bound));
  return { index, sample, outcome, problems: problemsWith(world, sample, outcome, isAway?.()) };
}

/**
 * Sends the samples 0 to `count`.
 * @param options.isOver called before each sample: whether to stop because the server has died
 */
export async function fuzz(
  world: World,
  targets: Targets,
  options: { seed: number; count: number; bound?: number; isOver?: () => boolean; onProgress?: (tally: Tally) => void },
): Promise<Tally> {
  const tally = nothingSent();
  let next = 0;
  const worker = async () => {
    while (next < options.count && !options.isOver?.()) {
      const index = next++;
      const one = await tried(world, targets, options.seed, index, options.bound);
      // A dying server breaks connections, which says nothing about their samples.
      if (options.isOver?.()) return;
      countIn(tally, one);
      options.onProgress?.(tally);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  for (const { index } of tally.slow.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, RETRIES)) {
    if (options.isOver?.()) break;
    const one = await withRetries(world, targets, options.seed, index);
    if (one) tally.findings.push(one);
  }
  tally.findings.sort((one, other) => one.index - other.index);
  return tally;
}

/**
 * Repeats a search that was slow under load, without parallel requests, each time after its
 * neighbor in the run. A search that only a busy machine delayed is fast at least once.
 * @returns null when only the load delayed it
 */
async function withRetries(world: World, targets: Targets, seed: number, index: number): Promise<Finding | null> {
  const neighbors: number[] = [];
  const own: Finding[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    neighbors.push((await tried(world, targets, seed, index + 1)).outcome.milliseconds);
    own.push(await tried(world, targets, seed, index));
  }
  const problem = slowness(
    own.map(({ outcome }) => outcome.milliseconds),
    neighbors,
  );
  return problem && own[0] ? { ...own[0], problems: [problem] } : null;
}

/** @returns the problem with a search's times in milliseconds compared with its neighbor's, or null */
export function slowness(times: readonly number[], neighbors: readonly number[]): string | null {
  const [least, beside] = [Math.min(...times), Math.min(...neighbors)];
  if (least - beside <= SLOW_MS) return null;
  return `the search takes ${Math.round(least)} ms, alone and at best, its neighbor ${Math.round(beside)} ms`;
}

export const nothingSent = (): Tally => ({ sent: 0, statuses: new Map(), findings: [], slow: [], slowest: null });

export function countIn(tally: Tally, one: Finding): void {
  const { sample, outcome, problems, index } = one;
  tally.sent++;
  const row = tally.statuses.get(sample.name) ?? new Map<string, number>();
  tally.statuses.set(sample.name, row);
  const seen = outcome.answers.length > 0 ? outcome.answers.map(({ status }) => String(status)) : ["closed"];
  for (const status of seen) row.set(status, (row.get(status) ?? 0) + 1);
  if (problems.length > 0) tally.findings.push(one);
  const isSearch = sample.kind === "request" && sample.documentedAs.endsWith("/search");
  if (!isSearch) return;
  const { milliseconds } = outcome;
  if (milliseconds > SLOW_MS) tally.slow.push({ index, milliseconds });
  if (milliseconds > (tally.slowest?.milliseconds ?? -1)) tally.slowest = { index, milliseconds };
}
