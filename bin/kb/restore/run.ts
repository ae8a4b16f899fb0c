import { createHash, randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { Client, DatabaseError } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { env } from "@/lib/env";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import type { BackedUpFile, Backup, Manifest, OnProgress } from "@/server/backup/archive";
import {
  appliedMigrations,
  type BackupTable,
  backupTables,
  COPY_SETTINGS,
  JOBS,
  Meter,
  ownIds,
} from "@/server/backup/tables";
import { loginOf } from "@/server/migrate/login";

interface Target {
  databaseUrl: string;
  /** For a workspace's backup: the subdomain of the new workspace. */
  subdomain?: string;
  onProgress: OnProgress;
}

/**
 * Restores a backup in one transaction: whatever fails, the database stays as it was, and stored files are removed again.
 * Compares every table and file with the backup before it commits.
 * @returns the id of the new workspace, or null for a whole installation
 * @throws a sentence with its remedy
 */
export async function restoreBackup(backup: Backup, target: Target): Promise<string | null> {
  const client = new Client({ connectionString: target.databaseUrl, application_name: "lectern restore" });
  client.on("error", () => {});
  await client.connect();
  const restoring = new Restoring(client, backup, target);
  try {
    await client.query("BEGIN");
    await restoring.restore();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    await restoring.removeFiles();
    throw explained(error, backup.address);
  } finally {
    await client.end();
  }
  await analyze(target.databaseUrl);
  return restoring.workspaceId;
}

/** @throws a sentence if the backup was made with other tables than the database has */
export async function checkMigrations({ address, manifest }: Backup, databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const here = await appliedMigrations(client).finally(() => client.end());
  const has = (list: Manifest["migrations"], { name, checksum }: (typeof list)[number], exact: boolean) =>
    list.some((one) => one.name === name && (!exact || one.checksum === checksum));
  const newer = manifest.migrations.filter((one) => !has(here, one, false));
  if (newer.length > 0) {
    const names = newer.map(({ name }) => name).join(", ");
    throw new Error(
      `${address} was made by a newer version of Lectern, with the migration ${names}. Install that version, or a later one, to restore it.`,
    );
  }
  const others = here.filter((one) => !has(manifest.migrations, one, true));
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(", ");
    throw new Error(
      `${address} was made by another version of Lectern, with a different migration ${names}. Restore it with that version, then upgrade.`,
    );
  }
}

function explained(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "53100")
    return new Error("The database's disk is full, so nothing was restored. Free some space and try again.");
  if (code === "ENOSPC")
    return new Error("The disk of DATA_DIR is full, so nothing was restored. Free some space and try again.");
  if (error instanceof DatabaseError) {
    const where = error.where ? ` (${error.where})` : "";
    return new Error(`${file} doesn't fit this database, so nothing was restored: ${error.message}${where}.`);
  }
  return error;
}

