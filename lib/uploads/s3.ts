import { S3mini } from "s3mini";
import type { Env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { type UploadStorage, WORKSPACE_ID } from "@/lib/uploads/storage";

/** Until the store's answer starts. Sending a file may take longer. */
const ANSWER_MS = 10_000;
const SENDING_MS = 60_000;
const PAGE = 1_000;

/** S3 or a compatible server, addressed by path. */
export function s3Storage(
  { endpoint, bucket, region, key: accessKeyId, secret: secretAccessKey }: NonNullable<Env["s3"]>,
  waits = { answer: ANSWER_MS, sending: SENDING_MS },
): UploadStorage {
  const client = new S3mini({
    endpoint: `${endpoint.replace(/\/+$/, "")}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    fetch: bounded(waits),
  });
  return {
    put: (key, bytes) => available(async () => void (await client.putObject(key, bytes as Uint8Array<ArrayBuffer>))),

    open: (key, { start, end }) =>
      available(async () => (await client.getObjectRaw(key, false, start, end + 1)).body).catch(absent),

    remove: (key) => available(async () => void (await client.deleteObject(key))),

    async removeAll(workspaceId) {
      if (!WORKSPACE_ID.test(workspaceId)) throw new Error("This is not a workspace ID.");
      for await (const { key } of this.list(workspaceId)) await this.remove(key);
    },

    async *list(workspaceId) {
      let token: string | undefined;
      do {
        const from = token;
        const page = await available(() =>
          client.listObjectsPaged("/", workspaceId ? `${workspaceId}/` : "", PAGE, from),
        );
        for (const { Key: key, LastModified } of page?.objects ?? []) yield { key, modifiedAt: new Date(LastModified) };
        token = page?.nextContinuationToken;
      } while (token);
    },
  };
}

function bounded(waits: { answer: number; sending: number }): typeof fetch {
  return async (input, init) => {
    const late = new AbortController();
    const wait = init?.method === "PUT" ? waits.sending : waits.answer;
    const timer = setTimeout(() => late.abort(new Error(`no response within ${wait / 1000} seconds`)), wait);
    try {
      return await fetch(input, { ...init, signal: late.signal });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function available<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnavailableError(`The file storage returned an error: ${reason}`, { cause: error });
  }
}

function absent(error: UnavailableError): null {
  if ((error.cause as { status?: number }).status === 404) return null;
  throw error;
}
