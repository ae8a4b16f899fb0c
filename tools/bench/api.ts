import { rm } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { note, progress, table } from "@/bin/kb/output";
import { workspaceUrl } from "@/lib/http/host";
import { startBenchServer } from "./admin/server";
import { addressesOf, MOST, OPERATIONS, type OperationName, PAGES } from "./api/addresses";
import type { Loaded } from "./api/load";
import { cpuBelow, cpuOf, postgresOf, startBare, startClient } from "./api/processes";
import { makeApiWorkspace } from "./api/workspace";
import { temporaryFolder } from "./search/database";

/** The most keys, of which each connection uses one. */
const MOST_KEYS = 64;
const MOST_REQUESTS = "1000000";

interface Options {
  articles: number;
  seconds: number;
  rounds: number;
  connections: number[];
  replica: boolean;
}

export const apiCommand = () =>
  compare("api", "Compares the external API with a bare server", "Operations", OPERATIONS);

export const pagesCommand = () =>
  compare(
    "pages",
    "Compares reader pages, compressed by brotli, with a bare server that sends only the text",
    "Pages",
    PAGES,
  );

function compare(name: "api" | "pages", does: string, kind: string, names: readonly OperationName[]): Command {
  const only = kind.toLowerCase();
  return new Command(name)
    .description(
      `${does} on the same database, in alternating rounds. The ratio is Lectern's requests per second to the bare server's.`,
    )
    .option("--articles <number>", "number of articles in the workspace", wholeNumber, 5_000)
    .option("--seconds <number>", "seconds of a round", seconds, 1)
    .option("--rounds <number>", "number of rounds for each server", wholeNumber, 3)
    .option("--connections <numbers>", "numbers of connections, separated by commas", numbers, [1, 16, 64])
    .option("--replica", "give Lectern a streaming replica on this machine, and show its CPU time", false)
    .option(`--${only} <names>`, `only these ${only}, separated by commas`, chosenOf(only, names), [...names])
    .addHelpText(
      "after",
      `\n${kind}: ${names.join(", ")}.\n"once" requests every URL only once, so that nothing kept helps. Pages with few URLs are only repeated.`,
    )
    .action((options: Options & Record<string, OperationName[]>) =>
      run(options, options[only] ?? [], name === "pages"),
    );
}

interface Row {
  operation: OperationName;
  once: boolean;
  connections: number;
  bare: Sample[];
  lectern: Sample[];
}

type Sample = Loaded & { app: number; database: number; replica: number };

