import { rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Command, InvalidArgumentError } from "commander";
import { ZipFile } from "yazl";
import { note, progress, table } from "@/bin/kb/output";
import type { Actor } from "@/lib/audit/audit";
import { closeConnections, readWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { cancelRun, findRun, uploadImport } from "@/lib/import-export/runs";
import { type BenchServer, startBenchServer } from "./admin/server";
import { addressesOf, MOST } from "./api/addresses";
import type { Loaded } from "./api/load";
import { startClient } from "./api/processes";
import { type ApiWorkspace, addKeys, makeApiWorkspace } from "./api/workspace";
import { contentOf, idOf } from "./search/articles";
import { temporaryFolder } from "./search/database";
import { tidyUp } from "./search/indexes";
import { loadWorkspaces } from "./search/load";
import type { PlannedWorkspace } from "./search/plan";
import { queriesFor } from "./search/queries";
import { Vocabulary } from "./search/words";

interface Options {
  articles: number;
  seconds: number;
}

const LIMIT = "1000000";
/** The requests that the hostile workspace has in progress, for each attack. */
const CONNECTIONS = 8;
/** Pause before the other workspace's next request. */
const PAUSE_MS = 40;
const FILES = 2_000;
const hostile: Actor = { kind: "system", id: null, name: "Hostile" };

/** Texts of about 100 KB that take much longer to parse or highlight than their size suggests. */
const TEXTS = [
  "x <? ".repeat(20_000),
  "x <!A ".repeat(16_000),
  "<a\n".repeat(33_000),
  "a\n\n".repeat(33_000),
  `# a${" ".repeat(80_000)}b`,
  `\`\`\`csharp\n${`${"<a ".repeat(330)}\n`.repeat(100)}\`\`\``,
];

export function hostileCommand(): Command {
  return new Command("hostile")
    .description("Measures how much one workspace slows down another with the slowest imports, texts and searches.")
    .option("--articles <number>", "number of articles in the hostile workspace", wholeNumber, 20_000)
    .option("--seconds <number>", "seconds of each measurement", wholeNumber, 20)
    .action(run);
}

async function run({ articles, seconds }: Options): Promise<void> {
  const folder = await temporaryFolder();
  const cleanUp: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const other = await makeApiWorkspace(folder, 1_000, 4);
    cleanUp.push(other.release);
    const { url } = other;
    const own: PlannedWorkspace = {
      id: idOf(articles, 1),
      subdomain: "hostile",
      articles,
      content: contentOf(1),
      role: null,
    };
    const bar = progress();
    await loadWorkspaces(url, [own], (loaded) => bar.show("Loading", loaded, articles));
    bar.end();
    const [key = ""] = await addKeys(url, own.id, 1);
    await tidyUp(url);
    const server = await startBenchServer(url, folder, {
      RATE_LIMIT_KEY: LIMIT,
      RATE_LIMIT_SEARCH: LIMIT,
      RATE_LIMIT_WRITE: LIMIT,
    });
    cleanUp.push(server.stop);
    process.env.DATABASE_URL = url;
    process.env.DATA_DIR = join(folder, "server");
    cleanUp.push(closeConnections);

    const clients = KINDS.map(startClient);
    for (const client of clients) cleanUp.push(client.stop);
    const measure = measurer(server, other, seconds, clients);
    const attacks = attacksOf(server, own, key);
    const rows: Row[] = [];
    const during = async (name: string, some: Attack[]) => {
      note(`Measuring: ${name} …`);
      const stops = await Promise.all(some.map((start) => start()));
      const row = { name, ...(await measure()) };
      await Promise.all(stops.map((stop) => stop()));
      return row;
    };
    await during("warming up", []);
    rows.push(await during("idle", []));
    for (const [name, attack] of Object.entries(attacks)) rows.push(await during(name, [attack]));
    rows.push(await during("all of them", Object.values(attacks)));
    report(rows);
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

type Row = Measured & { name: string };

type Client = ReturnType<typeof startClient>;

const KINDS = ["cached page", "cached response", "uncached response"] as const;

type Measured = Record<(typeof KINDS)[number], Loaded>;

/** Requests of the other workspace, one of each kind at a time. */
function measurer(server: BenchServer, other: ApiWorkspace, seconds: number, clients: Client[]) {
  const addresses = addressesOf(other);
  let used = 0;
  return async (): Promise<Measured> => {
    const loads = {
      "cached page": { paths: addresses["article-page"].slice(0, MOST), accept: "text/html" },
      "cached response": { paths: addresses.articles, accept: "*/*" },
      "uncached response": { paths: addresses.article, accept: "*/*", differentFrom: used },
    };
    const measured = await Promise.all(
      Object.entries(loads).map(async ([name, load], index) => {
        const loaded = await (clients[index] as Client).send({
          port: Number(new URL(server.address).port),
          host: hostOf(server, other.workspace),
          keys: other.keys,
          encoding: "identity",
          connections: 1,
          seconds,
          least: 0,
          pauseMs: PAUSE_MS,
          ...load,
        });
        return [name, loaded] as const;
      }),
    );
    used = Math.max(...measured.map(([, { different }]) => different));
    return Object.fromEntries(measured) as unknown as Measured;
  };
}

/** Each starts an attack, and returns what ends it. */
function attacksOf(server: BenchServer, own: PlannedWorkspace, key: string): Record<string, Attack> {
  const host = hostOf(server, own);
  const agent = new Agent({ keepAlive: true });
  const send = (method: "GET" | "POST", path: string, body?: object) =>
    new Promise<void>((resolve, reject) => {
      const headers = { host, "x-api-key": key, "content-type": "application/json" };
      request(`${server.address}/api/external/v2${path}`, { method, agent, headers }, (response) => {
        response.resume().once("end", resolve);
      })
        .once("error", reject)
        .end(body && JSON.stringify(body));
    });
  const again = (work: (index: number) => Promise<void>): Stop => {
    let isOver = false;
    let next = 0;
    const loops = Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver) await work(next++);
    });
    return async () => {
      isOver = true;
      await Promise.all(loops);
    };
  };
  return {
    texts: async () => {
      const run = Date.now();
      return again((index) =>
        send("POST", "/articles", {
          title: `Text ${run} ${index}`,
          markdown_content: TEXTS[index % TEXTS.length],
          category_path: ["Hostile"],
          create_categories: true,
        }),
      );
    },
    searches: async () => {
      const { question, "common phrase": phrase } = queriesFor(new Vocabulary(), own);
      const texts = [...question, ...phrase];
      return again((index) =>
        send("GET", `/search?search_term=${encodeURIComponent(texts[index % texts.length] as string)}&n=${index}`),
      );
    },
    import: async () => {
      const id = await uploadImport(own.id, { filename: "hostile.zip", content: await zip() }, hostile);
      // The check reads every file, like the import itself.
      while (!(await readWorkspace(own.id, (read) => findRun(read, "import", id)))?.phase) await wait(200);
      return () => cancelRun(own.id, "import", id, hostile);
    },
  };
}

