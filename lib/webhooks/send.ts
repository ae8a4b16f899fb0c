import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { env } from "@/lib/env";
import { hostOf, isLoopback, isPublicAddress, resolveName } from "@/lib/webhooks/networks";

/** How long an attempt may take, from DNS to the response, in milliseconds. */
const ATTEMPT_MS = 15_000;
/** Bytes of a response that are read and kept. */
const KEPT_BYTES = 2_048;
/** Interim responses before the final one. */
const MOST_INTERIM = 10;

export interface Outcome {
  /** Null without a response. */
  status: number | null;
  /** The beginning of the response's body. */
  response: string;
  /** Why there is no response, or why it counts as a failure, as a sentence. */
  problem: string | null;
  tookMs: number;
  /** The header Retry-After. */
  retryAfter: string | undefined;
}

export interface Network {
  resolve: (name: string) => Promise<string[]>;
  /** For development. http is only for this. */
  allowsLoopback: boolean;
}

/**
 * Posts once to an address of the public internet, and ends whatever the receiver does. It connects to an address that was
 * checked, so a name that resolves differently a moment later changes nothing. Redirects are not followed.
 * @param stop ends the attempt and throws the signal's reason, because the outcome is unknown
 */
export async function post(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { network = internet(), stop, ms = ATTEMPT_MS }: { network?: Network; stop?: AbortSignal; ms?: number } = {},
): Promise<Outcome> {
  const started = performance.now();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  const over = stop ? AbortSignal.any([late.signal, stop]) : late.signal;
  try {
    const url = new URL(address);
    const { addresses, problem } = await unlessOver(over, allowedAddresses(url, network));
    const answer: Answer =
      problem === null ? await exchange(url, addresses, { headers, body }, over) : { ...none, problem };
    if (stop?.aborted) stop.throwIfAborted();
    const isLate = late.signal.aborted && answer.status === null;
    return {
      status: answer.status,
      response: answer.response,
      retryAfter: answer.retryAfter,
      problem: isLate ? tooLate(ms) : answer.problem,
      tookMs: Math.round(performance.now() - started),
    };
  } catch (error) {
    if (stop?.aborted) throw stop.reason;
    if (!late.signal.aborted) throw error;
    return { ...none, problem: tooLate(ms), tookMs: Math.round(performance.now() - started) };
  } finally {
    clearTimeout(timer);
  }
}

const internet = (): Network => ({ resolve: resolveName, allowsLoopback: env().nodeEnv !== "production" });

type Answer = Omit<Outcome, "tookMs">;
const none: Answer = { status: null, response: "", problem: null, retryAfter: undefined };

const switched = "The server switched to another protocol.";
const tooLate = (ms: number) => `No response within ${ms / 1000} seconds.`;

async function allowedAddresses(
  url: URL,
  { resolve, allowsLoopback }: Network,
): Promise<{ addresses: string[]; problem: string | null }> {
  const host = hostOf(url);
  const found = isIP(host) ? [host] : await resolve(host);
  if (found.length === 0) return { addresses: [], problem: `The host ${host} was not found.` };
  const isHttps = url.protocol === "https:";
  const addresses = found.filter((one) => (isHttps && isPublicAddress(one)) || (allowsLoopback && isLoopback(one)));
  const problem = isHttps || allowsLoopback ? "is not on the public internet" : "needs https";
  return { addresses, problem: addresses.length > 0 ? null : `The host ${host} ${problem}.` };
}

function exchange(
  url: URL,
  addresses: readonly string[],
  { headers, body }: { headers: Record<string, string>; body: string },
  over: AbortSignal,
): Promise<Answer> {
  const [first = ""] = addresses;
  const family = (one: string) => isIP(one) as 4 | 6;
  const lookup: LookupFunction = (_, { all }, done) =>
    all
      ? done(
          null,
          addresses.map((one) => ({ address: one, family: family(one) })),
        )
      : done(null, first, family(first));
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let [status, retryAfter, length, interim]: [number | null, string | undefined, number, number] = [
      null,
      undefined,
      0,
      0,
    ];
    const end = (problem: string | null) => {
      over.removeEventListener("abort", stopped);
      request.destroy();
      resolve({ status, retryAfter, problem: problem ?? problemOf(status), response: textOf(Buffer.concat(kept)) });
    };
    const stopped = () => end(null);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(
      url,
      {
        method: "POST",
        headers: { "User-Agent": "Lectern", ...headers, "Content-Length": String(Buffer.byteLength(body)) },
        lookup,
        // A connection of its own, so that every attempt is checked.
        agent: false,
      },
      (response) => {
        status = response.statusCode ?? null;
        retryAfter = response.headers["retry-after"];
        response.on("data", (chunk: Buffer) => {
          kept.push(chunk.subarray(0, KEPT_BYTES - length));
          length += chunk.length;
          if (length >= KEPT_BYTES) end(null);
        });
        // A response that breaks off still has its status.
        for (const event of ["end", "error", "close"]) response.on(event, () => end(null));
      },
    );
    request.on("information", () => ++interim > MOST_INTERIM && end("The server sent too many interim responses."));
    request.on("upgrade", ({ statusCode }, socket) => {
      socket.on("error", () => {}).destroy();
      status = statusCode ?? null;
      end(switched);
    });
    request.on("error", (error) => end(status === null ? sentenceOf(error) : null));
    request.on("close", () => end(status === null ? "The server closed the connection without a response." : null));
    over.addEventListener("abort", stopped);
    if (over.aborted) return stopped();
    request.end(body);
  });
}

function problemOf(status: number | null): string | null {
  if (status !== null && status < 200) return switched;
  return status !== null && status >= 300 && status < 400
    ? "Lectern does not follow redirects. Enter the final URL."
    : null;
}

/** PostgreSQL stores no NUL. */
const textOf = (bytes: Buffer) => bytes.subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "�");

const sentences: Record<string, string> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The server closed the connection without a response.",
  EHOSTUNREACH: "The host can't be reached.",
  ENETUNREACH: "The host can't be reached.",
  ETIMEDOUT: "The connection timed out.",
  EPIPE: "The server closed the connection without a response.",
};

function sentenceOf(error: Error & { code?: string; errors?: Error[] }): string {
  // Several addresses were tried.
  if (error.errors?.[0]) return sentenceOf(error.errors[0]);
  const { code = "", message } = error;
  if (code.startsWith("HPE_")) return "The response is not valid HTTP.";
  const known = sentences[code];
  if (known) return known;
  const isTls = /CERT|TLS|SSL|SELF_SIGNED/.test(code);
  const reason = message.replace(/\s+/g, " ").slice(0, 200);
  return isTls ? `The connection is not secure: ${reason}` : `The request failed: ${reason}`;
}

function unlessOver<T>(over: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(over.reason as Error);
    if (over.aborted) return stop();
    over.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => over.removeEventListener("abort", stop));
  });
}
