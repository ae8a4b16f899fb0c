import { LRUCache } from "lru-cache";
import { allows } from "@/lib/api-keys/scopes";
import { awaitWithinPatience } from "@/lib/db";
import { type Content, targetOf } from "./answer";
import type { ApiKey, Entered } from "./keys";

/**
 * Answers that depend on the content alone are kept until it changes, from the second request on. Each request brings the versions of
 * the content.
 */

export interface KeptContent extends Content {
  after?: ((about: { workspaceId: string; isHead: boolean }) => void) | undefined;
}

interface Kept {
  version: string;
  content: KeptContent;
}

interface About {
  entered: Entered;
  request: { url: string };
}

/** The size of all kept answers, in bytes: half of what kept pages may take (server/front-door/kept.ts). */
const MOST_BYTES = 32 * 2 ** 20;
/** How long an answer is kept, in milliseconds. Views don't make it stale (contract 75), and a replica's can be a minute old. */
const LONGEST_MS = 9 * 60_000;
/** Compressed forms take about half of the answer. */
const SIZE = 1.5;
/** For the headers and the objects, in bytes. */
const OVERHEAD = 1_000;
/** How long to wait for another request's answer, in milliseconds: as long as its reading may take. */
const WAIT_MS = 2_000;

const answers = new LRUCache<string, Kept>({
  maxSize: MOST_BYTES,
  ttl: LONGEST_MS,
  // A URL can have 8 KB.
  sizeCalculation: ({ content }, key) => Math.ceil(content.body.length * SIZE) + key.length + OVERHEAD,
});
/** Answers being made: further requests for them wait. */
const making = new Map<string, Promise<KeptContent>>();

/** Hashes of requested keys. Keys in the same slot overwrite each other. */
const requested = new Uint32Array(2 ** 16);

/** Records a request. Returns whether its answer was requested before. Exports request most answers once. */
function wasRequested(key: string): boolean {
  // FNV-1a
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  const slot = (hash ^ (hash >>> 16)) & (requested.length - 1);
  const was = requested[slot] === hash >>> 0;
  requested[slot] = hash;
  return was;
}

/** With the workspace's id, because a subdomain can pass to another workspace, and all scopes, because they decide what is visible. */
function keyOf({ entered, request }: About, { scopes }: ApiKey): string {
  return `${entered.workspace.id} ${scopes.join()} ${targetOf(request.url)}`;
}

/** Only answers to keys that read all content contain drafts, and only those to keys that read members authors' emails. */
function versionOf({ entered: { versions } }: About, { scopes }: ApiKey): string {
  return allows(scopes, "content.read") || allows(scopes, "members.read")
    ? `${versions.content} ${versions.drafts}`
    : versions.content;
}

/** The kept answer to the same URL for a key with the same scopes, at the content's current version. */
export function keptContent(about: About, key: ApiKey): KeptContent | null {
  const known = answers.get(keyOf(about, key));
  return known?.version === versionOf(about, key) ? known.content : null;
}

/**
 * Makes an answer and keeps it. The version was read before the content, so the content may be newer than its version, but
 * never older.
 */
export async function keepContent(
  about: About,
  apiKey: ApiKey,
  make: () => Promise<KeptContent>,
): Promise<KeptContent> {
  const [key, version] = [keyOf(about, apiKey), versionOf(about, apiKey)];
  const isRepeated = wasRequested(key) || answers.has(key);
  const keep = (content: KeptContent) => {
    if (isRepeated) answers.set(key, { version, content });
    return content;
  };
  const turn = `${version} ${key}`;
  const pending = making.get(turn);
  if (pending)
    return awaitWithinPatience<KeptContent>(WAIT_MS, (resolve, reject) => void pending.then(resolve, reject)).then(
      keep,
      make,
    );
  const made = make();
  making.set(turn, made);
  try {
    return keep(await made);
  } finally {
    making.delete(turn);
  }
}
