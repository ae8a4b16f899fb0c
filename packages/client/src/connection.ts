import { errorOf, jsonOf } from "./answer.js";
import {
  ConflictError,
  ConnectionError,
  LecternError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from "./errors.js";

export interface LecternOptions {
  /** The workspace's URL, such as https://docs.example.com. Undefined throws a TypeError. */
  url: string | undefined;
  /** An API key of the workspace. Undefined throws a TypeError. */
  apiKey: string | undefined;
  /** Replaces the global fetch. It must support `init.signal` and `init.redirect`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** The maximum duration of a call in milliseconds, including retries. Default: 90,000, enough to wait out a limit. */
  timeout?: number | undefined;
  /** The maximum number of retries per call. Default: 2. */
  retries?: number | undefined;
  /** Replaces the wait between attempts, for tests. Must stop when the signal is aborted. */
  sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ReadOptions extends CallOptions {
  /** The `etag` of an earlier answer. The call returns null when nothing has changed since. */
  ifNoneMatch: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** The `etag` of the answer that the change is based on. Nothing is changed if the resource has changed since. */
  ifMatch?: string | undefined;
  /** A key for this change. Repeating it with the same key within 24 hours changes nothing more. Default: a new UUID. */
  idempotencyKey?: string | undefined;
}

/** An answer with its `etag`, for `ifNoneMatch` or `ifMatch`. */
export type Tagged<Body> = Body & { etag: string };

type WriteMethod = "POST" | "PUT" | "PATCH" | "DELETE";

interface RequestSpec {
  method: "GET" | WriteMethod;
  path: string;
  query?: object;
  body?: object;
  /** Sent as it is. */
  file?: Blob | Uint8Array<ArrayBuffer> | string;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

const ROOT = "/api/external/v2";
/** Milliseconds between attempts, unless the server sends Retry-After. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
/** The limit of setTimeout. */
const LONGEST_TIMEOUT = 2_147_483_647;

/** Sends requests, and retries them where that is safe. */
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
    // Looked up on each call, because tools may replace fetch later.
    this.#fetch = fetch ?? ((address, init) => globalThis.fetch(address, init));
    if (!(timeout > 0 && timeout <= LONGEST_TIMEOUT)) {
      throw new TypeError(`timeout is ${timeout}. Pass milliseconds from 1 to ${LONGEST_TIMEOUT}.`);
    }
    if (!Number.isInteger(retries) || retries < 0) {
      throw new TypeError(`retries is ${retries}. Pass a whole number, or 0 to turn retries off.`);
    }
    this.#timeout = timeout;
    this.#retries = retries;
    this.#sleep = sleep;
  }

  /** Null when `ifNoneMatch` is the current version. */
  async get<Body>(
    path: string,
    query: object,
    { signal, ifNoneMatch }: CallOptions & Partial<ReadOptions> = {},
  ): Promise<Tagged<Body> | null> {
    const headers: Record<string, string> = ifNoneMatch ? { "If-None-Match": ifNoneMatch } : {};
    const { response, body } = await this.#send({ method: "GET", path, query, headers, signal });
    if (response.status === 304) return null;
    return { ...(body as Body), etag: response.headers.get("etag") ?? "" };
  }

  /**
   * Retries are safe, because all attempts have the same Idempotency-Key.
   * @throws TypeError when `ifMatch` is empty, because the change would be unguarded
   */
  async write<Body>(
    method: WriteMethod,
    path: string,
    sent: object | undefined,
    { signal, ifMatch, idempotencyKey = crypto.randomUUID() }: WriteOptions = {},
  ): Promise<Body> {
    if (ifMatch === "") throw new TypeError("ifMatch is empty. Pass the etag of a response, or leave ifMatch out.");
    const headers: Record<string, string> = { "Idempotency-Key": idempotencyKey };
    if (sent) headers["Content-Type"] = "application/json";
    if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
    const { body } = await this.#send({
      method,
      path,
      ...(sent && { body: sent }),
      headers,
      signal,
    });
    return body as Body;
  }

  /** Retries are safe, as in `write`. */
  async upload<Body>(
    path: string,
    file: NonNullable<RequestSpec["file"]>,
    query: object,
    { signal, idempotencyKey = crypto.randomUUID() }: Omit<WriteOptions, "ifMatch"> = {},
  ): Promise<Body> {
    const headers = { "Idempotency-Key": idempotencyKey, "Content-Type": "application/octet-stream" };
    const { body } = await this.#send({ method: "POST", path, query, file, headers, signal });
    return body as Body;
  }

  async #send(spec: RequestSpec): Promise<{ response: Response; body: object | undefined }> {
    const address = new URL(ROOT + spec.path, this.#origin);
    for (const [name, value] of Object.entries(spec.query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const request = `${spec.method} ${address.pathname}`;
    const stop = new AbortController();
    const init = {
      method: spec.method,
      headers: new Headers({ Accept: "application/json", "X-Api-Key": this.#key, ...spec.headers }),
      // A redirect could send the key to another host.
      redirect: "manual" as const,
      signal: stop.signal,
      ...(spec.body && { body: JSON.stringify(spec.body) }),
      ...(spec.file !== undefined && { body: spec.file }),
    };

    const { signal } = spec;
    const cancel = () => stop.abort(signal?.reason);
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel);
    const end = Date.now() + this.#timeout;
    const timer = setTimeout(() => {
      const message = `No response within ${this.#timeout} ms. Check that ${this.#origin} can be reached, or set a longer timeout.`;
      stop.abort(new TimeoutError(message, { request }));
    }, this.#timeout);
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await this.#attempt(address.href, init, request);
        } catch (error) {
          if (stop.signal.aborted) throw stop.signal.reason;
          const wait = attempt < this.#retries && isWorthRetrying(error) && waitOf(error, attempt);
          // Fail now rather than after the timeout.
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
      const message = `${this.#origin} redirects${target ? ` to ${target}` : ""}. Set url to the final URL. The client does not follow redirects, because it would send the key along.`;
      throw new LecternError(this.#withoutKey(message), facts);
    }
    if (!response.ok) throw errorOf(response, this.#withoutKey(text), request);
    const body = jsonOf(text);
    if (body) return { response, body };
    if (headers.get("content-type")?.startsWith("application/json")) {
      throw new ConnectionError(`The response from ${this.#origin} was cut off. Send the request again.`, facts);
    }
    throw new LecternError(`${this.#origin} does not return JSON. Check that it is the URL of a workspace.`, facts);
  }

  #withoutKey(text: string): string {
    return text.replaceAll(this.#key, "(the key)");
  }
}

function originOf(url = ""): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`) return parsed.origin;
  throw new TypeError(
    "url is not the URL of a workspace. Pass only the scheme and host, such as https://docs.example.com.",
  );
}

/** Trims a line break. Headers would throw an error that contains an invalid key. */
function keyOf(apiKey = ""): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError("apiKey is empty or contains invalid characters. Pass a key of the workspace, such as kb_….");
}

function isWorthRetrying(error: unknown): boolean {
  // The first attempt is still running. Its response comes with a later one.
  if (error instanceof ConflictError) return error.code === "request_in_progress";
  return error instanceof RateLimitError || error instanceof UnavailableError || error instanceof ConnectionError;
}

/** Milliseconds. Doubles each time, with random jitter, unless the server sends Retry-After. */
function waitOf(error: unknown, attempt: number): number {
  const seconds = error instanceof RateLimitError || error instanceof UnavailableError ? error.retryAfter : undefined;
  if (seconds !== undefined) return seconds * 1000;
  return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}

/** fetch has the reason in its cause. */
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