async function run(
  { articles, seconds, rounds, connections, replica: hasReplica }: Options,
  operations: OperationName[],
  arePages: boolean,
): Promise<void> {
  const folder = await temporaryFolder();
  const cleanUp: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const workspace = await makeApiWorkspace(folder, articles, MOST_KEYS, hasReplica);
    cleanUp.push(workspace.release);
    const limits = { RATE_LIMIT_KEY: MOST_REQUESTS, RATE_LIMIT_SEARCH: MOST_REQUESTS, RATE_LIMIT_PAGES: "0" };
    const { replicaUrl } = workspace;
    const server = await startBenchServer(workspace.url, folder, {
      ...limits,
      ...(replicaUrl && { DATABASE_REPLICA_URL: replicaUrl }),
    });
    cleanUp.push(server.stop);
    const bare = await startBare(workspace);
    cleanUp.push(bare.stop);
    const client = startClient();
    cleanUp.push(client.stop);
    const postgres = await postgresOf(workspace.url);
    const replica = replicaUrl && (await postgresOf(replicaUrl));
    const host = new URL(workspaceUrl(workspace.workspace.subdomain, server.baseUrl)).host;
    const servers = {
      bare: { port: bare.port, pid: bare.pid },
      lectern: { port: Number(new URL(server.address).port), pid: server.pid },
    };
    const addresses = addressesOf(workspace);

    let used = 0;
    /** Pages that were requested. A parameter would not make them different. */
    const shown = new Map<OperationName, number>();
    /** @param all requests every URL, even after the time, so that it can be kept */
    const measure = async (name: keyof typeof servers, row: Row, time: number, all = false): Promise<Sample> => {
      const { port, pid } = servers[name];
      const known = arePages && row.once ? (shown.get(row.operation) ?? 0) : 0;
      const paths = addresses[row.operation].slice(known, arePages && row.once ? undefined : MOST);
      const cpuNow = () => ({
        app: cpuOf(pid),
        database: cpuBelow(postgres),
        replica: replica ? cpuBelow(replica) : 0,
      });
      const before = cpuNow();
      const loaded = await client.send({
        ...{ port, host, keys: workspace.keys, connections: row.connections, seconds: time },
        ...(arePages ? { accept: "text/html", encoding: "br" } : { accept: "*/*", encoding: "identity" }),
        paths,
        least: all ? paths.length : 0,
        ...(row.once && (arePages ? { most: paths.length } : { differentFrom: used })),
      });
      if (arePages && row.once && name === "lectern") shown.set(row.operation, known + loaded.requests);
      used = Math.max(used, loaded.different);
      const now = cpuNow();
      const perRequest = (of: keyof typeof now) => (now[of] - before[of]) / loaded.requests;
      return { ...loaded, app: perRequest("app"), database: perRequest("database"), replica: perRequest("replica") };
    };
    const rows: Row[] = operations.flatMap((operation) =>
      (arePages && addresses[operation].length <= MOST ? [false] : [false, true]).flatMap((once) =>
        connections.map((count) => ({ operation, once, connections: count, bare: [], lectern: [] })),
      ),
    );
    const hasPages = ({ operation, once }: Row) =>
      !arePages || !once || (shown.get(operation) ?? 0) < addresses[operation].length;
    const bar = progress();
    for (const [index, row] of rows.entries()) {
      bar.show("Measuring", index, rows.length);
      if (!hasPages(row)) continue;
      for (const name of ["bare", "lectern"] as const) await measure(name, row, Math.min(0.5, seconds), !row.once);
      for (let round = 0; round < rounds && hasPages(row); round++) {
        for (const name of ["bare", "lectern"] as const) row[name].push(await measure(name, row, seconds));
      }
    }
    bar.end();
    report(
      rows.filter(({ lectern }) => lectern.length > 0),
      articles,
      hasReplica,
    );
    if (rows.some(({ lectern }) => lectern.length < rounds))
      note("Some rounds were skipped, because no new pages were left to request. Use more --articles.");
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

function report(rows: readonly Row[], articles: number, hasReplica: boolean): void {
  console.log(
    `${articles} articles. Requests per second, CPU in milliseconds per request, the ratio of the median rounds with its spread.\n`,
  );
  table(
    [
      ...["operation", "URLs", "conn.", "bare/s", "app", "db", "Lectern/s", "app", "db"],
      ...(hasReplica ? ["replica"] : []),
      ...["KB", "p50 ms", "p99 ms"],
      ...["failed", "ratio", "spread"],
    ],
    rows.map(({ operation, once, connections, bare, lectern }) => {
      const rates = (samples: Sample[]) => samples.map(({ requests, seconds }) => requests / seconds);
      const [slow, quick] = [rates(bare), rates(lectern)];
      const ratios = quick.map((rate, round) => rate / (slow[round] as number));
      const of = (samples: Sample[], field: keyof Sample) => median(samples.map((sample) => sample[field]));
      return [
        ...[operation, once ? "once" : "repeated", String(connections)],
        ...[median(slow).toFixed(0), of(bare, "app").toFixed(2), of(bare, "database").toFixed(2)],
        ...[median(quick).toFixed(0), of(lectern, "app").toFixed(2), of(lectern, "database").toFixed(2)],
        ...(hasReplica ? [of(lectern, "replica").toFixed(2)] : []),
        median(lectern.map(({ bytes, requests }) => bytes / requests / 1024)).toFixed(1),
        ...[of(lectern, "p50").toFixed(1), of(lectern, "p99").toFixed(1)],
        String([...bare, ...lectern].reduce((sum, { failed }) => sum + failed, 0)),
        ...[median(ratios).toFixed(2), `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`],
      ];
    }),
  );
  const failed = rows.flatMap(({ bare, lectern }) => [...bare, ...lectern]).some((sample) => sample.failed > 0);
  if (failed) throw new Error("Some requests failed.");
  note("No request failed.");
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (place: number) => sorted[Math.max(0, Math.min(sorted.length - 1, place))] ?? Number.NaN;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number of at least 1.");
}

function numbers(text: string): number[] {
  return text.split(",").map((part) => {
    const number = wholeNumber(part);
    if (number <= 1_000) return number;
    throw new InvalidArgumentError("Give at most 1000 connections.");
  });
}

function seconds(text: string): number {
  if (Number(text) >= 0.1 && Number(text) <= 600) return Number(text);
  throw new InvalidArgumentError("Give a number of seconds from 0.1 to 600.");
}

function chosenOf(only: string, known: readonly OperationName[]) {
  return (text: string): OperationName[] => {
    const names = text.split(",").map((name) => name.trim());
    const unknown = names.find((name) => !known.includes(name as OperationName));
    if (unknown !== undefined)
      throw new InvalidArgumentError(`Unknown ${only.slice(0, -1)} ${unknown}. Choose from ${known.join(", ")}.`);
    return known.filter((name) => names.includes(name));
  };
}
