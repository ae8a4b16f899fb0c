import { errorOf, jsonOf } from "./answer.js";
import { ConnectionError, LecternError, RateLimitError, TimeoutError, UnavailableError } from "./errors.js";

export interface LecternOptions {
  /** The workspace's address, such as https://docs.example.com. Undefined, as an unset variable is, is refused at once. */
  url: string | undefined;
  /** A key of the workspace. Undefined is refused at once. */
  apiKey: string | undefined;
  /** Sends the requests instead of the global fetch; it must heed `init.signal` and `init.redirect`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How long a call may take, all attempts and waits included, in milliseconds: 90,000, enough for one full minute's limit. */
  timeout?: number | undefined;
  /** How often a call is tried again: 2. */
  retries?: number | undefined;
  /** Waits between attempts, in milliseconds, until the signal is aborted; for tests that have no time. */
  sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ReadOptions extends CallOptions {
  /** The `etag` of an answer that is at hand: the call then answers null when nothing has changed since. */
  ifNoneMatch: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** The `etag` of the answer that the change is based on: nothing is written when somebody was faster. */
  ifMatch?: string | undefined;
}

/** An answer with the fingerprint to send as `ifNoneMatch` or `ifMatch`. */
export type Tagged<Body> = Body & { etag: string };

interface Asked {
  method: "GET" | "PATCH";
  path: string;
  query?: object;
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Whether doing it twice is doing it once. */
  repeatable: boolean;
}

const ROOT = "/api/external/v2";
/** The first wait between attempts when the server names none, and the longest, in milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
/** What timers can count, in milliseconds. */
const LONGEST_TIMEOUT = 2_147_483_647;

/** Sends requests to one workspace with one key, and tries them again where that is safe. */
export class Connection {
  readonly #origin: string;
  readonly #key: string;
  readonly #fetch: NonNullable<LecternOptions["fetch"]>;
  readonly #timeout: number;
  readonly #retries: number;
  readonly #sleep: NonNullable<LecternOptions["sleep"]>;

  /** @throws TypeError when an option cannot be used */
  constructor({ url, apiKey, fetch, timeout = 90_000, retries = 2, sleep = pause }: LecternOptions) {
    this.#origin = originOf(url);
    this.#key = keyOf(apiKey);
    // Looked up on each call, so that what instruments fetch may come later.
    this.#fetch = fetch ?? ((address, init) => globalThis.fetch(address, init));
    if (!(timeout > 0 && timeout <= LONGEST_TIMEOUT)) {
      throw new TypeError(`timeout is ${timeout}: give milliseconds from 1 to ${LONGEST_TIMEOUT}.`);
    }
    if (!Number.isInteger(retries) || retries < 0) {
      throw new TypeError(`retries is ${retries}: give a whole number, 0 for none.`);
    }
    this.#timeout = timeout;
    this.#retries = retries;
    this.#sleep = sleep;
  }

  /** Reads; null when `ifNoneMatch` is still the current version. */
  async get<Body>(
    path: string,
    query: object,
    { signal, ifNoneMatch }: CallOptions & Partial<ReadOptions> = {},
  ): Promise<Tagged<Body> | null> {
    const headers: Record<string, string> = ifNoneMatch ? { "If-None-Match": ifNoneMatch } : {};
    const { response, body } = await this.#send({ method: "GET", path, query, headers, signal, repeatable: true });
    if (response.status === 304) return null;
    return { ...(body as Body), etag: response.headers.get("etag") ?? "" };
  }

  /**
   * Writes. Only what the server refused unseen is sent again, or what `ifMatch` guards.
   * @throws TypeError when `ifMatch` is empty: the write would be unguarded
   */
  async patch<Body>(path: string, changes: object, { signal, ifMatch }: WriteOptions = {}): Promise<Body> {
    if (ifMatch === "") throw new TypeError("ifMatch is empty: give the etag of an answer, or leave it out.");
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
    const repeatable = ifMatch !== undefined;
    const { body } = await this.#send({ method: "PATCH", path, body: changes, headers, signal, repeatable });
    return body as Body;
  }