type Stop = () => Promise<void>;

type Attack = () => Promise<Stop>;

async function zip(): Promise<AsyncIterable<Uint8Array>> {
  const file = new ZipFile();
  for (let index = 0; index < FILES; index++) {
    file.addBuffer(Buffer.from(`${TEXTS[index % TEXTS.length]}\n\n${index}`), `hostile/${index}.md`);
  }
  file.end();
  return file.outputStream as Readable;
}

const hostOf = (server: BenchServer, { subdomain }: PlannedWorkspace) =>
  new URL(workspaceUrl(subdomain, server.baseUrl)).host;

function report(rows: readonly Row[]): void {
  console.log(
    "Response times of the other workspace in milliseconds, at most 25 requests per second of each kind. Ratio is p99 compared with idle.\n",
  );
  const [idle] = rows;
  const cells = (row: Row, kind: keyof Measured) => {
    const { p50, p99, requests, failed } = row[kind];
    return [p50.toFixed(1), p99.toFixed(1), (p99 / (idle as Row)[kind].p99).toFixed(1), `${failed} of ${requests}`];
  };
  table(
    ["attack", ...KINDS.flatMap((kind) => [`${kind}: p50`, "p99", "ratio", "failed"])],
    rows.map((row) => [row.name, ...KINDS.flatMap((kind) => cells(row, kind))]),
  );
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number of at least 1.");
}
