import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

/** As in lib/db/versions.ts. */
type Versions = Record<"content" | "drafts", string>;

export interface CurrentRequest {
  readonly id: string;
  readonly surface: "page" | "api" | "asset" | "probe";
  /** Without the query, or empty without a front door. */
  readonly path: string;
  /** As it was sent, with its question mark. Next rewrites the URL of its request. */
  readonly query: string;
  readonly response: ServerResponse | null;
  operation: string | null;
  workspaceId: string | null;
  keyId: string | null;
  /** Whether a person sees the answer as a page (isSeen in lib/analytics/viewers.ts). */
  seen: boolean;
  unavailable: boolean;
  /** The versions of the content that the front door read for a GET or HEAD of a page, for visitors. Null for other requests. */
  since: Versions | null;
  /** Time spent waiting for the database, in milliseconds (lib/db/patience.ts). Here, because Next's bundles have their own modules. */
  readonly waiting: { ms: number; units: number; since: number };
  /** Nobody waits for work that continues after the answer. */
  ended: boolean;
}

/** When a workspace last had a request, on the clock of `performance`. */
interface Served {
  workspaceId: string;
  at: number;
}

/** Milliseconds in which a workspace without a new request still counts as served. */
const SERVED_MS = 2_000;

// One per process, although Next bundles pages separately.
const shared = globalThis as typeof globalThis & {
  lecternRequests?: AsyncLocalStorage<CurrentRequest | undefined>;
  /** The last request's workspace, and the last different one. */
  lecternServed?: { last: Served; other: Served | null };
};

function requests(): AsyncLocalStorage<CurrentRequest | undefined> {
  shared.lecternRequests ??= new AsyncLocalStorage();
  return shared.lecternRequests;
}

/** @param inbound the client's X-Request-Id: a valid one is kept (contract 60) */
export function newRequest(
  inbound: string | null | undefined,
  surface: CurrentRequest["surface"],
  target = "",
  response: ServerResponse | null = null,
): CurrentRequest {
  const [path = ""] = target.split("?", 1);
  const id = inbound && /^[\w.:-]{1,100}$/.test(inbound) ? inbound : crypto.randomUUID();
  return {
    id,
    surface,
    path,
    query: target.slice(path.length),
    response,
    operation: null,
    workspaceId: null,
    keyId: null,
    seen: false,
    unavailable: false,
    since: null,
    waiting: noWait(),
    ended: false,
  };
}

export const noWait = (): CurrentRequest["waiting"] => ({ ms: 0, units: 0, since: 0 });

export function duringRequest<T>(request: CurrentRequest, work: () => T): T {
  return requests().run(request, work);
}

/** Runs `work` outside the request's patience and log. */
export function outsideRequests<T>(work: () => T): T {
  return requests().run(undefined, work);
}

/** The request the caller works for: none in programs, and none once it was answered. */
export function currentRequest(): CurrentRequest | undefined {
  const request = requests().getStore();
  return request?.ended ? undefined : request;
}

export function noteOfRequest(
  notes: Partial<Pick<CurrentRequest, "operation" | "workspaceId" | "keyId" | "unavailable">>,
): void {
  const request = currentRequest();
  if (!request) return;
  Object.assign(request, notes);
  if (notes.workspaceId) noteServed(notes.workspaceId);
}

function noteServed(workspaceId: string): void {
  const { last, other } = shared.lecternServed ?? { last: null, other: null };
  const now = { workspaceId, at: performance.now() };
  shared.lecternServed = { last: now, other: last?.workspaceId === workspaceId ? other : last };
}

/** Whether this process had requests of other workspaces in the last seconds. */
export function areOthersServed(workspaceId: string): boolean {
  const { last, other } = shared.lecternServed ?? { last: null, other: null };
  const latest = last?.workspaceId === workspaceId ? other : last;
  return latest !== null && performance.now() - latest.at < SERVED_MS;
}