  async #send(asked: Asked): Promise<{ response: Response; body: object | undefined }> {
    const address = new URL(ROOT + asked.path, this.#origin);
    for (const [name, value] of Object.entries(asked.query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const request = `${asked.method} ${address.pathname}`;
    const stop = new AbortController();
    const init = {
      method: asked.method,
      headers: new Headers({ Accept: "application/json", "X-Api-Key": this.#key, ...asked.headers }),
      // A redirect that is followed would carry the key to another host.
      redirect: "manual" as const,
      signal: stop.signal,
      ...(asked.body && { body: JSON.stringify(asked.body) }),
    };

    const { signal } = asked;
    const cancel = () => stop.abort(signal?.reason);
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel);
    const end = Date.now() + this.#timeout;
    const timer = setTimeout(() => {
      const message = `There was no answer within ${this.#timeout} ms: check that ${this.#origin} can be reached, or give a longer timeout.`;
      stop.abort(new TimeoutError(message, { request }));
    }, this.#timeout);
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await this.#attempt(address.href, init, request);
        } catch (error) {
          if (stop.signal.aborted) throw stop.signal.reason;
          const wait = attempt < this.#retries && isWorthRetrying(error, asked.repeatable) && waitOf(error, attempt);
          // Who must wait for longer than there is time learns so at once.
          if (wait === false || Date.now() + wait > end) throw error;
          await this.#sleep(wait, stop.signal);
        }
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  async #attempt(address: string, init: RequestInit, request: string) {
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(address, init);
      text = await response.text();
    } catch (cause) {
      throw new ConnectionError(this.#withoutKey(`The connection to ${this.#origin} failed: ${reasonOf(cause)}.`), {
        request,
        cause,
      });
    }
    const { status, headers } = response;
    const facts = { request, status, requestId: headers.get("x-request-id") ?? undefined };
    if (status === 304) return { response, body: undefined };
    if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
      const target = headers.get("location");
      const message = `${this.#origin} redirects${target ? ` to ${target}` : ""}: give the address that answers as url. No redirect is followed, so that the key is sent nowhere else.`;
      throw new LecternError(this.#withoutKey(message), facts);
    }
    if (!response.ok) throw errorOf(response, this.#withoutKey(text), request);
    const body = jsonOf(text);
    if (body) return { response, body };
    if (headers.get("content-type")?.startsWith("application/json")) {
      throw new ConnectionError(`The answer of ${this.#origin} broke off: it is not whole JSON.`, facts);
    }
    throw new LecternError(`${this.#origin} does not answer in JSON: check that it is a workspace's address.`, facts);
  }

  #withoutKey(text: string): string {
    return text.replaceAll(this.#key, "(the key)");
  }
}

function originOf(url = ""): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`) return parsed.origin;
  throw new TypeError(
    "url is not a workspace's address: give scheme and host alone, such as https://docs.example.com.",
  );
}

/** A key as read from a file, which may end in a line break. What headers cannot carry would be quoted in their error. */
function keyOf(apiKey = ""): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError("apiKey is empty or holds what no key holds: give a key of the workspace, such as kb_….");
}

/** A 429 says that nothing was done; after anything else a write may have been. */
function isWorthRetrying(error: unknown, repeatable: boolean): boolean {
  if (error instanceof RateLimitError) return true;
  return repeatable && (error instanceof UnavailableError || error instanceof ConnectionError);
}

/** In milliseconds: what the server asks for, else twice as long each time, at random so that clients do not come back in step. */
function waitOf(error: unknown, attempt: number): number {
  const asked = error instanceof RateLimitError || error instanceof UnavailableError ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}

/** fetch says "fetch failed", and why in its cause. */
function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  if (!(reason instanceof Error)) return String(reason);
  return reason.message || (reason as { code?: string }).code || reason.name;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", cancel);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", cancel, { once: true });
  });
}
