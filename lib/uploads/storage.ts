import { randomBytes } from "node:crypto";

export interface StoredFile {
  key: string;
  modifiedAt: Date;
}

/** Keys are written once. All methods throw UnavailableError when a remote store does not answer. */
export interface UploadStorage {
  /** Durable when it returns. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Both ends are inclusive. Callers cancel a stream they do not read to its end. */
  open(key: string, range: { start: number; end: number }): Promise<ReadableStream<Uint8Array> | null>;
  remove(key: string): Promise<void>;
  removeAll(workspaceId: string): Promise<void>;
  /** Includes incomplete files. */
  list(workspaceId?: string): AsyncIterable<StoredFile>;
}

/** Only keys like this become a path. */
export const STORAGE_KEY =
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{2}\/[0-9a-f]{32}(\.[0-9a-f]{8}\.part)?$/;

export const WORKSPACE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function newStorageKey(workspaceId: string): string {
  const name = randomBytes(16).toString("hex");
  return `${workspaceId}/${name.slice(0, 2)}/${name}`;
}

/** Whether a file could not be stored because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}
