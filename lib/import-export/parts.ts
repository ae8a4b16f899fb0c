import { Writable } from "node:stream";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { newStorageKey } from "@/lib/uploads/storage";

/** A zip is stored in parts, so that it is never in memory as a whole. */
const PART_BYTES = 8 * 1024 * 1024;

/** `storeRest` stores the last part. `keys` names all parts in order. */
export class PartsWriter extends Writable {
  readonly keys: string[] = [];
  byteSize = 0;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(private readonly workspaceId: string) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.byteSize += chunk.length;
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    this.store(PART_BYTES).then(() => done(), done);
  }

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

/** @throws Error when a part is missing */
export async function* readParts(keys: readonly string[], byteSize: number): AsyncGenerator<Uint8Array> {
  let left = byteSize;
  for (const key of keys) {
    const size = Math.min(left, PART_BYTES);
    const part = await uploadStorage().open(key, { start: 0, end: size - 1 });
    if (!part) throw new Error("Part of the archive is missing from storage. Upload or export it again.");
    left -= size;
    yield* part as unknown as AsyncIterable<Uint8Array>;
  }
}
