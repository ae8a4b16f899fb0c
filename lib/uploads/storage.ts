import { randomBytes } from "node:crypto";

/** A file that is stored. */
export interface StoredFile {
  key: string;
  modifiedAt: Date;
}

/**
 * Where the bytes of uploads are. A key is written once and never changed.
 * All of it throws UnavailableError when a store elsewhere does not answer.
 */
export interface UploadStorage {
  /** When it returns, the file is there whole, also after a loss of power. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The bytes from `start` to `end`, both included, or null when there is no such file.
   * Who does not read them to the end cancels the stream.
   */
  open(key: string, range: { start: number; end: number }): Promise<ReadableStream<Uint8Array> | null>;
  /** Nothing happens when there is none. */
  remove(key: string): Promise<void>;
  /** Whatever a workspace has, for ever. */
  removeAll(workspaceId: string): Promise<void>;
  /** Every file of a workspace, or of all; what was left half written is among them. */
  list(workspaceId?: string): AsyncIterable<StoredFile>;
}

/** How every key is written, and that of a file which is still being written: nothing else becomes a path. */
export const STORAGE_KEY =
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{2}\/[0-9a-f]{32}(\.[0-9a-f]{8}\.part)?$/;

/** How a workspace's id is written where its files are. */
export const WORKSPACE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A key that nobody guesses and that says whose the file is; no word of a file's name is in it. */
export function newStorageKey(workspaceId: string): string {
  const name = randomBytes(16).toString("hex");
  return `${workspaceId}/${name.slice(0, 2)}/${name}`;
}
