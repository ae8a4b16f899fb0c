import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import type { Client } from "pg";
import { WORKSPACE_ID } from "@/lib/uploads/storage";

/** A table as a backup holds it: as COPY writes it, in an order that does not depend on the server. */
export interface BackupTable {
  name: string;
  columns: string[];
  /** SQL of the rows. */
  rows: string;
}

/** The migrations of a database. A backup fits only a database with the same ones. */
export interface AppliedMigration {
  name: string;
  checksum: string;
}

/**
 * Never in a backup: with a salt, one could still find readers by their IP addresses days later. The archives of imports and
 * exports can be made again. Triggers write the versions and changes again while a backup is restored. Webhooks that were waiting
 * are not sent after a restore, because most were sent since. Unlogged tables are left out too, because a crash may forget them.
 */
const LEFT_OUT = ["daily_salts", "transfers", "content_versions", "article_changes", "webhook_deliveries"];

/**
 * Not in the backup of one workspace. A copy accepts no session, link, invitation, key or identity provider of the original, and
 * sends nothing to its webhooks. Passkeys work at the URL of the original only. Its former subdomains are its own. Each word of the search index carries the workspace's id, so it
 * is built again.
 */
const LEFT_OUT_OF_WORKSPACE = [
  "sessions",
  "member_tokens",
  "passkeys",
  "invitations",
  "api_keys",
  "idempotency_keys",
  "identity_providers",
  "webhook_endpoints",
  "former_subdomains",
  "search_documents",
  "search_words",
];

/** Jobs that work on stored data. Mails that were waiting are not sent after a restore, because most were sent since. */
const KEPT_TASKS = ["publish_scheduled", "purge_trash", "embed_article", "reindex_category", "update_snippets"];

/** Columns that a copy of the workspace has values of its own for. */
const OWN: Record<string, string[]> = { workspaces: ["id", "subdomain"] };

interface Described {
  name: string;
  columns: string[];
  order: string[];
  parents: string[];
}

/** Parents come before the tables that refer to them. Deferrable keys don't count. */
const DESCRIBE = `
  SELECT c.relname::text AS name,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
    ARRAY(SELECT quote_ident(a.attname) || CASE WHEN a.attcollation <> 0 THEN ' COLLATE "C"' ELSE '' END FROM pg_attribute a
      LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        AND (i.indrelid IS NULL OR a.attnum = ANY (i.indkey))
      ORDER BY a.attname <> 'workspace_id', array_position(i.indkey::int2[], a.attnum), a.attnum) AS "order",
    ARRAY(SELECT k.confrelid::regclass::text FROM pg_constraint k
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND NOT k.condeferrable AND k.confrelid <> c.oid) AS parents
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence = 'p' AND c.relname NOT IN ('_prisma_migrations', '_applied_functions')
  ORDER BY c.relname`;

/**
 * The tables of a backup, in the order in which they can be restored, and the waiting jobs last.
 * @param workspaceId of one workspace. Its rows then do not depend on its id
 */
export async function backupTables(client: Client, workspaceId?: string): Promise<BackupTable[]> {
  if (workspaceId !== undefined && !WORKSPACE_ID.test(workspaceId)) throw new Error("This is not a workspace ID.");
  const { rows } = await client.query<Described>(DESCRIBE);
  const left = new Set([...LEFT_OUT, ...(workspaceId ? LEFT_OUT_OF_WORKSPACE : [])]);
  const tables = inOrder(rows).flatMap((table): BackupTable[] => {
    const isInWorkspace = table.columns.includes("workspace_id");
    if (left.has(table.name) || (workspaceId && !isInWorkspace && table.name !== "workspaces")) return [];
    const own = workspaceId ? ["workspace_id", ...(OWN[table.name] ?? [])] : [];
    const columns = table.columns.filter((column) => !own.includes(column));
    const only = workspaceId ? `WHERE ${isInWorkspace ? "workspace_id" : "id"} = '${workspaceId}'` : "";
    const values = columns.map((column) => valueOf(table.name, column, workspaceId)).join(", ");
    return [
      {
        name: table.name,
        columns,
        rows: `SELECT ${values} FROM ${table.name} ${only} ORDER BY ${table.order.join(", ")}`,
      },
    ];
  });
  return [...tables, jobs(workspaceId)];
}

/** Stands for the workspace in rows that name it. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The key of a file begins with the workspace's id, and rows in the trash hold it. */
function valueOf(table: string, column: string, workspaceId?: string): string {
  if (!workspaceId) return `"${column}"`;
  if (table === "uploads" && column === "storage_key") return `substr(storage_key, ${workspaceId.length + 2})`;
  if (table === "trash" && column === "rows") return `replace(rows::text, '"${workspaceId}"', '"${NOBODY}"')`;
  return `"${column}"`;
}

/** SQL that puts the id of the new workspace, $1, where `backupTables` left out that of the original. */
export const ownIds = [
  "UPDATE uploads SET storage_key = $1 || '/' || storage_key WHERE workspace_id::text = $1",
  `UPDATE trash SET rows = replace(rows::text, '"${NOBODY}"', '"' || $1 || '"')::jsonb WHERE workspace_id::text = $1`,
];

export const JOBS = "waiting_jobs";

function jobs(workspaceId?: string): BackupTable {
  const columns = ["task", "payload", "due", ...(workspaceId ? [] : ["workspace_id"])];
  return {
    name: JOBS,
    columns,
    rows: `SELECT ${columns.join(", ")} FROM (
        SELECT t.identifier AS task, j.payload->'payload' AS payload, j.run_at AS due, j.payload->>'workspace_id' AS workspace_id
        FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE t.identifier IN (${KEPT_TASKS.map((task) => `'${task}'`).join(", ")}) AND j.attempts < j.max_attempts
      ) waiting ${workspaceId ? `WHERE workspace_id = '${workspaceId}'` : ""}
      ORDER BY workspace_id COLLATE "C", due, task COLLATE "C", payload::text COLLATE "C"`,
  };
}

function inOrder(tables: Described[]): Described[] {
  const sorted = new Map<string, Described>();
  const add = (table: Described, below: string[]) => {
    if (sorted.has(table.name)) return;
    if (below.includes(table.name)) {
      throw new Error(`The tables ${below.join(", ")} refer to each other. Make one of the foreign keys DEFERRABLE.`);
    }
    for (const parent of tables.filter(({ name }) => table.parents.includes(name))) add(parent, [...below, table.name]);
    sorted.set(table.name, table);
  };
  for (const table of tables) add(table, []);
  return [...sorted.values()];
}

export async function appliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    "SELECT migration_name AS name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1",
  );
  return rows;
}

/** Makes COPY write the same bytes on every server, and waits as long as it takes. */
export const COPY_SETTINGS = `
  SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8';
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/** Passes bytes through and counts them. */
export class Meter extends Transform {
  bytes = 0;
  /** Lines, which are the rows of a table: COPY writes a line break in a value as \n. */
  lines = 0;
  private readonly hash = createHash("sha256");

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.lines++;
    done(null, chunk);
  }

  /** Of everything that passed. May be called once. */
  sha256(): string {
    return this.hash.digest("hex");
  }
}
