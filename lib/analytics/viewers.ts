import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isbot } from "isbot";
import { prefersMarkdown } from "@/lib/http/markdown-path";
import { networkOf } from "@/lib/http/network";
import { forgetSalts, saltOfDay } from "@/lib/workspaces/workspaces";

// Identifies readers for one day in one workspace, so that nobody counts twice, and never again.

export interface Client {
  ip: string | null;
  userAgent: string | null;
}

export const DAY_MS = 24 * 60 * 60_000;

const MOST_OF_A_NETWORK = 20;
const FORGET_MS = 60 * 60_000;

const shared = globalThis as typeof globalThis & { lecternSalts?: Map<string, Promise<Buffer>> };

function salts(): Map<string, Promise<Buffer>> {
  shared.lecternSalts ??= new Map();
  return shared.lecternSalts;
}

export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** A client without a user agent counts as a crawler. */
export function isCrawler({ userAgent }: Pick<Client, "userAgent">): boolean {
  return !userAgent || isbot(userAgent);
}

/** Excludes prefetches, the framework's own requests and programs. */
export function isSeen({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  const isAhead = [headers["sec-purpose"], headers.purpose].some((purpose) =>
    /prefetch|prerender/.test(String(purpose)),
  );
  if (method !== "GET" || isAhead || headers.rsc || prefersMarkdown(headers.accept ?? null)) return false;
  return !isCrawler({ userAgent: headers["user-agent"] ?? null });
}

/** A hash with the day's salt, which is deleted after the next day. */
export function viewerHash(workspaceId: string, { ip, userAgent }: Client, day: string): Promise<Buffer> {
  return hashed(day, [workspaceId, ip, userAgent]);
}

/** One of 20 hashes per network and day, so changing the user agent or address within a network adds no views. */
export function viewHash(workspaceId: string, { ip, userAgent }: Client, day: string): Promise<Buffer> {
  const drawn = createHash("sha256")
    .update(JSON.stringify([ip, userAgent]))
    .digest()
    .readUInt32BE();
  return hashed(day, [workspaceId, networkOf(ip), drawn % MOST_OF_A_NETWORK]);
}

/**
 * One hash per network, search and day: a reader who changes browsers still counts once, and nobody can tell that two
 * searches of a day came from one reader.
 */
export function openerHash(workspaceId: string, ip: string | null, folded: string, day: string): Promise<Buffer> {
  return hashed(day, [workspaceId, networkOf(ip), folded]);
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
  // The next call asks again.
  salt.catch(() => salts().delete(day));
  return salt;
}

export async function forgetOldSalts(now = new Date()): Promise<void> {
  const yesterday = dayOf(new Date(now.getTime() - DAY_MS));
  for (const day of salts().keys()) if (day < yesterday) salts().delete(day);
  await forgetSalts(yesterday);
}

export function keepForgettingSalts(): void {
  const forget = () => void forgetOldSalts().catch(() => undefined);
  forget();
  setInterval(forget, FORGET_MS).unref();
}
