import { LRUCache } from "lru-cache";
import { z } from "zod";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { parseQuery } from "./query";

/** A model's embedding of a text. */
export type Vector = readonly number[];

/** Texts per request, and how long one may take, in milliseconds. */
const BATCH = 32;
const BATCH_MS = 20_000;
/** How long a search waits for its vector. */
const SEARCH_MS = 300;
/** After so many failures in a row, searches do without vectors for a while. */
const MOST_FAILURES = 3;
const PAUSE_MS = 30_000;
const MOST_KEPT = 1_000;
const MOST_DIMENSIONS = 8_192;

const Answer = z.object({
  data: z.array(
    z.object({
      index: z.int(),
      embedding: z
        .array(z.number())
        .min(1)
        .max(MOST_DIMENSIONS)
        .refine((vector) => vector.some((value) => value !== 0)),
    }),
  ),
});

/**
 * The vectors of texts, in their order and all of one length. Call it outside transactions: it waits for another server.
 * @throws Error without any of the texts
 */
export async function embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]> {
  const vectors: Vector[] = [];
  for (let done = 0; done < texts.length; done += BATCH) {
    const late = AbortSignal.timeout(BATCH_MS);
    vectors.push(...(await request(texts.slice(done, done + BATCH), AbortSignal.any([signal, late]))));
  }
  if (vectors.some((vector) => vector.length !== vectors[0]?.length))
    throw new Error("The embedding server returned vectors of different lengths.");
  return vectors;
}

async function request(input: readonly string[], signal: AbortSignal): Promise<Vector[]> {
  const { embeddings } = env();
  if (!embeddings) throw new Error("AI_BASE_URL is not set.");
  const { url, model, key } = embeddings;
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, input }),
    redirect: "error",
    signal,
  }).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Error(`The embedding server is not responding: ${message}`);
  });
  if (!response.ok) throw new Error(`The embedding server answered ${response.status}.`);
  const answer = Answer.safeParse(await response.json().catch(() => null));
  const byIndex = new Map(answer.data?.data.map(({ index, embedding }) => [index, embedding]));
  return input.map((_, index) => {
    const vector = byIndex.get(index);
    if (!vector) throw new Error("The embedding server returned no usable vectors.");
    return vector;
  });
}

const kept = new LRUCache<string, Promise<Vector | null>>({ max: MOST_KEPT });
let failures = 0;
let pausedUntil = 0;

/**
 * The vector of a search with several words, for `Window.vector` (./search.ts). Null without an embedding model, and when its
 * server fails or is slow. Call it before opening a transaction, which would hold its connection meanwhile.
 */
export async function vectorOf(text: string): Promise<Vector | null> {
  if (!env().embeddings || parseQuery(text).groups.length < 2) return null;
  const known = kept.get(text);
  if (known) return known;
  if (performance.now() < pausedUntil) return null;
  const vector = requested(text);
  kept.set(text, vector);
  if ((await vector) === null) kept.delete(text);
  return vector;
}

async function requested(text: string): Promise<Vector | null> {
  try {
    const [vector = null] = await request([text], AbortSignal.timeout(SEARCH_MS));
    failures = 0;
    return vector;
  } catch (error) {
    failures++;
    if (failures >= MOST_FAILURES) {
      pausedUntil = performance.now() + PAUSE_MS;
      log().warn({ err: error }, "The embedding server keeps failing. Searches use only words for 30 seconds.");
    }
    return null;
  }
}
