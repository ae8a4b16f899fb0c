import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { note, progress } from "@/bin/kb/output";
import { type Asker, startAsker } from "./search/ask";
import { type BenchDatabase, openBenchDatabase, removeBenchDatabase, temporaryFolder } from "./search/database";
import { explainSearch } from "./search/explain";
import { CLIENTS, type Measured, measure, type Target } from "./search/measure";
import { LEAST_ARTICLES, type PlannedWorkspace, type Role } from "./search/plan";
import { KINDS, type Kind, queriesFor } from "./search/queries";
import { printKinds, printRatios, printSizes, printWorkspace } from "./search/report";
import { Vocabulary } from "./search/words";

interface Options {
  articles: number;
  data?: string;
  keep?: boolean;
  kinds: Kind[];
  seconds: number;
  unchanged?: boolean;
  explain?: Place;
}

/** The measured workspaces. One has its own database. */
type Place = Role | "alone";

const every = Object.keys(KINDS) as Kind[];

export function searchCommand(): Command {
  return new Command("search")
    .description("Measures search in generated workspaces of every size, in a separate database.")
    .option(
      "--articles <number>",
      `total number of articles, at least ${LEAST_ARTICLES}`,
      wholeNumber(LEAST_ARTICLES),
      10_000,
    )
    .option("--data <folder>", "folder of the database (default: a temporary folder)")
    .option("--keep", "keeps the database for the next run with --data")
    .option("--kinds <kinds>", "only these kinds of queries, separated by commas", kindsOf, every)
    .option(
      "--seconds <number>",
      "maximum seconds per kind and workspace, for sequential and for concurrent queries each",
      seconds,
      1.5,
    )
    .option("--unchanged", "keeps cached totals. By default, every query runs as if an article had just been published")
    .addOption(
      new Option("--explain [workspace]", "breaks down the time of the slowest query of each kind")
        .choices(Object.keys(headings))
        .preset("largest"),
    )
    .addHelpText("after", help)
    .action(run);
}

const help = `
A million articles take about 25 GB and most of an hour to create. Kinds of queries:
${every.map((kind) => `  ${kind.padEnd(14)} ${KINDS[kind]}`).join("\n")}

Examples:
  npm run bench -- search
  npm run bench -- search --articles 100000 --data /tmp/bench-100000 --keep
  npm run bench -- search --articles 100000 --data /tmp/bench-100000 --keep --kinds "common,two words" --explain`;

async function run(options: Options): Promise<void> {
  const folder = options.data ? resolve(options.data) : await temporaryFolder();
  const cleanUp: (() => unknown)[] = [];
  if (!options.data && !options.keep) {
    cleanUp.push(() => rm(folder, { recursive: true, force: true }));
    cleanUp.push(() => removeBenchDatabase(folder));
  }
  try {
    const database = await openBenchDatabase(folder, options.articles);
    // Added only now, because the folder may hold another database.
    if (options.data && !options.keep) cleanUp.push(() => removeBenchDatabase(folder));
    cleanUp.push(() => database.release());
    const askers = [startAsker(database.url), startAsker(database.aloneUrl)] as const;
    for (const asker of askers) cleanUp.push(() => asker.stop());
    await report(options, database, askers);
    if (options.keep) note(`The database is kept in ${folder}.`);
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

async function report(
  { articles, kinds, seconds, unchanged = false, explain }: Options,
  database: BenchDatabase,
  [among, alone]: readonly [Asker, Asker],
): Promise<void> {
  const targets = targetsOf(database.workspaces, among, alone);
  const bar = progress();
  const measureAll = async (...group: Target[]) => {
    const labels = group.map(({ label }) => label).join(", ");
    return measure(group, kinds, seconds, !unchanged, (done, total) => bar.show(labels, done, total));
  };
  // A new or idle process is slow, so both warm up before the comparison.
  await measure([targets.beside, targets.alone], kinds, 0.2, true, (done, total) =>
    bar.show("Warming up", done, total),
  );
  const middle = await measureAll(targets.alone, targets.beside, targets.elsewhere);
  const largest = await measureAll(targets.largest);
  const small = await measureAll(targets.small);
  bar.end();

  const ofTarget = (target: Target) => [...largest, ...middle, ...small].filter((one) => one.target === target);
  console.log(
    `${articles} articles, milliseconds of a page of 30 with highlights, one at a time and ${CLIENTS} at a time. Figures depend on the machine and its load. Ratios hold.`,
  );
  for (const [place, target] of Object.entries(targets)) {
    printWorkspace(`${headings[place as Place]}: ${target.articles} articles`, ofTarget(target));
  }
  printRatios(ofTarget(targets.alone), {
    "next to the largest": ofTarget(targets.beside),
    "in another partition": ofTarget(targets.elsewhere),
  });
  printKinds(kinds);
  await printSizes(database.url, `Disk usage with all ${articles} articles`);
  await printSizes(database.aloneUrl, `Disk usage of the ${targets.alone.articles} articles alone`);
  const { loading, indexing } = database.seconds;
  console.log(`\nLoaded in ${loading} s, indexed in ${indexing} s.`);
  if (explain) await printPlans(explain === "alone" ? database.aloneUrl : database.url, ofTarget(targets[explain]));
}

async function printPlans(url: string, measured: readonly Measured[]): Promise<void> {
  for (const { kind, slowest, target } of measured) {
    console.log(`\n── ${kind}: ${slowest}\n\n${await explainSearch(url, target.workspaceId, slowest)}`);
  }
}

function targetsOf(workspaces: readonly PlannedWorkspace[], among: Asker, alone: Asker): Record<Place, Target> {
  const vocabulary = new Vocabulary();
  const target = (role: Role, label: string, asker = among): Target => {
    const workspace = workspaces.find((one) => one.role === role) as PlannedWorkspace;
    return {
      label,
      articles: workspace.articles,
      asker,
      workspaceId: workspace.id,
      queries: queriesFor(vocabulary, workspace),
    };
  };
  note("Choosing the queries …");
  return {
    largest: target("largest", "the largest"),
    beside: target("beside", "next to the largest"),
    elsewhere: target("elsewhere", "elsewhere"),
    alone: target("beside", "alone", alone),
    small: target("small", "a small one"),
  };
}

const headings: Record<Place, string> = {
  largest: "The largest workspace",
  beside: "A workspace in the same partition as the largest",
  elsewhere: "A workspace of the same articles in another partition",
  alone: "The same articles alone in a database of their own",
  small: "A small workspace",
};

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`Give a whole number of at least ${least}.`);
  };
}

function seconds(text: string): number {
  if (Number(text) >= 0.1 && Number(text) <= 600) return Number(text);
  throw new InvalidArgumentError("Give a number of seconds from 0.1 to 600.");
}

function kindsOf(text: string): Kind[] {
  const names = text.split(",").map((kind) => kind.trim());
  const unknown = names.find((kind) => !(kind in KINDS));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${every.join(", ")}.`);
  return every.filter((kind) => names.includes(kind));
}
