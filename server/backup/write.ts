import { createHmac } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { ZipFile } from "yazl";
import { endWhenLost } from "@/lib/db";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import {
  checkBackup,
  FILES,
  FORMAT,
  MANIFEST,
  type Manifest,
  type OnProgress,
  openBackup,
  tablePath,
} from "@/server/backup/archive";
import { appliedMigrations, type BackupTable, backupTables, COPY_SETTINGS, Meter } from "@/server/backup/tables";
import type { KnownSecret } from "@/server/secrets";

/** An advisory lock of the process that makes a backup of this database. */
const BACKUP_LOCK = 1_646_413_621;
/** Of unpacked files. */
const MODE = 0o100600;

export interface BackupOptions {
  databaseUrl: string;
  /** Where the backup is written. It appears when it is complete and checked. */
  file: string;
  /** One workspace instead of the whole installation. */
  workspace?: { id: string; subdomain: string; name: string };
  secret: KnownSecret | null;
  /** Sends the file elsewhere. No other backup starts before it ends. */
  send?: () => Promise<void>;
  onProgress?: OnProgress;
  signal?: AbortSignal;
}

/**
 * Writes a backup while Lectern runs: all tables as of one moment, then the files of that moment's uploads. The file is only for
 * its owner, because it holds hashes of passwords and keys, and a generated secret.
 * @throws a sentence with its remedy. Nothing is left of an incomplete backup
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { databaseUrl, file, onProgress } = options;
  const partial = `${file}.partial`;
  // The connection holds the lock during the upload, so no router may drop it for being idle.
  const client = new Client({
    connectionString: databaseUrl,
    application_name: "lectern backup",
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  });
  client.on("error", () => {});
  await client.connect();
  endWhenLost(client);
  try {
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [BACKUP_LOCK]);
    if (!rows[0]?.mine) throw new BackupRunsError();
    try {
      const zip = new ZipFile();
      const output = zip.outputStream as Readable;
      const fail = (error: unknown) => void output.destroy(error as Error);
      zip.on("error", fail);
      const failed = new AbortController();
      const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
      const stored = pipeline(output, createWriteStream(partial, { mode: 0o600 })).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      });
      const written = new Writer(client, zip, { ...options, signal }).write().catch((error: unknown) => {
        fail(error);
        throw error;
      });
      await Promise.all([stored, written]);
      await sync(partial);
      const backup = await openBackup(partial);
      await checkBackup(backup, onProgress, signal).finally(() => backup.close());
      signal.throwIfAborted();
      await rename(partial, file);
      await sync(dirname(file));
      await options.send?.();
      return backup.manifest;
    } catch (error) {
      await rm(partial, { force: true });
      throw explained(error, file);
    }
  } finally {
    await client.end();
  }
}

export class BackupRunsError extends Error {
  override name = "BackupRunsError";

  constructor() {
    super("Another backup of this database is running. Wait until it finishes.");
  }
}

function explained(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new Error(`The disk of ${file} is full, so there is no backup. Free some space or choose another disk.`);
  }
  if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EISDIR" || code === "EROFS") {
    return new Error(
      `${file} can't be written (${code}). Choose a folder that exists and that this user may write to.`,
    );
  }
  return error;
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

/** Tells equal secrets without telling them. */
export function fingerprintOf(secret: string): string {
  return createHmac("sha256", secret).update("lectern backup").digest("hex").slice(0, 32);
}

interface StoredUpload {
  key: string;
  byteSize: number;
  sha256: string;
}

class Writer {
  private readonly manifest: Manifest;

  constructor(
    private readonly client: Client,
    private readonly zip: ZipFile,
    private readonly options: BackupOptions & { signal: AbortSignal },
  ) {
    const { workspace, secret } = options;
    this.manifest = {
      format: FORMAT,
      madeAt: new Date().toISOString(),
      migrations: [],
      ...(workspace && { workspace: { subdomain: workspace.subdomain, name: workspace.name } }),
      // Nothing in a copy of a workspace depends on the secret.
      secret: {
        fingerprint: secret && !workspace ? fingerprintOf(secret.authSecret) : null,
        generated: secret?.isGenerated && !workspace ? secret.authSecret : null,
      },
      tables: [],
      files: { count: 0, bytes: 0 },
      missing: [],
      deleted: [],
      damaged: [],
    };
  }

