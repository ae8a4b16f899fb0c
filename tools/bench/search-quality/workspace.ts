import { createHash, type Hash } from "node:crypto";
import { count, note, progress } from "@/bin/kb/output";
import type { Actor } from "@/lib/audit/audit";
import { closeConnections } from "@/lib/db";
import { importArticles } from "@/lib/import/run";
import { openSource } from "@/lib/import/source";
import { createWorkspace, findWorkspace } from "@/lib/workspaces/workspaces";
import { migrate } from "@/server/migrate";
import { startPostgres } from "@/server/postgres";
import { fingerprintOf, madeBefore, remember } from "../search/database";
import { tidyUp } from "../search/indexes";
import { endsWithUs } from "../search/interruption";

export interface QualityWorkspace {
  id: string;
  /** Stops the database. */
  release(): Promise<void>;
}

const SUBDOMAIN = "quality";
const bench: Actor = { kind: "system", id: null, name: "Benchmark" };

/**
 * Serves the workspace in a data folder that holds these articles. Imports them first when the folder is empty.
 * @param articles a folder or zip of Markdown
 * @throws Error with a sentence when the folder holds something else, or the articles cannot be read
 */
export async function openQualityWorkspace(folder: string, articles: string): Promise<QualityWorkspace> {
  const files = await filesIn(articles);
  const wanted = { articles: files.count, fingerprint: files.hash.update(await fingerprintOf()).digest("hex") };
  const made = await madeBefore(folder, wanted);
  if (!made) await remember(folder, wanted);
  // Data lost in a crash while importing is imported again.
  const server = await startPostgres({ dataDir: folder, durable: made !== undefined, log: note });
  const release = async () => {
    await closeConnections();
    await server.release();
  };
  try {
    process.env.DATABASE_URL = server.url;
    process.env.DATA_DIR = folder;
    // A kept folder may lack this version's functions.
    await migrate(server.url);
    if (!made) {
      const loading = await imported(articles);
      await tidyUp(server.url);
      await remember(folder, { ...wanted, seconds: { loading, indexing: 0 } });
    }
    const workspace = await findWorkspace(SUBDOMAIN);
    if (!workspace) throw new Error(`${folder} does not have the workspace ${SUBDOMAIN}. Delete the folder.`);
    return { id: workspace.id, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Imports the articles into a new workspace. Returns the duration in seconds. */
async function imported(articles: string): Promise<number> {
  const start = performance.now();
  const administrator = { email: "admin@quality.example", firstName: "Ada", lastName: "Admin" };
  const workspace = await createWorkspace({ subdomain: SUBDOMAIN, name: "Quality", administrator }, bench);
  const stop = new AbortController();
  const ended = endsWithUs(() => stop.abort());
  const bar = progress();
  try {
    const { created, problems, interrupted } = await importArticles({
      workspace,
      path: articles,
      actor: bench,
      signal: stop.signal,
      onProgress: ({ phase, done, total }) => bar.show(phase === "importing" ? "Importing" : "Reading  ", done, total),
    });
    if (interrupted) throw new Error("Interrupted.");
    note(`Imported ${count(created, "article")}. ${count(problems.length, "file")} could not be imported.`);
  } finally {
    bar.end();
    ended();
  }
  return Math.round((performance.now() - start) / 100) / 10;
}

/** Counts the articles of a folder or zip, and identifies their text. */
async function filesIn(articles: string): Promise<{ count: number; hash: Hash }> {
  const source = await openSource(articles);
  try {
    const hash = createHash("sha256");
    for (const path of source.articles) hash.update(path).update(await source.read(path));
    return { count: source.articles.length, hash };
  } finally {
    await source.close();
  }
}
