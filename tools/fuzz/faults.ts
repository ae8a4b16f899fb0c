import { BULK_SECONDS } from "@/lib/api/bulk";
import type { Writer, Writers } from "../faults/writers";
import { sampleOf, warmedUp } from "./remote";
import { countIn, nothingSent, sampleAt, type Tally, tried } from "./run";
import { hostOf, type Sample } from "./sample";
import { sendRequest, type Target } from "./send";
import type { World } from "./world";

/** Requests sent at the same time. While the database is away, most of them wait. */
const LANES = 16;
/** The longest wait for an answer, in milliseconds (contract 61). Each item of a bulk request can wait as long. */
const LIMIT_MS = 3_000;
const BULK_MS = BULK_SECONDS * 1_000 + LIMIT_MS;

/** The faults that leave the server running, so that it has to answer each request. */
export const databaseFaults = [
  ...["PostgreSQL killed", "PostgreSQL frozen", "all connections held", "table locked"],
  ...["connections cut", "connections black-holed", "connections forgotten"],
];

/**
 * Random requests instead of the writers of the faults trial. Each lane sends one after the other, and has written again once a
 * request that needs the database has succeeded. While a fault lasts, any request can be a 503.
 * @param options.limitMs the longest wait for an answer that is no finding
 * @param options.only chooses samples
 */
export function randomRequests(
  world: World,
  target: Target,
  {
    seed,
    limitMs = LIMIT_MS,
    only = () => true,
  }: { seed: number; limitMs?: number; only?: (sample: Sample) => boolean },
): Writers & { tally: Tally } {
  const tally = nothingSent();
  const faults = { started: 0, isOn: false };
  let next = 0;
  let isRunning = false;
  let [longest, cut] = [0, 0];
  let running: Promise<void>[] = [];

  const lane = (_: unknown, index: number): Writer => {
    const writer: Writer = {
      ...{ name: `Lane ${index + 1}`, acknowledged: 0, sent: 0 },
      async write() {
        const number = next++;
        const sample = sampleAt(world, seed, number);
        if (!only(sample)) return;
        if (writer.sent === writer.acknowledged) writer.sent++;
        const { started, isOn } = faults;
        const isAway = () => isOn || faults.isOn || faults.started > started;
        const one = await tried(world, { open: target }, seed, number, BULK_MS, isAway);
        const { milliseconds, answers } = one.outcome;
        if (answers.length === 0 && sample.kind === "request") cut++;
        if (sample.kind === "request" && !isBulk(sample)) {
          longest = Math.max(longest, milliseconds);
          if (milliseconds > limitMs) one.problems.push(`the answer took ${Math.round(milliseconds)} ms`);
          if (answers.some(({ status }) => status < 400)) writer.acknowledged = writer.sent;
        }
        countIn(tally, one);
      },
      stored: async () => [writer.acknowledged],
    };
    return writer;
  };
  const all = Array.from({ length: LANES }, lane);
  const [own] = world.own as [World["own"][number]];
  const [member = ""] = own.memberIds;
  return {
    ...{ all, served: all, tally, memberOfCrowd: member },
    atFault(isOn) {
      faults.isOn = isOn;
      if (isOn) faults.started++;
    },
    async run() {
      // Some faults come with a server that has just started.
      await warmedUp(target, world);
      isRunning = true;
      running = all.map(async (writer) => {
        while (isRunning) await writer.write();
      });
    },
    async pause() {
      isRunning = false;
      await Promise.all(running);
    },
    waited() {
      const result = { longest, cut, strange: [] };
      [longest, cut] = [0, 0];
      return result;
    },
    async crowd(count) {
      const path = `/api/external/v2/team-members/${member}`;
      const write = sampleOf("PATCH", path, hostOf(own, world.domain), own.keys.readWrite ?? "");
      write.headers.push(["Content-Type", "application/json"]);
      await Promise.all(
        Array.from({ length: count }, () => sendRequest(target, { ...write, body: { bytes: Buffer.from("{}") } })),
      );
    },
  };
}

const isBulk = (sample: Sample) => sample.kind === "request" && sample.documentedAs.endsWith("/bulk");
