import { AsyncLocalStorage } from "node:async_hooks";

/** The request that is being answered, as all that works for it may know it, and as it is told from outside. */
export interface CurrentRequest {
  /** What its answer carries as X-Request-Id. */
  readonly id: string;
  readonly surface: "page" | "api" | "asset" | "probe";
  /** As it was asked for, without the query; empty where no front door stands. */
  readonly path: string;
  /** Which operation or page answers it, as its path is written in the source; null while that is not known. */
  operation: string | null;
  workspaceId: string | null;
  keyId: string | null;
  /** Whether its answer is shown to a person as a page (isSeen of lib/viewers.ts). */
  seen: boolean;
  /** Whether it was told that the database does not answer. */
  unavailable: boolean;
  /** The workspace's address now, when its host was asked by a subdomain that it once had (lib/front-door/moved.ts). */
  movedTo: string | null;
  /** Whether it was answered: what goes on afterwards works for nobody who waits. */
  ended: boolean;
}

// One for the process: the front door sets it, pages are bundled apart from it.
const shared = globalThis as typeof globalThis & { lecternRequests?: AsyncLocalStorage<CurrentRequest> };

function requests(): AsyncLocalStorage<CurrentRequest> {
  shared.lecternRequests ??= new AsyncLocalStorage();
  return shared.lecternRequests;
}

/**
 * A request of which nothing is known yet.
 * @param inbound the X-Request-Id that it came with: a sane one is kept (contract 60)
 */
export function newRequest(
  inbound: string | null | undefined,
  surface: CurrentRequest["surface"],
  path = "",
): CurrentRequest {
  const id = inbound && /^[\w.:-]{1,100}$/.test(inbound) ? inbound : crypto.randomUUID();
  return {
    id,
    surface,
    path,
    operation: null,
    workspaceId: null,
    keyId: null,
    seen: false,
    unavailable: false,
    movedTo: null,
    ended: false,
  };
}

/** Runs `work`, within which `currentRequest` is this one. For the front door. */
export function duringRequest<T>(request: CurrentRequest, work: () => T): T {
  return requests().run(request, work);
}

/** Runs `work` that no request waits for, though one may have begun it: it has no part in that one's time, nor in its log. */
export function outsideRequests<T>(work: () => T): T {
  return requests().exit(work);
}

/** The request that the caller works for; none in programs, and once it was answered. */
export function currentRequest(): CurrentRequest | undefined {
  const request = requests().getStore();
  return request?.ended ? undefined : request;
}

/** Adds what was found out about the current request, for its line in the log. */
export function noteOfRequest(
  found: Partial<Pick<CurrentRequest, "operation" | "workspaceId" | "keyId" | "unavailable" | "movedTo">>,
): void {
  const request = currentRequest();
  if (request) Object.assign(request, found);
}
