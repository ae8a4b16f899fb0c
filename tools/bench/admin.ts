import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { note, progress, table } from "@/bin/kb/output";
import { askAdmin, placesToAsk } from "./admin/pages";
import { startBenchServer } from "./admin/server";
import { MANY, makeAdminWorkspace } from "./admin/workspace";

/** The limit for a page's 99th percentile, in milliseconds. */
const MARK = 300;

interface Options {
  articles: number;
  requests: number;
}

export function adminCommand(): Command {
  return new Command("admin")
    .description(
      "Measures every page of the admin UI of a full workspace on a production server, and fails if a page is over the limit.",
    )
    .option("--articles <number>", "number of articles in the workspace", wholeNumber, 10_000)
    .option("--requests <number>", "number of requests per page", wholeNumber, 50)
    .addHelpText(
      "after",
      `\nThe workspace has ${MANY.categories} categories, ${MANY.members} members, and half a year of views, searches and audit log entries.\nThe limit is a p99 of ${MARK} ms.`,
    )
    .action(run);
}

async function run({ articles, requests }: Options): Promise<void> {
  const folder = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-bench-admin-"));
  const cleanUp: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const workspace = await makeAdminWorkspace(folder, articles);
    cleanUp.push(workspace.release);
    const server = await startBenchServer(workspace.url, folder);
    cleanUp.push(server.stop);
    const paths = await placesToAsk(workspace);
    const bar = progress();
    const answers: Awaited<ReturnType<typeof askAdmin>>[] = [];
    for (const [index, path] of paths.entries()) {
      bar.show("Asking", index, paths.length);
      answers.push(await askAdmin(server, workspace, path, requests));
    }
    bar.show("Asking", paths.length, paths.length);
    bar.end();
    console.log(`${articles} articles, milliseconds of ${requests} requests for each page, one at a time.\n`);
    table(
      ["page", "status", "p50", "p99", "KB"],
      answers.map(({ path, status, p50, p99, bytes }) => [path, String(status), ms(p50), ms(p99), ms(bytes / 1024)]),
    );
    const failed = answers.filter(({ status, p99 }) => status !== 200 || p99 > MARK);
    if (failed.length > 0) {
      throw new Error(`Over ${MARK} ms, or failed: ${failed.map(({ path }) => path).join(", ")}.`);
    }
    note(`Every page is under ${MARK} ms.`);
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

const ms = (value: number) => value.toFixed(1);

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number of at least 1.");
}
