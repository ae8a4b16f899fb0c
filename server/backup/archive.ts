import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise } from "yauzl";
import { z } from "zod";
import { Meter } from "@/server/backup/tables";

/** The layout of the file. Raise it when older versions could not read the new one. */
export const FORMAT = 1;
export const MANIFEST = "manifest.json";
export const tablePath = (name: string): string => `tables/${name}.txt`;
export const FILES = "files/";

const Manifest = z.object({
  format: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Absent in a backup of the whole installation. */
  workspace: z.object({ subdomain: z.string(), name: z.string() }).optional(),
  secret: z.object({
    /** Recognizes the AUTH_SECRET without telling it. Null if it was not known. */
    fingerprint: z.string().nullable(),
    /** A secret that the installation had generated. One that an operator had set is not in the backup. */
    generated: z.string().nullable(),
  }),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      bytes: z.number(),
      sha256: z.string(),
    }),
  ),
  files: z.object({ count: z.number(), bytes: z.number() }),
  /** Storage keys of uploads without a file, and of those that were deleted while the backup was written. */
  missing: z.array(z.string()),
  deleted: z.array(z.string()),
  /** Files that are in the backup but are not what was uploaded. */
  damaged: z.array(z.string()),
});
export type Manifest = z.output<typeof Manifest>;

export interface BackedUpFile {
  /** Storage key. Without the workspace in a backup of one. */
  key: string;
  /** Of the bytes that were uploaded, in hex. */
  sha256: string;
  byteSize: number;
  isDamaged: boolean;
  open: () => Promise<Readable>;
}

export interface Backup {
  /** The path, or the address in a bucket. */
  address: string;
  manifest: Manifest;
  openTable: (name: string) => Promise<Readable>;
  /** Every upload, read from the file's index one at a time. */
  files: () => AsyncIterable<BackedUpFile>;
  close: () => void;
}

export type OnProgress = (step: string, done: number, total: number) => void;

const open = (file: string) => openPromise(file, { lazyEntries: true, autoClose: false });

/** @throws a sentence if the file is no backup, incomplete, or made by a newer version */
export async function openBackup(file: string, address = file): Promise<Backup> {
  const zip = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code) throw new Error(`${address} can't be read (${error.code}). Give the path of a backup.`);
    throw new Error(`${address} is not a complete backup: ${error.message}. Use another backup.`);
  });
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith(FILES)) entries.set(entry.fileName, entry);
    }
    const read = (path: string) => {
      const entry = entries.get(path);
      if (!entry) throw new Error(`${address} holds no ${path}, so it is not a backup of Lectern. Use another file.`);
      return zip.openReadStreamPromise(entry);
    };
    const manifest = parseManifest(address, await textOf(await read(MANIFEST)));
    return {
      address,
      manifest,
      openTable: (name) => read(tablePath(name)),
      files: () => filesIn(file, new Set(manifest.damaged)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseManifest(address: string, text: string): Manifest {
  const json = parseJson(text);
  const { format } = z.object({ format: z.number() }).catch({ format: 0 }).parse(json);
  if (format > FORMAT) {
    throw new Error(`${address} was made by a newer version of Lectern. Install that version to restore it.`);
  }
  const parsed = Manifest.safeParse(json);
  if (!parsed.success) throw new Error(`${MANIFEST} in ${address} is damaged. Use another backup.`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function* filesIn(file: string, damaged: ReadonlySet<string>): AsyncIterable<BackedUpFile> {
  const zip = await open(file);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith(FILES)) continue;
      const key = entry.fileName.slice(FILES.length);
      yield {
        key,
        sha256: entry.fileComment,
        byteSize: entry.uncompressedSize,
        isDamaged: damaged.has(key),
        open: () => zip.openReadStreamPromise(entry),
      };
    }
  } finally {
    zip.close();
  }
}

/**
 * Reads every byte of a backup and compares counts and checksums.
 * @throws a sentence that names the first damaged part
 */
export async function checkBackup(
  backup: Backup,
  onProgress: OnProgress = () => {},
  signal?: AbortSignal,
): Promise<void> {
  const { manifest, address } = backup;
  /** Null for what can't be read. */
  const measured = (stream: Readable) =>
    measure(stream, signal).catch(() => {
      signal?.throwIfAborted();
      return null;
    });
  const damaged = (what: string) =>
    new Error(`${address} is damaged: ${what} differs from what was written. Use another backup.`);
  for (const [index, { name, rows, bytes, sha256 }] of manifest.tables.entries()) {
    onProgress("Checking tables", index, manifest.tables.length);
    const meter = await measured(await backup.openTable(name));
    if (meter?.lines !== rows || meter.bytes !== bytes || meter.sha256() !== sha256) throw damaged(`the table ${name}`);
  }
  onProgress("Checking tables", manifest.tables.length, manifest.tables.length);
  const { count } = manifest.files;
  let done = 0;
  for await (const { key, sha256, isDamaged, open: openFile } of backup.files()) {
    onProgress("Checking files", done++, count);
    const meter = await measured(await openFile());
    if (!meter || (!isDamaged && meter.sha256() !== sha256)) throw damaged(`the file ${key}`);
  }
  if (done !== count) throw damaged("the number of files");
  onProgress("Checking files", done, count);
}

async function measure(stream: Readable, signal?: AbortSignal): Promise<Meter> {
  const meter = new Meter();
  await pipeline(stream, meter.resume(), { ...(signal && { signal }) });
  return meter;
}
