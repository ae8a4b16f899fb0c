import { parseArgs } from "node:util";
import { Client } from "pg";
import { closeConnections } from "@/lib/db";
import { startServer } from "@/testing/server";
import { openTestDatabase } from "@/testing/setup";
import { snapshot } from "@/testing/wall";
import { wholeNumber } from "../bin/whole-number";
import { findingsIn, report, withInstallation } from "./faults/program";
import { injectFaults, type Outcome } from "./faults/run";
import { databaseFaults, randomRequests } from "./fuzz/faults";
import { plantWorld } from "./fuzz/plant";
import { remoteWorld, tagsOf, warmedUp } from "./fuzz/remote";
import { findingsText, repeated, successShare, tableOf } from "./fuzz/report";
import { fuzz, type Tally, type Targets, tried } from "./fuzz/run";
import { targetAt } from "./fuzz/send";
import type { World } from "./fuzz/world";

// npm run fuzz: sends requests drawn from the OpenAPI documents, and raw bytes, and checks them against the contract. Exit
// codes: 0 no problems, 1 problems found or failure.

const usage = `npm run fuzz -- [--requests 200000] [--seed 1] [--replay INDEX]
  [--faults (kills, freezes and blocks the database in the meantime, and loses its connections)]
  [--url http://127.0.0.1:3000 --host docs.localhost:3000 --key kb_… (a read-only key)]`;

/** A smaller run is too small to judge the distribution of answers. */
const SPREAD_FROM = 5_000;

const unlimited = { RATE_LIMIT_KEY: "0", RATE_LIMIT_SEARCH: "0", RATE_LIMIT_WRITE: "0", RATE_LIMIT_FAILED: "0" };

interface Stage {
  world: World;
  targets: Targets;
  /** The server's last output. */
  log: string[];
  isOver: () => boolean;
  /** Problems that show only after everything is sent. */
  aftermath: () => Promise<string[]>;
  close: () => Promise<void>;
}

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(usage);
  process.exit();
}

const { values } = parseArgs({
  args: args,
  options: {
    requests: { type: "string" },
    seed: { type: "string" },
    replay: { type: "string" },
    faults: { type: "boolean", default: false },
    url: { type: "string" },
    host: { type: "string" },
    key: { type: "string" },
  },
});

async function main(): Promise<void> {
  const seed = wholeNumber("seed", values.seed, 1, usage);
  // testing/document.ts reads from the environment whether limits are on.
  Object.assign(process.env, unlimited);
  if (values.faults) return runUnderFaults(seed, wholeNumber("requests", values.requests, 200_000, usage));
  const stage = values.url ? await elsewhere(values.url) : await throwaway();
  try {
    if (values.replay !== undefined) await replay(stage, seed, wholeNumber("replay", values.replay, 0, usage));
    else await run(stage, seed, wholeNumber("requests", values.requests, 200_000, usage));
  } finally {
    await stage.close();
  }
}

async function run({ world, targets, log, isOver, aftermath }: Stage, seed: number, count: number): Promise<void> {
  const start = performance.now();
  const perSecond = (tally: Tally) => Math.round(tally.sent / ((performance.now() - start) / 1000));
  let said = start;
  const tally = await fuzz(world, targets, {
    seed,
    count,
    isOver,
    onProgress(now) {
      if (performance.now() - said < 5_000) return;
      said = performance.now();
      console.error(`${now.sent} of ${count}, ${perSecond(now)} a second, ${now.findings.length} findings`);
    },
  });
  const share = successShare(tally);
  const whole = await aftermath();
  if (count >= SPREAD_FROM && share < 0.3)
    whole.push("Less than 30% of the requests succeeded, so the run proves little.");
  if (count >= SPREAD_FROM && targets.limited && ![...tally.statuses.values()].some((row) => row.has("429")))
    whole.push("No limit was reached.");

  console.log(tableOf(tally));
  console.log(
    `\n${tally.sent} requests of seed ${seed} in ${Math.round((performance.now() - start) / 1000)} s, ${perSecond(tally)} a second; ${Math.round(share * 100)}% of the valid HTTP requests succeeded.`,
  );
  if (tally.slowest) {
    const { milliseconds, index } = tally.slowest;
    const over = `${tally.slow.length} took over a second, with eight at a time`;
    console.log(`The slowest search took ${Math.round(milliseconds)} ms (--replay ${index}); ${over}.`);
  }
  if (tally.findings.length > 0) console.log(`\n${findingsText(tally.findings, seed, targets.open, log)}`);
  for (const problem of whole) console.log(`\n── the run: ${problem}`);
  console.log(`\n${tally.findings.length + whole.length} findings`);
  if (tally.findings.length + whole.length > 0) process.exitCode = 1;
}

