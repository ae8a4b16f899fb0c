import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { S3mini, type UploadPart } from "s3mini";
import { z } from "zod";
import type { Env } from "@/lib/env";

/** Time limits in milliseconds. */
const WAITS = { answer: 30_000, part: 5 * 60_000 };
/** A part fails after this many tries, with growing pauses in milliseconds. */
const TRIES = 4;
const PAUSE_MS = 1_000;
const PAGE = 1_000;
/** A part is in memory while it is sent or received. */
const PART_BYTES = 32 * 1024 * 1024;
const MOST_PARTS = 10_000;

/** A bucket of S3 or a compatible store. Every failure is a sentence with its remedy. */
export interface Bucket {
  /** Keys that start with this. */
  keys(prefix: string): Promise<string[]>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The text of a small object. Null if there is none. */
  text(key: string): Promise<string | null>;
  remove(key: string): Promise<void>;
  /** Sends a file in parts. The object appears when all of them have arrived. After a failure, nothing is left. */
  upload(file: string, key: string): Promise<void>;
  download(key: string, file: string): Promise<void>;
  /** The keys of uploads that began before a moment and never ended, as after a kill. */
  leftUploads(prefix: string, before: Date): Promise<{ key: string; id: string }[]>;
  abort(upload: { key: string; id: string }): Promise<void>;
}

interface BucketOptions {
  signal?: AbortSignal;
  waits?: typeof WAITS;
  partBytes?: number;
  pauseMs?: number;
}

export function openBucket(
  name: string,
  { endpoint, region, key: accessKeyId, secret: secretAccessKey }: Env["aws"],
  { signal, waits = WAITS, partBytes = PART_BYTES, pauseMs = PAUSE_MS }: BucketOptions = {},
): Bucket {
  if (!accessKeyId || !secretAccessKey)
    throw new Error(`s3://${name} needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`);
  const client = new S3mini({
    endpoint: endpoint ? `${endpoint.replace(/\/+$/, "")}/${name}` : addressAtAmazon(name, region),
    region,
    accessKeyId,
    secretAccessKey,
    fetch: bounded(waits, signal),
  });

  async function ask<T>(work: () => Promise<T>, what = `s3://${name}`): Promise<T> {
    try {
      signal?.throwIfAborted();
      return await work();
    } catch (error) {
      throw signal?.aborted ? error : explained(error, what);
    }
  }

  /** Retries failures that may be temporary. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        const status = statusOf(error);
        const isFinal = status !== undefined && status < 500 && status !== 408 && status !== 429;
        if (isFinal || tried === TRIES || signal?.aborted) throw error;
        await sleep(pauseMs * 2 ** tried, undefined, { signal });
      }
    }
  }

  const demand = <T>(work: () => Promise<T>, what?: string): Promise<T> => ask(() => insist(work), what);

  async function send(handle: FileHandle, size: number, key: string): Promise<void> {
    const isNew = !(await insist(() => client.objectExists(key)).catch(() => false));
    const id = await demand(() => client.getMultipartUploadId(key, "application/zip"));
    try {
      const bytes = Math.max(partBytes, Math.ceil(size / MOST_PARTS));
      const parts: UploadPart[] = [];
      for (let start = 0; start < size; start += bytes) {
        const part = await read(handle, start, Math.min(bytes, size - start));
        parts.push(await demand(() => client.uploadPart(key, id, part, parts.length + 1)));
      }
      await demand(() => join(key, id, parts, isNew ? size : null));
    } catch (error) {
      await client.abortMultipartUpload(key, id).catch(() => {});
      throw error;
    }
  }

  /** Null if the store answers with other bytes, such as a whole object that might not fit into memory. */
  async function receive(key: string, start: number, end: number): Promise<Uint8Array | null> {
    const answer = await client.getObjectRaw(key, false, start, end);
    if (answer.status === 206 || Number(answer.headers.get("content-length") ?? -1) === end - start)
      return new Uint8Array(await answer.arrayBuffer());
    await answer.body?.cancel();
    return null;
  }

  /**
   * The store can answer 200 and still fail, and can join the parts although its answer fails or is lost.
   * @param size of the joined parts. Null if an older object has the key, because its size can be the same
   */
  async function join(key: string, id: string, parts: UploadPart[], size: number | null): Promise<void> {
    try {
      const { etag } = await client.completeMultipartUpload(key, id, parts);
      if (!etag) throw new Error("the parts could not be joined");
    } catch (error) {
      if (size === null || (await insist(() => client.getContentLength(key)).catch(() => null)) !== size) throw error;
    }
  }

  return {
    keys: (prefix) =>
      ask(async () => {
        const keys: string[] = [];
        let token: string | undefined;
        do {
          const from = token;
          const page = await insist(() => client.listObjectsPaged("/", prefix, PAGE, from));
          if (!page) throw Object.assign(new Error("There is no such bucket"), { status: 404 });
          for (const { Key } of page.objects ?? []) keys.push(Key);
          token = page.nextContinuationToken;
        } while (token);
        return keys;
      }),

    put: (key, bytes) => ask(async () => void (await client.putObject(key, bytes as Uint8Array<ArrayBuffer>))),

    text: (key) => ask(() => insist(() => client.getObject(key))),

    remove: (key) => ask(async () => void (await client.deleteObject(key))),

    async upload(file, key) {
      const handle = await open(file);
      try {
        const { size } = await handle.stat();
        await send(handle, size, key);
      } finally {
        await handle.close();
      }
    },

    async download(key, file) {
      const what = `s3://${name}/${key}`;
      const handle = await open(file, "wx", 0o600);
      try {
        const size = await demand(() => client.getContentLength(key), what);
        for (let start = 0; start < size; start += partBytes) {
          const end = Math.min(start + partBytes, size);
          const part = await demand(() => receive(key, start, end), what);
          if (part?.length !== end - start) throw new Error(`${what} changed during the download. Try again.`);
          await write(handle, part, start);
        }
      } finally {
        await handle.close();
      }
    },

    leftUploads: (prefix, before) =>
      ask(async () => {
        const listed = LeftUploads.parse(await client.listMultipartUploads("/", "", "GET", { prefix }));
        return listed.ListMultipartUploadsResult.Upload.filter(({ Initiated }) => new Date(Initiated) < before).map(
          ({ Key: key, UploadId: id }) => ({ key, id }),
        );
      }),

    abort: ({ key, id }) => ask(async () => void (await client.abortMultipartUpload(key, id))),
  };
}