  async write(): Promise<void> {
    const uploads = await this.writeTables();
    await this.writeFiles(uploads);
    await this.add(MANIFEST, Readable.from([Buffer.from(JSON.stringify(this.manifest, null, 2))]), { compress: true });
    this.zip.end();
  }

  /** @returns the uploads of the same moment */
  private async writeTables(): Promise<StoredUpload[]> {
    const { client, manifest, options } = this;
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(COPY_SETTINGS);
    manifest.migrations = await appliedMigrations(client);
    const tables = await backupTables(client, options.workspace?.id);
    for (const [index, table] of tables.entries()) {
      options.onProgress?.("Saving tables", index, tables.length);
      await this.writeTable(table);
    }
    options.onProgress?.("Saving tables", tables.length, tables.length);
    const { rows } = await client.query<StoredUpload>(
      `SELECT storage_key AS key, byte_size::float8 AS "byteSize", encode(sha256, 'hex') AS sha256 FROM uploads
       WHERE $1::uuid IS NULL OR workspace_id = $1 ORDER BY 1`,
      [options.workspace?.id ?? null],
    );
    // Files are written once, so they need no open transaction.
    await client.query("COMMIT");
    return rows;
  }

  private async writeTable({ name, columns, rows }: BackupTable): Promise<void> {
    const copy = this.client.query(copyTo(`COPY (${rows}) TO STDOUT`));
    // The pipeline reports errors. After an abort it no longer listens, and the end of the connection would be one nobody hears.
    copy.on("error", () => {});
    const meter = await this.add(tablePath(name), copy, { compress: true });
    const { lines, bytes } = meter;
    this.manifest.tables.push({ name, columns, rows: lines, bytes, sha256: meter.sha256() });
  }

  private async writeFiles(uploads: StoredUpload[]): Promise<void> {
    const { manifest, options } = this;
    for (const [index, upload] of uploads.entries()) {
      options.onProgress?.("Saving files", index, uploads.length);
      // The id of a workspace is in no part of its backup.
      const key = options.workspace ? upload.key.slice(options.workspace.id.length + 1) : upload.key;
      const content = await openUpload(upload);
      if (!content) {
        ((await this.isStillThere(upload)) ? manifest.missing : manifest.deleted).push(key);
        continue;
      }
      const meter = await this.add(`${FILES}${key}`, content, { compress: false, fileComment: upload.sha256 });
      if (meter.sha256() !== upload.sha256) manifest.damaged.push(key);
      manifest.files.count++;
      manifest.files.bytes += meter.bytes;
    }
    options.onProgress?.("Saving files", uploads.length, uploads.length);
  }

  private async isStillThere({ key }: StoredUpload): Promise<boolean> {
    return (await this.client.query("SELECT FROM uploads WHERE storage_key = $1", [key])).rows.length > 0;
  }

  /** Resolves when the content has been read, so that only a few chunks wait in memory. */
  private async add(path: string, content: Readable, how: { compress: boolean; fileComment?: string }): Promise<Meter> {
    const { signal } = this.options;
    signal.throwIfAborted();
    const meter = new Meter();
    const read = pipeline(content, meter, { signal });
    this.zip.addReadStream(meter, path, { mode: MODE, mtime: new Date(this.manifest.madeAt), ...how });
    await read;
    return meter;
  }
}

async function openUpload({ key, byteSize }: StoredUpload): Promise<Readable | null> {
  if (byteSize === 0) return Readable.from([]);
  const stream = await uploadStorage().open(key, { start: 0, end: byteSize - 1 });
  return stream && Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}
