import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { note, progress, table } from "@/bin/kb/output";
import { workspaceUrl } from "@/lib/http/host";
import { startBenchServer } from "./admin/server";
import { addressesOf, MOST, OPERATIONS, type OperationName } from "./api/addresses";
import { cpuBelow, cpuOf, postgresOf, startClient } from "./api/processes";
import { addKeys, contentsOf } from "./api/workspace";
import { openBenchDatabase, removeBenchDatabase, temporaryFolder } from "./search/database";

interface Options {
  articles: number;
  data?: string;
  keep?: boolean;
}

/** Each measured workspace has a twentieth of the articles, at most 5,000. The rounds need 200 different pages. */
const LEAST = 10_000;
const ROUNDS = 4;
/** Requests in a round, one at a time. The CPU is only known to 10 milliseconds, and no page is requested twice. */
const REQUESTS = { operation: 200, page: 40 };
/** The highest ratio of CPU per request that passes. */
const MARK = 1.3;

/** "article-page" is rendered for every request. */
const operations: readonly OperationName[] = [...OPERATIONS, "article-page"];

const places = {
  alone: "alone in its own database",
  beside: "in the same partition of the search documents as the largest",
  elsewhere: "in another partition",
};
type Place = keyof typeof places;

export function growthCommand(): Command {
  return new Command("growth")
    .description(
      "Compares requests to workspaces of equal size, one alone in its database and two among many articles, and fails if the CPU per request grows too much.",
    )
    .option("--articles <number>", `number of articles in the large database, at least ${LEAST}`, wholeNumber, 100_000)
    .option("--data <folder>", "folder of the databases (default: a temporary folder)")
    .option("--keep", "keeps the databases for the next run with --data")
    .addHelpText(
      "after",
      `\nWorkspaces:\n${Object.entries(places)
        .map(([place, where]) => `  ${place.padEnd(10)} ${where}`)
        .join("\n")}\n\nNo URL is requested twice. The limit is ${MARK} times the CPU of "alone".`,
    )
    .action(run);
}

async function run({ articles, data, keep }: Options): Promise<void> {
  const folder = data ? resolve(data) : await temporaryFolder();
  const cleanUp: (() => unknown)[] = [];
  if (!data && !keep) {
    cleanUp.push(() => rm(folder, { recursive: true, force: true }));
    cleanUp.push(() => removeBenchDatabase(folder));
  }
  try {
    const database = await openBenchDatabase(folder, articles);
    // Added only now, because the folder may hold another database.
    if (data && !keep) cleanUp.push(() => removeBenchDatabase(folder));
    cleanUp.push(() => database.release());
    const postgres = await postgresOf(database.url);
    const client = startClient();
    cleanUp.push(client.stop);

    const start = async (place: Place) => {
      const url = place === "alone" ? database.aloneUrl : database.url;
      const role = place === "alone" ? "beside" : place;
      const workspace = database.workspaces.find((one) => one.role === role);
      if (!workspace) throw new Error(`The database has no workspace for "${place}".`);
      const keys = await addKeys(url, workspace.id, 1);
      const limits = { RATE_LIMIT_KEY: "0", RATE_LIMIT_SEARCH: "0" };
      const server = await startBenchServer(url, join(folder, place), limits);
      cleanUp.push(server.stop);
      return {
        place,
        pid: server.pid,
        port: Number(new URL(server.address).port),
        host: new URL(workspaceUrl(workspace.subdomain, server.baseUrl)).host,
        keys,
        addresses: addressesOf({ ...(await contentsOf(url, workspace.id)), workspace }),
      };
    };
    const sites = [await start("alone"), await start("beside"), await start("elsewhere")];

    let used = 0;
    const measure = async (
      { pid, port, host, keys, addresses }: (typeof sites)[number],
      name: OperationName,
      round: number,
    ) => {
      const isPage = name === "article-page";
      const most = isPage ? REQUESTS.page : REQUESTS.operation;
      const paths = isPage ? addresses[name].slice(round * most) : addresses[name].slice(0, MOST);
      const before = cpuOf(pid) + cpuBelow(postgres);
      const { p50, failed, requests } = await client.send({
        ...{ port, host, keys, paths, connections: 1, seconds: 60, least: 0, most },
        ...(isPage
          ? { accept: "text/html", encoding: "br" }
          : { accept: "*/*", encoding: "identity", differentFrom: used }),
      });
      used += most;
      if (failed > 0) throw new Error(`${failed} of ${requests} requests of "${name}" failed.`);
      return { p50, cpu: (cpuOf(pid) + cpuBelow(postgres) - before) / requests };
    };
    const bar = progress();
    const rows: Record<Place, { p50: number; cpu: number }>[] = [];
    for (const [index, name] of operations.entries()) {
      bar.show("Measuring", index, operations.length);
      const samples = { alone: [], beside: [], elsewhere: [] } as Record<Place, Awaited<ReturnType<typeof measure>>[]>;
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        for (const site of sites) {
          const sample = await measure(site, name, round);
          if (round > 0) samples[site.place].push(sample);
        }
      }
      const typical = (place: Place) => ({
        p50: median(samples[place].map(({ p50 }) => p50)),
        cpu: samples[place].reduce((sum, { cpu }) => sum + cpu, 0) / ROUNDS,
      });
      rows.push({ alone: typical("alone"), beside: typical("beside"), elsewhere: typical("elsewhere") });
    }
    bar.end();
    report(articles, rows);
    if (keep) note(`The databases are kept in ${folder}.`);
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

function report(articles: number, rows: readonly Record<Place, { p50: number; cpu: number }>[]): void {
  console.log(
    `${articles} articles. For "alone", the table shows milliseconds and CPU milliseconds per request. For the others, it shows ratios to "alone".\n`,
  );
  const others = ["beside", "elsewhere"] as const;
  table(
    ["operation", "alone", "CPU", ...others.flatMap((place) => [place, "CPU"])],
    rows.map((row, index) => [
      operations[index] as string,
      row.alone.p50.toFixed(2),
      row.alone.cpu.toFixed(2),
      ...others.flatMap((place) => [
        (row[place].p50 / row.alone.p50).toFixed(2),
        (row[place].cpu / row.alone.cpu).toFixed(2),
      ]),
    ]),
  );
  if (rows.some(({ alone }) => Number.isNaN(alone.cpu))) throw new Error("The CPU can't be measured without /proc.");
  const over = operations.filter((_, index) => {
    const row = rows[index] as (typeof rows)[number];
    return others.some((place) => row[place].cpu > MARK * row.alone.cpu);
  });
  if (over.length > 0) throw new Error(`Over ${MARK} times the CPU: ${over.join(", ")}.`);
  note(`No operation takes over ${MARK} times the CPU of the workspace alone.`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= LEAST) return number;
  throw new InvalidArgumentError(`Give a whole number of at least ${LEAST}.`);
}
