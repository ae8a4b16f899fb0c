import { countUse, takeLimit, type Use } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { HttpError } from "./errors";

export const limited = ["key", "search", "write"] as const;
export type LimitedName = (typeof limited)[number];
export type NamedUse = Use & { name: LimitedName };

/**
 * Reports the use of the limits in `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-09).
 * @param answerHeaders get both headers, whatever the answer will be
 * @throws HttpError 429 when one of the limits is used up
 */
export function respectLimits(uses: readonly NamedUse[], answerHeaders: Pick<Headers, "set">): void {
  reportUses(uses, answerHeaders);
  refuseOver(uses);
}

/**
 * Counts one more write of a key, for a request that makes several.
 * @throws HttpError 429 when the limit is used up
 */
export async function countWrite(
  keyId: string,
  answerHeaders: Pick<Headers, "set">,
  uses: readonly NamedUse[],
): Promise<void> {
  const writes = (await countUse("write", { key: keyId })).map((use) => ({ ...use, name: "write" as const }));
  reportUses([...uses.filter(({ name }) => name !== "write"), ...writes], answerHeaders);
  refuseOver(writes);
}

function reportUses(uses: readonly NamedUse[], answerHeaders: Pick<Headers, "set">): void {
  if (uses.length === 0) return;
  const list = (line: (use: NamedUse) => string) => uses.map(line).join(", ");
  answerHeaders.set(
    "RateLimit-Policy",
    list(({ name, limit, period }) => `"${name}";q=${limit};w=${period}`),
  );
  answerHeaders.set(
    "RateLimit",
    list(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`),
  );
}

function refuseOver(uses: readonly NamedUse[]): void {
  const over = uses.filter(({ isOver }) => isOver);
  if (over.length === 0) return;
  const seconds = Math.max(...over.map((use) => use.seconds));
  const things = { key: "requests", search: "searches", write: "writes" }[over[0]?.name ?? "key"];
  const limit = Math.max(...over.map((use) => use.limit));
  const message = `This key can send ${limit} ${things} per minute. Try again in ${seconds} seconds.`;
  throw new HttpError("rate_limited", message, tooManyRequests(seconds));
}

/**
 * Counts a refused key. Valid keys are never counted, nor stopped by others at the same address.
 * @throws HttpError 429 when there were too many from this address
 */
export async function countRefusedKey(address: string | null): Promise<void> {
  const seconds = await takeLimit("invalidKey", { network: address });
  if (seconds === null) return;
  const message = `Too many requests with an invalid API key came from this IP address. Correct the key and try again in ${seconds} seconds.`;
  throw new HttpError("rate_limited", message, tooManyRequests(seconds));
}
