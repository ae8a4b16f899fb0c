import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Stage } from "./query";

/** Which articles a search found, and when: at which version of what readers see of the workspace. */
export interface Ranking {
  version: string;
  total: number;
  /** Of one page. */
  ids: string[];
}

/** Of fewer matches, looking costs hardly more than asking whether what was kept is still true. */
const WORTH_KEEPING = 400;
const MOST = 5_000;

/**
 * Pages of searches that found many, kept for as long as nothing that readers see has changed: who begins to type asks for
 * one letter, as everybody does. With them the totals, for other pages. The database says the version, within the snapshot of the
 * search that asks.
 */
const pages = new LRUCache<string, Ranking>({ max: MOST });
const totals = new LRUCache<string, Omit<Ranking, "ids">>({ max: MOST });

/** What two searches have in common that find the same in the same order. */
export function searchKey(workspaceId: string, hidden: readonly string[], stages: readonly Stage[]): string {
  const hash = createHash("sha1")
    .update(JSON.stringify([hidden, stages]))
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