class Restoring {
  readonly workspaceId: string | null;
  private readonly stored: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly backup: Backup,
    private readonly target: Target,
  ) {
    this.workspaceId = target.subdomain === undefined ? null : randomUUID();
  }

  async restore(): Promise<void> {
    const { client, workspaceId } = this;
    const { name, isOwner } = await loginOf(client);
    if (!isOwner) {
      throw new Error(
        `Only the owner of the tables can restore, and the role ${name} isn't the owner. Set ${env().directSetting} to the owner's for this command.`,
      );
    }
    await client.query(COPY_SETTINGS);
    await client.query("SET CONSTRAINTS ALL DEFERRED");
    if (workspaceId) await this.enter(workspaceId);
    else await this.lockEmpty();
    const tables = await backupTables(client, workspaceId ?? undefined);
    this.compareTables(tables);
    await this.each("Restoring tables", tables, (table) => this.restoreTable(table));
    if (workspaceId) for (const sql of ownIds) await client.query(sql, [workspaceId]);
    await this.restoreFiles();
    await this.each("Comparing tables", tables, (table) => this.compareTable(table));
    // Servers and browsers may keep pages of former versions, which must never seem fresh. Milliseconds are ahead of all.
    if (!workspaceId) await client.query("UPDATE content_versions SET version = extract(epoch FROM now()) * 1000");
  }

  async removeFiles(): Promise<void> {
    for (const key of this.stored) {
      await uploadStorage()
        .remove(key)
        .catch(() => {});
    }
  }

  /** Rows get this workspace's id by their default. */
  private async enter(workspaceId: string): Promise<void> {
    await this.client.query("SELECT set_config('app.workspace_id', $1, true)", [workspaceId]);
  }

  private async lockEmpty(): Promise<void> {
    await this.client.query("LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE");
    const { rows } = await this.client.query<{ count: number }>("SELECT count(*)::int AS count FROM workspaces");
    if (rows[0]?.count === 0) return;
    throw new Error(
      "This installation already has workspaces. Restore into an empty one: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.",
    );
  }

  /** SQL is made only from the tables that are here, never from names in the file. */
  private compareTables(tables: BackupTable[]): void {
    const shape = (list: { name: string; columns: string[] }[]) =>
      JSON.stringify(list.map(({ name, columns }) => [name, columns]).sort());
    if (shape(tables) === shape(this.backup.manifest.tables)) return;
    throw new Error(
      `${this.backup.address} has different tables than this database. Restore it with the version that made it.`,
    );
  }

  private async each<Item>(step: string, items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
    for (const [index, item] of items.entries()) {
      this.target.onProgress(step, index, items.length);
      await work(item);
    }
    this.target.onProgress(step, items.length, items.length);
  }

  private async restoreTable(table: BackupTable): Promise<void> {
    const { client, workspaceId } = this;
    const columns = table.columns.map((column) => `"${column}"`).join(", ");
    if (table.name === JOBS) {
      await client.query(
        `CREATE TEMP TABLE ${JOBS} (task text, payload json, due timestamptz, workspace_id text) ON COMMIT DROP`,
      );
      await this.copy(table, columns);
      return this.enqueueJobs();
    }
    if (table.name === "workspaces" && workspaceId) {
      await client.query(`CREATE TEMP TABLE restored ON COMMIT DROP AS SELECT ${columns} FROM workspaces WITH NO DATA`);
      await this.copy({ ...table, name: "restored" }, columns, table.name);
      await client.query(`INSERT INTO workspaces (id, subdomain, ${columns}) SELECT $1, $2, ${columns} FROM restored`, [
        workspaceId,
        this.target.subdomain,
      ]);
      return;
    }
    await this.copy(table, columns);
  }

  private async copy({ name }: { name: string }, columns: string, from = name): Promise<void> {
    const expected = this.expected(from);
    const meter = new Meter();
    const copy = this.client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`));
    await pipeline(await this.backup.openTable(from), meter, copy);
    if (meter.sha256() !== expected.sha256) throw this.damaged(`the table ${from}`);
  }

  private expected(name: string): Manifest["tables"][number] {
    const found = this.backup.manifest.tables.find((table) => table.name === name);
    if (!found) throw this.damaged(`the table ${name}`);
    return found;
  }

  private damaged(what: string): Error {
    return new Error(
      `${this.backup.address} is damaged: ${what} differs from what was written. Nothing was restored. Use another backup.`,
    );
  }

  private async enqueueJobs(): Promise<void> {
    const { client, workspaceId } = this;
    const { rows } = await client.query<{ id: string }>(
      `SELECT DISTINCT coalesce($1, workspace_id) AS id FROM ${JOBS}`,
      [workspaceId],
    );
    for (const { id } of rows) {
      await this.enter(id);
      await client.query(
        `SELECT enqueue_job(task, payload, due) FROM ${JOBS} WHERE $1::text IS NOT NULL OR workspace_id = $2`,
        [workspaceId, id],
      );
    }
  }

  private async restoreFiles(): Promise<void> {
    const { count } = this.backup.manifest.files;
    let done = 0;
    for await (const file of this.backup.files()) {
      this.target.onProgress("Restoring files", done++, count);
      await this.restoreFile(file);
    }
    if (done !== count) throw this.damaged("the number of files");
    this.target.onProgress("Restoring files", done, count);
    const { missing, deleted } = this.backup.manifest;
    const { rows } = await this.client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM uploads WHERE $1::uuid IS NULL OR workspace_id = $1",
      [this.workspaceId],
    );
    if (rows[0]?.count !== count + missing.length + deleted.length) throw this.damaged("the number of uploads");
  }

  /** Stores a file that a restored row names, and reads it back. */
  private async restoreFile(file: BackedUpFile): Promise<void> {
    const key = this.workspaceId ? `${this.workspaceId}/${file.key}` : file.key;
    const { rows } = await this.client.query<{ sha256: string }>(
      `SELECT encode(sha256, 'hex') AS sha256 FROM uploads WHERE workspace_id::text = split_part($1, '/', 1) AND storage_key = $1`,
      [key],
    );
    const [row] = rows;
    const chunks: Buffer[] = [];
    for await (const chunk of await file.open()) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (!row || (!file.isDamaged && sha256 !== row.sha256)) throw this.damaged(`the file ${file.key}`);
    // A bucket may be shared with the installation that was backed up. Its files are not ours to remove.
    if ((await storedHash(key, bytes.length)) === sha256) return;
    this.stored.push(key);
    await uploadStorage().put(key, bytes);
    if ((await storedHash(key, bytes.length)) !== sha256) {
      throw new Error(`The file ${key} is not what was stored. Check the disk or the storage, and try again.`);
    }
  }

  /** Counts the restored rows and compares their checksum. */
  private async compareTable({ name, rows }: BackupTable): Promise<void> {
    const meter = new Meter();
    await pipeline(this.client.query(copyTo(`COPY (${rows}) TO STDOUT`)), meter.resume());
    const expected = this.expected(name);
    if (meter.lines === expected.rows && meter.sha256() === expected.sha256) return;
    throw new Error(
      `The table ${name} has ${meter.lines} rows after restoring and ${expected.rows} in the backup, or other values. Nothing was restored. Is another program writing to this database?`,
    );
  }
}

async function storedHash(key: string, byteSize: number): Promise<string | null> {
  const hash = createHash("sha256");
  if (byteSize === 0) return hash.digest("hex");
  const stream = await uploadStorage().open(key, { start: 0, end: byteSize - 1 });
  if (!stream) return null;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest("hex");
}

/** Until then, the planner would take the tables for empty. */
async function analyze(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET client_min_messages = error; ANALYZE").finally(() => client.end());
}