const LeftUpload = z.object({ Key: z.string(), UploadId: z.string(), Initiated: z.string() });
/** An element that appears once is not a list. */
const LeftUploads = z.object({
  ListMultipartUploadsResult: z.object({
    Upload: z.union([z.array(LeftUpload), LeftUpload.transform((upload) => [upload])]).default([]),
  }),
});

/** Certificates of buckets cover one label, so a name with dots is part of the path. */
function addressAtAmazon(name: string, region: string): string {
  const host = `s3.${region}.amazonaws.com`;
  return name.includes(".") ? `https://${host}/${name}` : `https://${name}.${host}`;
}

async function read(handle: FileHandle, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) throw new Error("The backup file changed during the upload. Try again.");
    done += bytesRead;
  }
  return bytes;
}

async function write(handle: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
}

function bounded(waits: typeof WAITS, signal?: AbortSignal): typeof fetch {
  return (input, init) => {
    const { method, body } = init ?? {};
    const headers = new Headers(init?.headers);
    const isLong = method === "PUT" || method === "POST" || headers.has("range");
    const wait = isLong ? waits.part : waits.answer;
    const late = new AbortController();
    setTimeout(() => late.abort(new Error(`no response within ${wait / 1000} seconds`)), wait).unref();
    // The store refuses a part that arrives changed.
    if (method === "PUT")
      headers.set(
        "content-md5",
        createHash("md5")
          .update(body as Uint8Array)
          .digest("base64"),
      );
    // Parts of an upload are also removed when the server stops.
    const signals = signal && method !== "DELETE" ? [late.signal, signal] : [late.signal];
    return fetch(input, { ...init, headers, redirect: "manual", signal: AbortSignal.any(signals) });
  };
}

/** The status is sometimes in the cause. */
function statusOf(error: unknown): number | undefined {
  const { status, cause } = error as { status?: number; cause?: { status?: number } };
  return status ?? cause?.status;
}

function explained(error: unknown, what: string): Error {
  const status = statusOf(error);
  const { cause } = error as Error;
  const reason = (cause instanceof Error ? cause : (error as Error)).message;
  const sentence =
    status === 401 || status === 403
      ? `Access to ${what} was denied (${reason}). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and the key's permissions.`
      : status === 404
        ? `${what} doesn't exist. Check its name, AWS_REGION, and AWS_ENDPOINT_URL_S3.`
        : `Can't use ${what} (${reason}). Check AWS_ENDPOINT_URL_S3 and AWS_REGION, or try again later.`;
  return new Error(sentence, { cause: error });
}
