import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, startServer } from "@/testing/server";

// Two servers on one database, under constant load. Checks each answer for text that is older than what either server had
// acknowledged when the request was sent. `npm run trial -- soak` takes 20 minutes, e2e/soak.spec.ts a few seconds.

export interface Place {
  servers: readonly { port: number; pid: number }[];
  /** The host of a workspace, with its port. */
  host: string;
  /** With all scopes. */
  key: string;
}

export interface Outcome {
  reads: number;
  writes: number;
  /** Titles that were found in answers. */
  compared: number;
  failed: string[];
  stale: string[];
  /** Response times in milliseconds. */
  p50: number;
  p99: number;
  /** Megabytes of each server every ten seconds. */
  memory: number[][];
}

const ARTICLES = 40;
const CATEGORY = "Soak";
const TEXT = "## Before\n\nSome text.\n\n## After\n\nMore text.\n".repeat(20);
const titleOf = (article: number, version: number) => `Article ${article}, version ${version}`;
const TITLES = /Article (\d+), version (\d+)/g;
const SAMPLE_MS = 10_000;
/** The servers are overloaded if this many requests have no response. */
const MOST_OPEN = 500;

/** Starts two servers on the database of the environment. The first one runs the jobs. */
export async function twoServers(): Promise<{ servers: Place["servers"]; port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const limits = { RATE_LIMIT_KEY: "0", RATE_LIMIT_PAGES: "0", RATE_LIMIT_SEARCH: "0", RATE_LIMIT_WRITE: "0" };
  const settings = { ...limits, BASE_URL: `http://localhost:${port}`, WORKERS: "1", QUICKSTART: "" };
  const first = await startServer("front door", { ...settings, PORT: String(port) });
  const secondPort = await freePort();
  const second = await startServer("front door", { ...settings, PORT: String(secondPort), JOBS: "off" }).catch(
    async (error: unknown) => {
      await first.stop();
      throw error;
    },
  );
  return {
    servers: [
      { port, pid: first.child.pid as number },
      { port: secondPort, pid: second.child.pid as number },
    ],
    port,
    stop: async () => void (await Promise.all([first.stop(), second.stop()])),
  };
}

/**
 * Writes articles and keeps changing their titles on one server, then the other, while both are read.
 * @param rate requests a second
 * @param writes writes a second, included in `rate`. After a write, kept answers are stale
 */
export async function soak(
  { servers, host, key }: Place,
  {
    seconds,
    rate,
    writes,
    tell = () => {},
  }: { seconds: number; rate: number; writes: number; tell?: (line: string) => void },
): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true });
  const outcome: Outcome = { reads: 0, writes: 0, compared: 0, failed: [], stale: [], p50: 0, p99: 0, memory: [] };
  const times: number[] = [];
  const open = new Set<Promise<void>>();

  const send = async (turn: number, method: "GET" | "POST" | "PATCH", path: string, body?: object) => {
    const port = servers[turn % servers.length]?.port;
    const start = performance.now();
    const said = await new Promise<string | null>((resolve) => {
      const failed = (reason: unknown) => {
        outcome.failed.push(`${method} ${path}: ${reason instanceof Error ? reason.message : String(reason)}`);
        resolve(null);
      };
      const headers = { host, "x-api-key": key, "content-type": "application/json" };
      request({ port, host: "127.0.0.1", method, path, agent, headers }, (response) => {
        text(response).then(
          (all) =>
            response.statusCode === (method === "POST" ? 201 : 200) ? resolve(all) : failed(response.statusCode),
          failed,
        );
      })
        .once("error", failed)
        .end(body && JSON.stringify(body));
    });
    times.push(performance.now() - start);
    return said;
  };

  const articles: { id: string; slug: string; version: number; isBeingWritten: boolean }[] = [];
  for (let article = 0; article < ARTICLES; article++) {
    const body = { title: titleOf(article, 0), markdown_content: TEXT, state: "published" };
    const place = { category_path: [CATEGORY], create_categories: true };
    const said = await send(article, "POST", "/api/external/v2/articles", { ...body, ...place });
    if (said === null) return outcome;
    const { article: made } = JSON.parse(said) as { article: { id: string; slug: string } };
    articles.push({ ...made, version: 0, isBeingWritten: false });
  }

  const paths = [
    (article: number) => `/api/external/v2/articles/${articles[article]?.id}`,
    (article: number) => `/articles/${articles[article]?.slug}`,
    () => "/api/external/v2/articles?page_size=100",
    () => `/categories/${CATEGORY.toLowerCase()}`,
    (article: number) => `/api/external/v2/search?search_term=${encodeURIComponent(`article ${article}`)}`,
    (article: number) => `/articles/${articles[article]?.slug}.md`,
    () => "/api/external/v2/categories",
  ];

  const read = async (turn: number) => {
    const article = Math.floor(turn / paths.length) % articles.length;
    const path = paths[turn % paths.length]?.(article) as string;
    const before = articles.map(({ version }) => version);
    const said = await send(turn % 3, "GET", path);
    outcome.reads++;
    // Search results mark words with <em>.
    for (const [title, number, version] of said?.replace(/<\/?em>/g, "").matchAll(TITLES) ?? []) {
      outcome.compared++;
      if (Number(version) < (before[Number(number)] ?? 0)) {
        outcome.stale.push(`${path}: “${title}”, after version ${before[Number(number)]} was acknowledged`);
      }
    }
  };

  const write = async (turn: number) => {
    const article = turn % articles.length;
    const own = articles[article];
    // Two writes of one article at the same time would have no order.
    if (!own || own.isBeingWritten) return read(turn);
    own.isBeingWritten = true;
    const version = own.version + 1;
    const body = { title: titleOf(article, version), publish: true };
    // Each server writes each article in turn.
    const server = turn + Math.floor(turn / articles.length);
    const said = await send(server, "PATCH", `/api/external/v2/articles/${own.id}`, body);
    if (said !== null) own.version = version;
    own.isBeingWritten = false;
    outcome.writes++;
  };

  const every = Math.max(1, Math.round(rate / writes));
  const start = performance.now();
  let next = 0;
  let sampleAt = 0;
  for (let turn = 0; performance.now() - start < seconds * 1_000; turn++) {
    next += 1_000 / rate;
    const wait = start + next - performance.now();
    if (wait > 1) await sleep(wait);
    while (open.size >= MOST_OPEN) await Promise.race(open);
    const sent = (turn % every === every - 1 ? write(Math.floor(turn / every)) : read(turn)).finally(() =>
      open.delete(sent),
    );
    open.add(sent);
    if (performance.now() - start >= sampleAt) {
      sampleAt += SAMPLE_MS;
      outcome.memory.push(servers.map(({ pid }) => megabytesOf(pid)));
      const { reads, writes, failed, stale } = outcome;
      tell(`${reads} reads, ${writes} writes, ${failed.length} failed, ${stale.length} stale`);
    }
  }
  await Promise.all(open);
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { ...outcome, p50: at(0.5), p99: at(0.99) };
}

/** The memory of a process that is not shared with files. 0 where there is no /proc. */
function megabytesOf(pid: number): number {
  try {
    return Math.round(Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
