import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isbot } from "isbot";
import { prefersMarkdown } from "@/lib/markdown-path";
import { networkOf } from "@/lib/network";
import { forgetSalts, saltOfDay } from "@/lib/workspaces";

// Who reads, as far as it must be known to count nobody twice: for a day, in one workspace, and never again.

/** What a request tells of whoever sent it. */
export interface Client {
  /** As the front door settled it; null where none stands in front. */
  ip: string | null;
  userAgent: string | null;
}

export const DAY_MS = 24 * 60 * 60_000;

/** How many viewers of one network count a day, of each article. */
const MOST_OF_A_NETWORK = 20;
const FORGET_MS = 60 * 60_000;

// One for the process: the front door forgets, pages are bundled apart from it. The salt of a day never changes.
const shared = globalThis as typeof globalThis & { lecternSalts?: Map<string, Promise<Buffer>> };

function salts(): Map<string, Promise<Buffer>> {
  shared.lecternSalts ??= new Map();
  return shared.lecternSalts;
}

/** The day of a moment, in UTC, such as "2026-11-22". */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Whether a request comes from a program that calls itself one; who says nothing of itself is one too. */
export function isCrawler({ userAgent }: Pick<Client, "userAgent">): boolean {
  return !userAgent || isbot(userAgent);
}

/**
 * Whether whoever sent a request is shown its answer as a page: not what a browser only fetches ahead, nor what a script
 * asks of the framework, nor what programs read.
 */
export function isSeen({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  const isAhead = [headers["sec-purpose"], headers.purpose].some((purpose) =>
    /prefetch|prerender/.test(String(purpose)),
  );
  if (method !== "GET" || isAhead || headers.rsc || prefersMarkdown(headers.accept ?? null)) return false;
  return !isCrawler({ userAgent: headers["user-agent"] ?? null });
}

/**
 * What a viewer is called for one day and workspace: a hash with that day's salt. The salt is deleted after the day that
 * follows, and then nobody can find out any more who it was.
 * @param day of dayOf
 * @throws UnavailableError, when the day's salt is not known yet
 */
export function viewerHash(workspaceId: string, { ip, userAgent }: Client, day: string): Promise<Buffer> {
  return hashed(day, [workspaceId, ip, userAgent]);
}

/**
 * What a viewer is called where views are counted: one of MOST_OF_A_NETWORK names that a network has for the day, so that
 * nobody who changes what a browser says of itself, or the address within the network, counts more often. Of the people
 * behind an office's one address, two may have the same name, and then count once: of ten about eight are counted, of
 * twenty about thirteen. Nothing has to be kept of the network to know how many there were.
 */
export function viewHash(workspaceId: string, { ip, userAgent }: Client, day: string): Promise<Buffer> {
  const drawn = createHash("sha256")
    .update(JSON.stringify([ip, userAgent]))
    .digest()
    .readUInt32BE();
  return hashed(day, [workspaceId, networkOf(ip), drawn % MOST_OF_A_NETWORK]);
}

async function hashed(day: string, parts: unknown[]): Promise<Buffer> {
  const salt = await knownSalt(day);
  return createHmac("sha256", salt).update(JSON.stringify(parts)).digest().subarray(0, 16);
}

function knownSalt(day: string): Promise<Buffer> {
  const known = salts().get(day);
  if (known) return known;
  const salt = saltOfDay(day);
  salts().set(day, salt);
  // Asked for again by the next.
  salt.catch(() => salts().delete(day));
  return salt;
}

/** Forgets the salts of days before yesterday, here and in the database. */
export async function forgetOldSalts(now = new Date()): Promise<void> {
  const yesterday = dayOf(new Date(now.getTime() - DAY_MS));
  for (const day of salts().keys()) if (day < yesterday) salts().delete(day);
  await forgetSalts(yesterday);
}

/** Forgets old salts from now on, also when nobody reads: for a server. */
export function keepForgettingSalts(): void {
  // A database that is away is asked again an hour later.
  const forget = () => void forgetOldSalts().catch(() => undefined);
  forget();
  setInterval(forget, FORGET_MS).unref();
}
