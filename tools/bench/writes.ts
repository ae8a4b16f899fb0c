import { readdir, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import { note, progress, table } from "@/bin/kb/output";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { workspaceUrl } from "@/lib/http/host";
import { startBenchServer } from "./admin/server";
import { cpuBelow, cpuOf, postgresOf } from "./api/processes";
import { makeApiWorkspace } from "./api/workspace";
import { temporaryFolder } from "./search/database";

interface Options {
  texts: string;
  most: number;
  connections: number;
  format: "markdown" | "html";
  publish: boolean;
}

const LIMIT = "1000000";

export function writesCommand(): Command {
  return new Command("writes")
    .description(
      "Puts every Markdown file of a folder as an article by its external id, twice: the second time, nothing changes.",
    )
    .requiredOption("--texts <folder>", "folder of Markdown files, with its subfolders as categories")
    .option("--most <number>", "number of files at most", wholeNumber, 1_000_000)
    .option("--connections <number>", "number of connections", wholeNumber, 16)
    .addOption(
      new Option("--format <format>", "what the text is sent as").choices(["markdown", "html"]).default("markdown"),
    )
    .option("--publish", "publishes the articles", false)
    .action(run);
}

async function run({ texts, most, connections, format, publish }: Options): Promise<void> {
  const folder = await temporaryFolder();
  const cleanUp: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const bodies = await bodiesIn(resolve(texts), most, { format, publish });
    const workspace = await makeApiWorkspace(folder, 1, connections);
    cleanUp.push(workspace.release);
    const limits = { RATE_LIMIT_KEY: LIMIT, RATE_LIMIT_WRITE: LIMIT };
    const server = await startBenchServer(workspace.url, folder, limits);
    cleanUp.push(server.stop);
    const postgres = await postgresOf(workspace.url);
    const host = new URL(workspaceUrl(workspace.workspace.subdomain, server.baseUrl)).host;
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const put = ({ id, json }: Text): Promise<{ status: number; body: string }> =>
      new Promise((resolve, reject) => {
        const path = `/api/external/v2/articles/by-external-id/${encodeURIComponent(id)}`;
        const headers = { host, "x-api-key": workspace.keys[0], "content-type": "application/json" };
        const sent = request(server.address + path, { method: "PUT", agent, headers }, (response) => {
          const answer = async () => ({ status: response.statusCode ?? 0, body: await text(response) });
          answer().then(resolve, reject);
        });
        sent.on("error", reject).end(json);
      });
    const rows: string[][] = [];
    for (const [name, wanted] of [
      ["new", '"changed":true'],
      ["unchanged", '"changed":false'],
    ] as const) {
      const bar = progress();
      const before = [cpuOf(server.pid), cpuBelow(postgres)] as const;
      const start = performance.now();
      const took: number[] = [];
      const failures: string[] = [];
      let next = 0;
      const work = async () => {
        for (let body = bodies[next++]; body; body = bodies[next++]) {
          const asked = performance.now();
          const answer = await put(body);
          took.push(performance.now() - asked);
          if (answer.status >= 300 || !answer.body.includes(wanted)) {
            failures.push(`${body.id}: ${answer.status} ${answer.body.slice(0, 300)}`);
          }
          bar.show(name, took.length, bodies.length);
        }
      };
      await Promise.all(Array.from({ length: connections }, work));
      bar.end();
      const seconds = (performance.now() - start) / 1000;
      took.sort((a, b) => a - b);
      const at = (share: number) => (took[Math.floor(took.length * share)] ?? Number.NaN).toFixed(0);
      const each = (cpu: number) => (cpu / took.length).toFixed(1);
      const cpu = [each(cpuOf(server.pid) - before[0]), each(cpuBelow(postgres) - before[1])];
      rows.push([name, (took.length / seconds).toFixed(0), ...cpu, at(0.5), at(0.99), String(failures.length)]);
      for (const failure of failures.slice(0, 5)) note(failure);
    }
    console.log(
      `${bodies.length} texts as ${format}, ${publish ? "published" : "drafts"}, ${connections} connections. CPU in ms per write.\n`,
    );
    table(["articles", "per second", "app", "db", "p50 ms", "p99 ms", "failed"], rows);
    if (rows.some((row) => row.at(-1) !== "0")) throw new Error("Some writes failed. See above.");
  } finally {
    for (const one of cleanUp.reverse()) await one();
  }
}

interface Text {
  id: string;
  json: string;
}

async function bodiesIn(
  folder: string,
  most: number,
  { format, publish }: Pick<Options, "format" | "publish">,
): Promise<Text[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md")).slice(0, most);
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = await readFile(join(parentPath, name), "utf8");
      const [, head = "", markdown = ""] = /^(?:---\n(.*?)\n---\n)?(.*)$/s.exec(file) ?? [];
      const title = /^title: "?(.*?)"?$/m.exec(head)?.[1] ?? name;
      const path = parentPath
        .slice(folder.length + 1)
        .split("/")
        .filter(Boolean);
      const content =
        format === "markdown" ? { markdown_content: markdown } : { html_content: contentFromMarkdown(markdown).html };
      const place = { category_path: path.length > 0 ? path : ["Texts"], create_categories: true };
      // An external id has at most 200 characters.
      return { id: join(...path, name).slice(-200), json: JSON.stringify({ title, ...content, ...place, publish }) };
    }),
  );
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number of at least 1.");
}
