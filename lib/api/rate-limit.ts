import { countUse, takeLimit, type Use } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { HttpError } from "./errors";

/**
 * Counts a request of a key, and reports the limit in `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-09).
 * @param answerHeaders get both headers, whatever the answer will be
 * @throws HttpError 429 when one of the limits is used up
 */
export async function countRequest(keyId: string, isSearch: boolean, answerHeaders: Headers): Promise<void> {
  const names = isSearch ? (["key", "search"] as const) : (["key"] as const);
  const counted = await Promise.all(
    names.map(async (name) => (await countUse(name, { key: keyId })).map((use) => ({ name, ...use }))),
  );
  const uses = counted.flat();
  if (uses.length === 0) return;
  const list = (line: (use: Use & { name: string }) => string) => uses.map(line).join(", ");
  answerHeaders.set(
    "RateLimit-Policy",
    list(({ name, limit, period }) => `"${name}";q=${limit};w=${period}`),
  );
  answerHeaders.set(
    "RateLimit",
    list(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`),
  );
  const over = uses.filter(({ isOver }) => isOver);
  if (over.length === 0) return;
  const seconds = Math.max(...over.map((use) => use.seconds));
  const things = over.some(({ name }) => name === "key") ? "requests" : "searches";
  const limit = Math.max(...over.map((use) => use.limit));
  const message = `This key can send ${limit} ${things} per minute. Try again in ${seconds} seconds.`;
  throw new HttpError(429, message, tooManyRequests(seconds).headers);
}

/**
 * Counts a refused key. Valid keys are never counted, nor stopped by others at the same address.
 * @throws HttpError 429 when there were too many from this address
 */
export async function countRefusedKey(address: string | null): Promise<void> {
  const seconds = await takeLimit("invalidKey", { network: address });
  if (seconds === null) return;
  const message = `Too many requests with an invalid API key came from this IP address. Correct the key and try again in ${seconds} seconds.`;
  throw new HttpError(429, message, tooManyRequests(seconds).headers);
}
