import { Writable } from "node:stream";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { newStorageKey } from "@/lib/uploads/storage";

/** An archive is stored in parts of this size, so that neither memory nor the store has to take it whole. */
const PART_BYTES = 8 * 1024 * 1024;

/** Stores what is written to it, in whole parts; `storeRest` then stores what is left, and `keys` names all of it in order. */
export class PartsWriter extends Writable {
  readonly keys: string[] = [];
  byteSize = 0;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  /** @param begun what was written of it already, and is not in a part yet */
  constructor(
    private readonly workspaceId: string,
    begun: { byteSize: number; rest: Buffer } = { byteSize: 0, rest: Buffer.alloc(0) },
  ) {
    super();
    this.byteSize = begun.byteSize;
    this.waiting = [begun.rest];
    this.waitingBytes = begun.rest.length;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.byteSize += chunk.length;
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    this.store(PART_BYTES).then(() => done(), done);
  }

  /** What is in no part yet: less than one. */
  get rest(): Buffer {
    return Buffer.concat(this.waiting);
  }

  /** Once nothing more comes. */
  storeRest(): Promise<void> {
    return this.store(1);
  }

  private async store(least: number): Promise<void> {
    if (this.waitingBytes < least) return;
    let bytes = Buffer.concat(this.waiting);
    while (bytes.length >= least) {
      const key = newStorageKey(this.workspaceId);
      await uploadStorage().put(key, bytes.subarray(0, PART_BYTES));
      this.keys.push(key);
      bytes = bytes.subarray(PART_BYTES);
      if (bytes.length === 0) break;
    }
    this.waiting = [bytes];
    this.waitingBytes = bytes.length;
  }
}

/** The bytes of an archive, a part at a time. @throws Error when a part is gone */
export async function* readParts(keys: readonly string[], byteSize: number): AsyncGenerator<Uint8Array> {
  let left = byteSize;
  for (const key of keys) {
    const size = Math.min(left, PART_BYTES);
    const part = await uploadStorage().open(key, { start: 0, end: size - 1 });
    if (!part) throw new Error("A part of the archive is gone from the storage: upload or export it once more.");
    left -= size;
    yield* part as unknown as AsyncIterable<Uint8Array>;
  }
}