/** How long requests run between faults, in milliseconds, and how often each fault comes in a row. */
const CALM_MS = 4_000;
const IN_A_ROW = 3;

async function runUnderFaults(seed: number, count: number): Promise<void> {
  await withInstallation("production", async (installation) => {
    const { databaseUrl, address, baseUrl, output } = installation;
    const target = targetAt(address);
    const planted = { ...(await plantWorld(databaseUrl)), domain: new URL(baseUrl).host };
    await warmedUp(target, planted);
    const world = { ...planted, tags: await tagsOf(target, planted) };
    const before = await rowsOf(databaseUrl, world);
    const requests = randomRequests(world, target, { seed });
    const { tally } = requests;
    const outcomes: Outcome[] = [];
    const start = Date.now();
    const tell = (line: string) => console.error(`${line}, ${tally.sent} requests, ${tally.findings.length} findings`);
    for (let place = 0; tally.sent < count; place++) {
      const names = [databaseFaults[place % databaseFaults.length] as string];
      await injectFaults(installation, requests, { names, rounds: IN_A_ROW, warmMs: CALM_MS, tell }, outcomes);
    }
    const whole = await findingsIn([...world.own, world.written].flatMap((own) => own?.subdomain ?? []));
    if (before !== (await rowsOf(databaseUrl, world))) whole.push("Data of another workspace was changed.");
    console.log(tableOf(tally));
    console.log(`\n${tally.sent} requests of seed ${seed} under faults.`);
    if (tally.findings.length > 0) console.log(`\n${findingsText(tally.findings, seed, target, output)}`);
    for (const problem of whole) console.log(`\n── the run: ${problem}`);
    report(outcomes, Math.round((Date.now() - start) / 1_000));
    console.log(`\n${tally.findings.length + whole.length} findings`);
    if (tally.findings.length + whole.length > 0) process.exitCode = 1;
  });
}

async function replay({ world, targets, log }: Stage, seed: number, index: number): Promise<void> {
  const one = await tried(world, targets, seed, index);
  console.log(
    `${one.sample.name}: ${one.sample.expected.join(" or ")} expected\n\n${repeated(one.sample, targets.open)}\n`,
  );
  for (const { status, headers, body } of one.outcome.answers) {
    console.log(
      [
        `HTTP/1.1 ${status}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        "",
        body.toString().slice(0, 5_000),
        "",
      ].join("\n"),
    );
  }
  if (one.outcome.answers.length === 0) console.log("There was no response.\n");
  if (one.problems.length === 0) return console.log("No problem found.");
  console.log(findingsText([one], seed, targets.open, log));
  process.exitCode = 1;
}

/** Our own database, workspaces and servers, all removed afterwards. */
async function throwaway(): Promise<Stage> {
  console.error("Starting a database and two servers …");
  const { close: closeDatabase } = await openTestDatabase();
  const closing: (() => Promise<void>)[] = [closeDatabase, closeConnections];
  const close = async () => {
    for (const one of closing.reverse()) await one();
  };
  try {
    const databaseUrl = process.env.DATABASE_URL as string;
    const planted = await plantWorld(databaseUrl);
    const open = await startServer("front door", unlimited);
    closing.push(open.stop);
    const limited = await startServer("front door", {
      RATE_LIMIT_KEY: "5",
      RATE_LIMIT_SEARCH: "2",
      RATE_LIMIT_FAILED: "2",
    });
    closing.push(limited.stop);
    const targets = { open: targetAt(open.address), limited: targetAt(limited.address) };
    for (const target of Object.values(targets)) await warmedUp(target, planted);
    const world = { ...planted, tags: await tagsOf(targets.open, planted) };
    const before = await rowsOf(databaseUrl, world);
    const isGone = () => [open, limited].some(({ child }) => child.exitCode !== null || child.signalCode !== null);
    return {
      world,
      targets,
      log: open.output,
      isOver: isGone,
      async aftermath() {
        if (isGone())
          return [`The server stopped. Its last output:\n${[...open.output, ...limited.output].slice(-30).join("")}`];
        return before === (await rowsOf(databaseUrl, world)) ? [] : ["Data of another workspace was changed."];
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Every row of the workspace that is off limits. */
async function rowsOf(databaseUrl: string, { rival }: World): Promise<string> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>("SELECT id FROM workspaces WHERE subdomain = $1", [
      rival.subdomain,
    ]);
    return await snapshot(owner, rows[0]!.id);
  } finally {
    await owner.end();
  }
}

/** Another installation's server. */
async function elsewhere(url: string): Promise<Stage> {
  const { host, key } = values;
  if (!host || !key) throw new Error(`--url also needs --host and --key.\n${usage}`);
  const open = targetAt(url);
  const world = await remoteWorld(open, host, key);
  return { world, targets: { open }, log: [], isOver: () => false, aftermath: async () => [], close: async () => {} };
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
