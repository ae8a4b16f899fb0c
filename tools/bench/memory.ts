import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import { note, progress, table } from "@/bin/kb/output";
import { workspaceUrl } from "@/lib/http/host";
import { startBenchServer } from "./admin/server";
import { addressesOf } from "./api/addresses";
import { startClient } from "./api/processes";
import { makeApiWorkspace } from "./api/workspace";
import { temporaryFolder } from "./search/database";

const PAGES = 1_000;
const CONNECTIONS = 16;
const IDLE_SECONDS = 8;
const LOAD_SECONDS = 60;
/** Upper limits: `start` in milliseconds, the others in MB. */
const MARKS = { start: 1_500, idle: 180, loaded: 400 };

export function memoryCommand(): Command {
  return new Command("memory")
    .description(
      `Measures startup time, and memory when idle, after ${PAGES} different pages, and after a minute of requests. Fails if a limit is exceeded. Linux only.`,
    )
    .addHelpText(
      "after",
      `\nLimits: ${MARKS.start} ms to start, ${MARKS.idle} MB when idle, ${MARKS.loaded} MB after the minute of requests.`,
    )
    .action(run);
}

async function run(): Promise<void> {
  if (process.platform !== "linux") throw new Error("This benchmark reads /proc, which only Linux has.");
  const folder = await temporaryFolder();
  const cleanUp: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const workspace = await makeApiWorkspace(folder, PAGES, CONNECTIONS);
    cleanUp.push(workspace.release);
    const limits = { RATE_LIMIT_KEY: "0", RATE_LIMIT_SEARCH: "0", RATE_LIMIT_PAGES: "0" };
    // Warms up the build and the disk cache.
    await (await startBenchServer(workspace.url, folder, limits)).stop();
    const server = await startBenchServer(workspace.url, folder, limits);
    cleanUp.push(server.stop);
    const client = startClient();
    cleanUp.push(client.stop);

    const rows: [string, string, string][] = [];
    const add = (name: string): number => {
      const [now, peak] = memoryOf(server.pid);
      rows.push([name, now.toFixed(0), peak.toFixed(0)]);
      return now;
    };
    const bar = progress();
    bar.show("Measuring", 0, 3);
    await sleep(IDLE_SECONDS * 1000);
    const idle = add("idle");
    bar.show("Measuring", 1, 3);
    const target = {
      port: Number(new URL(server.address).port),
      host: new URL(workspaceUrl(workspace.workspace.subdomain, server.baseUrl)).host,
      ...{ keys: workspace.keys, connections: CONNECTIONS },
    };
    const addresses = addressesOf(workspace);
    const pages = { ...target, accept: "text/html", encoding: "br" };
    const articles = addresses["article-page"];
    const shown = await client.send({ ...pages, paths: articles, seconds: 0, least: PAGES, most: PAGES });
    add(`after ${shown.requests} pages`);
    bar.show("Measuring", 2, 3);
    const operations = [addresses.articles, addresses.article, addresses.word];
    let [requests, failed, used] = [0, shown.failed, 0];
    for (let round = 0; round < LOAD_SECONDS; round++) {
      const isOfPages = round % 2 === 0;
      const loaded = await client.send({
        ...(isOfPages ? pages : { ...target, accept: "*/*", encoding: "identity", differentFrom: used }),
        paths: isOfPages ? articles : (operations[round % operations.length] ?? []),
        ...{ seconds: 1, least: 0 },
      });
      requests += loaded.requests;
      failed += loaded.failed;
      if (!isOfPages) used = loaded.different;
    }
    const loaded = add(`after ${requests} requests`);
    bar.end();
    table(["server", "MB", "peak MB"], rows);
    note(`Started in ${server.startMs.toFixed(0)} ms. Failed requests: ${failed}.`);
    if (failed > 0) throw new Error("Requests failed, so the memory doesn't count.");
    if (!(server.startMs <= MARKS.start && idle <= MARKS.idle && loaded <= MARKS.loaded))
      throw new Error("A limit was exceeded.");
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

/** The resident memory of a process, and its peak, in MB. */
function memoryOf(pid: number): [now: number, peak: number] {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const value = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return [value("VmRSS"), value("VmHWM")];
}
