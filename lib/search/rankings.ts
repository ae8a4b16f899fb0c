import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Stage } from "./query";

export interface Ranking {
  version: string;
  total: number;
  ids: string[];
}

/** Below this, ranking costs hardly more than checking the version. */
const WORTH_KEEPING = 400;
const MOST = 5_000;

/** Pages of searches with many matches, kept while the content version stays the same: everyone starts with one letter. */
const pages = new LRUCache<string, Ranking>({ max: MOST });
const totals = new LRUCache<string, Omit<Ranking, "ids">>({ max: MOST });

export function searchKey(
  workspaceId: string,
  { hidden = [], without = [] }: { hidden?: readonly string[]; without?: readonly string[] },
  stages: readonly Stage[],
): string {
  const hash = createHash("sha1")
    .update(JSON.stringify([hidden, without, stages]))
    .digest("base64url");
  return `${workspaceId} ${hash}`;
}

export function keptPage(key: string, limit: number, offset: number): Ranking | undefined {
  return pages.get(`${key} ${limit} ${offset}`);
}

export function keptTotal(key: string): Omit<Ranking, "ids"> | undefined {
  return totals.get(key);
}

export function keepRanking(key: string, limit: number, offset: number, ranking: Ranking): void {
  if (ranking.total <= WORTH_KEEPING) return;
  const { version, total } = ranking;
  totals.set(key, { version, total });
  pages.set(`${key} ${limit} ${offset}`, ranking);
}
