import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { note, progress, table } from "@/bin/kb/output";
import { acrossWorkspaces } from "@/lib/db";
import { removeBenchDatabase, temporaryFolder } from "./search/database";
import { publishedArticles } from "./search-quality/articles";
import { bm25 } from "./search-quality/bm25";
import { knownItems } from "./search-quality/known-items";
import { type Answered, ask, byKind, productSearch, qualityOf } from "./search-quality/measure";
import { OWN_QUERIES, type QualityQuery, queriesIn } from "./search-quality/queries";
import { openQualityWorkspace } from "./search-quality/workspace";

interface Options {
  articles: string;
  queries?: string[];
  set?: "tune" | "apart";
  misses?: boolean;
  data?: string;
  keep?: boolean;
}

const MANUAL = "prisma/manual";

export function searchQualityCommand(): Command {
  return new Command("search-quality")
    .description("Measures how well search answers known items, questions and keywords, beside a plain BM25.")
    .option("--articles <path>", "a folder or zip of Markdown to search", MANUAL)
    .option("--queries <files>", "files of queries, separated by commas", (files: string) => files.split(","))
    .addOption(
      new Option("--set <set>", "leaves out queries of the other set. Queries without a set stay").choices([
        "tune",
        "apart",
      ]),
    )
    .option("--misses", "lists the queries whose article is not among the first ten")
    .option("--data <folder>", "folder of the database (default: a temporary folder)")
    .option("--keep", "keeps the database for the next run with --data")
    .addHelpText("after", help)
    .action(run);
}

const help = `
The manual has questions and keywords of its own. Without --queries, known items are drawn from the articles: exact titles,
two words of a title, a title with its last word cut, a phrase of the text, a title word with a typo.

Lectern is searched through searchArticles, the function behind the API. The BM25 takes title, description, keywords and text
in one bag and finds articles with any of the words. Both find ten articles.

A file of queries is JSON: [{ "query", "expected_slug", "accept"?: [slug], "kind", "set"?: "tune" | "apart" }].
An empty expected_slug means that nothing should be found. tools/bench/search-quality/product-docs.json asks about the articles
of github.com/MicrosoftDocs/dynamics365smb-docs and github.com/MicrosoftDocs/windows-driver-docs, which you bring yourself.

Examples:
  npm run bench -- search-quality
  npm run bench -- search-quality --set tune --misses
  npm run bench -- search-quality --articles docs.zip --queries known.json,questions.json --data /tmp/quality --keep`;

async function run(options: Options): Promise<void> {
  const files = options.queries ?? (options.articles === MANUAL ? OWN_QUERIES : []);
  const given = (await Promise.all(files.map(queriesIn))).flat();
  const folder = options.data ? resolve(options.data) : await temporaryFolder();
  const cleanUp: (() => unknown)[] = [];
  if (!options.keep) cleanUp.push(() => removeBenchDatabase(folder));
  if (!options.data && !options.keep) cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  try {
    const workspace = await openQualityWorkspace(folder, resolve(options.articles));
    cleanUp.push(() => workspace.release());
    await measured(workspace.id, given, options);
    if (options.keep) note(`The database is kept in ${folder}.`);
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

async function measured(workspaceId: string, given: QualityQuery[], { queries: files, set, misses }: Options) {
  const articles = await publishedArticles(workspaceId);
  const queries = [...given, ...(files ? [] : knownItems(articles))].filter(
    (query) => !set || !query.set || query.set === set,
  );
  const slugs = new Set(articles.map(({ slug }) => slug));
  const lost = queries.filter(
    ({ expected_slug: slug, accept }) => slug !== "" && ![slug, ...accept].some((one) => slugs.has(one)),
  );
  if (lost.length > 0) note(`No article answers ${lost.length} of the queries, such as "${lost[0]?.query}".`);

  const search = productSearch(workspaceId);
  // The first searches of a process are slow. A new content version then clears the caches.
  await ask(search, queries.slice(0, 50));
  await acrossWorkspaces.query("UPDATE content_versions SET version = version + 1 WHERE workspace_id = $1", [
    workspaceId,
  ]);
  const bar = progress();
  const ours = await ask(search, queries, (done, total) => bar.show("Searching", done, total));
  bar.end();
  const plain = byKind(await ask(bm25(articles), queries));

  console.log(
    `${articles.length} published articles, ${queries.length} queries. Milliseconds are Lectern's, one search at a time.\n`,
  );
  table(
    ["", "", "n", "success@1", "MRR@10", "in the first ten", "nothing found", "p50 ms", "p99 ms"],
    [...byKind(ours)].flatMap(([kind, answers]) => [
      [kind, "Lectern", ...columns(answers), ...times(answers)],
      ["", "BM25", ...columns(plain.get(kind) ?? [])],
    ]),
  );
  if (misses) printMisses(ours);
}

function columns(answers: readonly Answered[]): string[] {
  const { count, first, mrr, inTen, nothing } = qualityOf(answers);
  return [String(count), first.toFixed(3), mrr.toFixed(3), String(inTen), String(nothing)];
}

function times(answers: readonly Answered[]): string[] {
  const { median, slow } = qualityOf(answers);
  return [median.toFixed(1), slow.toFixed(1)];
}

function printMisses(answers: readonly Answered[]): void {
  console.log("\nNot among the first ten\n");
  table(
    ["kind", "query", "expected", "came first"],
    answers
      .filter(({ place, expected_slug: slug }) => place === 0 && slug !== "")
      .map(({ kind, query, expected_slug: slug, slugs }) => [kind, query, slug, slugs[0] ?? "nothing"]),
  );
}
