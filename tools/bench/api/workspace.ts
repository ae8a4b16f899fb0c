import { join } from "node:path";
import { progress } from "@/bin/kb/output";
import { hashOfKey, newKeyText } from "@/lib/api-keys/key-format";
import { everyScope } from "@/lib/api-keys/scopes";
import { migrate } from "@/server/migrate";
import { startPostgres } from "@/server/postgres";
import { findPlace } from "@/server/postgres/place";
import { aCopy } from "@/testing/outage";
import { contentOf, idOf } from "../search/articles";
import { tidyUp, withClient } from "../search/indexes";
import { loadWorkspaces } from "../search/load";
import type { PlannedWorkspace } from "../search/plan";

/** The IDs and slugs that requests use. */
export interface Contents {
  articleIds: string[];
  categoryIds: string[];
  articleSlugs: string[];
  categorySlugs: string[];
}

export interface ApiWorkspace extends Contents {
  url: string;
  workspace: PlannedWorkspace;
  /** As many as there can be connections, since a key has a limit. */
  keys: string[];
  /** Null without a replica. */
  replicaUrl: string | null;
  /** Stops the database and its replica. */
  release: () => Promise<void>;
}

const MEMBERS = 100;

/** Creates a workspace in its own database in the folder, with the table that the bare server searches. */
export async function makeApiWorkspace(
  folder: string,
  articles: number,
  keyCount: number,
  hasReplica = false,
): Promise<ApiWorkspace> {
  const dataDir = join(folder, "database");
  const start = () => startPostgres({ dataDir, log: () => {} });
  let database = await start();
  const { url } = database;
  await migrate(url);
  const workspace = { id: idOf(articles, 0), subdomain: "bench", articles, content: contentOf(0), role: null };
  const bar = progress();
  await loadWorkspaces(url, [workspace], (loaded) => bar.show("Loading", loaded, articles));
  bar.end();
  await withClient(url, async (client) => {
    await client.query("SELECT set_config('app.workspace_id', $1, false)", [workspace.id]);
    await client.query(
      `INSERT INTO members (email, first_name, last_name, role_id)
       SELECT 'member-' || n || '@example.com', 'Member', 'Number ' || n, (SELECT id FROM roles LIMIT 1)
       FROM generate_series(2, $1) n`,
      [MEMBERS],
    );
    await client.query(
      `CREATE TABLE bare_documents AS
       SELECT a.id, l.title, l.text AS body,
         setweight(to_tsvector('simple', l.title), 'A') || setweight(to_tsvector('simple', l.text), 'D') AS words
       FROM articles a JOIN article_live l USING (workspace_id, id)`,
    );
    await client.query("CREATE INDEX ON bare_documents USING gin (words)");
  });
  const contents = await contentsOf(url, workspace.id);
  const keys = await addKeys(url, workspace.id, keyCount);
  await tidyUp(url);
  let replica: Awaited<ReturnType<typeof aCopy>> | null = null;
  if (hasReplica) {
    await database.release();
    replica = await aCopy(await findPlace(dataDir), Number(new URL(url).port));
    database = await start();
  }
  const release = async () => {
    await replica?.drop();
    await database.release();
  };
  if (database.url !== url) {
    await release();
    throw new Error("The database's port was taken meanwhile. Run the benchmark again.");
  }
  const replicaUrl = replica && (await nearReplica(replica.url.replace(/postgres$/, new URL(url).pathname.slice(1))));
  return { url: database.nearUrl, replicaUrl, workspace, keys, ...contents, release };
}

/** The URL through the socket, as the database's `nearUrl`. */
function nearReplica(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ unix_socket_directories: string }>("SHOW unix_socket_directories");
    const folder = rows[0]?.unix_socket_directories;
    return folder ? `${url}?host=${encodeURIComponent(folder)}` : url;
  });
}

/** Published articles, all categories, and the slugs of categories that have published articles. */
export function contentsOf(url: string, workspaceId: string): Promise<Contents> {
  return withClient(url, async (client) => {
    const names = async (column: "id" | "slug", table: string, where: string) => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT ${column} AS name FROM ${table} WHERE workspace_id = $1 AND ${where} ORDER BY id`,
        [workspaceId],
      );
      return rows.map(({ name }) => name);
    };
    const published = "state = 'published'";
    const filled = `id IN (SELECT category_id FROM articles WHERE workspace_id = $1 AND ${published})`;
    return {
      articleIds: await names("id", "articles", published),
      articleSlugs: await names("slug", "articles", published),
      categoryIds: await names("id", "categories", "true"),
      categorySlugs: await names("slug", "categories", filled),
    };
  });
}

/** Gives a generated workspace API keys with every scope. */
export async function addKeys(url: string, workspaceId: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newKeyText);
  await withClient(url, async (client) => {
    await client.query("SELECT set_config('app.workspace_id', $1, false)", [workspaceId]);
    await client.query("INSERT INTO content_versions (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING", [workspaceId]);
    await client.query(
      `INSERT INTO api_keys (name, key_hash, last_four, scopes, created_by)
       SELECT 'Key ' || n, hash, '0000', $2, (SELECT id FROM members WHERE workspace_id = $3 ORDER BY email LIMIT 1) FROM unnest($1::bytea[]) WITH ORDINALITY k (hash, n)`,
      [keys.map(hashOfKey), everyScope, workspaceId],
    );
  });
  return keys;
}
