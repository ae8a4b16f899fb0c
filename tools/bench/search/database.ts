import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { note, progress } from "@/bin/kb/output";
import { migrate } from "@/server/migrate";
import { startPostgres } from "@/server/postgres";
import { articleAt } from "./articles";
import { indexed } from "./documents";
import { tidyUp, withClient, withoutSearchIndexes } from "./indexes";
import { loadWorkspaces } from "./load";
import { type PlannedWorkspace, planOf } from "./plan";
import { Vocabulary } from "./words";

/** The record of a data folder, in bench.json. */
interface Made {
  articles: number;
  /** Identifies generator, search documents and migrations. */
  fingerprint: string;
  /** Seconds, or absent until the database is complete. */
  seconds?: { loading: number; indexing: number };
  /** The measured workspaces. */
  workspaces?: PlannedWorkspace[];
}

export interface BenchDatabase {
  /** Every workspace, and the one with its own database. */
  url: string;
  aloneUrl: string;
  seconds: { loading: number; indexing: number };
  workspaces: PlannedWorkspace[];
  /** Stops the server. */
  release(): Promise<void>;
}

const ALONE = "alone";

/**
 * Serves the database with this many articles from a folder, with the settings of the embedded server. Creates it
 * first if it is missing or incomplete.
 * @throws when the folder holds something else
 */
export async function openBenchDatabase(folder: string, articles: number): Promise<BenchDatabase> {
  const wanted = { articles, fingerprint: await fingerprintOf() };
  const made = (await madeBefore(folder, wanted)) ?? (await make(folder, wanted));
  const server = await startPostgres({ dataDir: folder, log: note });
  const { seconds, workspaces } = made as Required<Made>;
  const aloneUrl = aloneOf(server.url);
  // A kept folder may lack this version's functions.
  for (const url of [server.url, aloneUrl]) await migrate(url);
  return { url: server.url, aloneUrl, seconds, workspaces, release: () => server.release() };
}

/**
 * The record of a data folder that an earlier run finished. Makes an empty folder when there is none.
 * @throws Error with a sentence when the folder holds something else
 */
export async function madeBefore(folder: string, { articles, fingerprint }: Made): Promise<Made | undefined> {
  await mkdir(folder, { recursive: true });
  const made = await madeIn(folder);
  if (made?.seconds) {
    if (made.articles === articles && made.fingerprint === fingerprint) return made;
    throw new Error(
      `${folder} holds ${made.articles} articles${made.articles === articles ? " of another version of this program" : ""}. Delete it, or choose another folder with --data.`,
    );
  }
  if (made) await removeBenchDatabase(folder);
  else if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Choose another folder with --data.`);
  await mkdir(folder, { recursive: true });
  return undefined;
}

/** Records the state of a data folder. Without `seconds` it is incomplete. */
export async function remember(folder: string, made: Made): Promise<void> {
  await writeFile(join(folder, "bench.json"), `${JSON.stringify(made, null, 2)}\n`);
}

/** A new folder that PostgreSQL can enter too, because root runs PostgreSQL as another user. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-bench-"));
  await chmod(folder, 0o755);
  return folder;
}

/** Deletes a data folder of this program, and no other folder. */
export async function removeBenchDatabase(folder: string): Promise<void> {
  if (!(await madeIn(folder))) return;
  const remembered = await readFile(join(folder, "postgres.json"), "utf8").catch(() => "{}");
  // Root's server runs as another user, who might not be able to enter the folder (server/postgres/place.ts).
  const { elsewhere } = JSON.parse(remembered) as { elsewhere?: string };
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

async function make(folder: string, made: Made): Promise<Made> {
  await remember(folder, made);
  // Data lost in a crash is generated again.
  const server = await startPostgres({ dataDir: folder, durable: false, log: note });
  try {
    const aloneUrl = aloneOf(server.url);
    await withClient(server.url, (client) => client.query(`CREATE DATABASE ${ALONE}`));
    for (const url of [server.url, aloneUrl]) await migrate(url);
    const plan = await planOf(made.articles, (ids) => partitionsOf(server.url, ids));
    await setAutovacuum(server.url, "off");
    const restores = [await withoutSearchIndexes(server.url), await withoutSearchIndexes(aloneUrl)];
    const loading = await timed(async () => {
      await loadAll(server.url, "Loading", plan);
      await loadAll(
        aloneUrl,
        "Loading the separate database",
        plan.filter(({ role }) => role === "beside"),
      );
    });
    note(`Loaded in ${loading} s. Creating the indexes …`);
    const indexing = await timed(async () => {
      for (const restore of restores) await restore();
    });
    note(`Created the indexes in ${indexing} s. Cleaning up …`);
    for (const url of [server.url, aloneUrl]) await tidyUp(url);
    await setAutovacuum(server.url, "on");
    const workspaces = plan.filter(({ role }) => role);
    const done = { ...made, seconds: { loading, indexing }, workspaces };
    await remember(folder, done);
    return done;
  } finally {
    await server.release();
  }
}

async function loadAll(url: string, label: string, plan: readonly PlannedWorkspace[]): Promise<void> {
  const total = plan.reduce((sum, { articles }) => sum + articles, 0);
  const bar = progress();
  await loadWorkspaces(url, plan, (loaded) => bar.show(label, loaded, total));
  bar.end();
}

/** Disabled because it would slow down filling the database. */
async function setAutovacuum(url: string, value: "on" | "off"): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(value === "on" ? "ALTER SYSTEM RESET autovacuum" : "ALTER SYSTEM SET autovacuum = off");
    await client.query("SELECT pg_reload_conf()");
  });
}

/** The partition of search_documents for each workspace. */
async function partitionsOf(url: string, ids: readonly string[]): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ partition: string }>(
      `SELECT p.partition FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, place) CROSS JOIN LATERAL (
         SELECT c.relname AS partition FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
         CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'modulus (\\d+), remainder (\\d+)') AS bound
         WHERE h.inhparent = 'search_documents'::regclass
           AND satisfies_hash_partition(h.inhparent, bound[1]::int, bound[2]::int, w.id)
       ) p ORDER BY w.place`,
      [ids],
    );
    return rows.map(({ partition }) => partition);
  });
}

/** Identifies everything the rows depend on, so that an outdated folder is not reused. */
export async function fingerprintOf(): Promise<string> {
  const hash = createHash("sha256");
  const vocabulary = new Vocabulary();
  const workspace = "00000000-0000-4000-8000-000000000000";
  for (let index = 0; index < 50; index++) {
    const article = articleAt(vocabulary, 1, index);
    const text = article.paragraphs.join("\n");
    const words = new Map<string, string>();
    const row = await indexed(workspace, { ...article, slug: "slug", text }, "Category", words);
    hash.update(JSON.stringify([article, row, ...words]));
  }
  for (const name of (await readdir("prisma/migrations")).sort()) {
    const file = join("prisma/migrations", name, "migration.sql");
    if (existsSync(file)) hash.update(await readFile(file));
  }
  return hash.digest("hex");
}

async function madeIn(folder: string): Promise<Made | undefined> {
  const text = await readFile(join(folder, "bench.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Made);
}

function aloneOf(url: string): string {
  const alone = new URL(url);
  alone.pathname = `/${ALONE}`;
  return alone.href;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return Math.round((performance.now() - start) / 100) / 10;
}
