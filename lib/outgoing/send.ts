import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { env } from "@/lib/env";
import { hostOf, isLoopback, isPublicAddress, resolveName } from "@/lib/outgoing/networks";

/** Interim responses before the final one. */
const MOST_INTERIM = 10;

export interface Message {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Answer {
  /** Null without a response. */
  status: number | null;
  headers: IncomingHttpHeaders;
  /** As much of the response's body as was asked for. */
  body: Buffer;
  /** Whether the body ended before `most` bytes. */
  isWhole: boolean;
  /** Why there is no response, or why it counts as a failure, as a sentence. */
  problem: string | null;
}

export interface Network {
  resolve: (name: string) => Promise<string[]>;
  /** For development. http is only for this. */
  allowsLoopback: boolean;
}

/**
 * Sends one request to an address of the public internet, and ends whatever the server does. It connects to an address that was
 * checked, so a name that resolves differently a moment later changes nothing. Redirects are not followed.
 * @param most bytes of the body that are read
 * @param ms how long it may take, from DNS to the end of the body
 * @param stop ends the request and throws the signal's reason, because the outcome is unknown
 */
export async function send(
  address: string,
  message: Message,
  { most, ms, network = internet(), stop }: { most: number; ms: number; network?: Network; stop?: AbortSignal },
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  const over = stop ? AbortSignal.any([late.signal, stop]) : late.signal;
  try {
    const url = new URL(address);
    const { addresses, problem } = await unlessOver(over, allowedAddresses(url, network));
    const answer = problem === null ? await exchange(url, addresses, message, most, over) : { ...none, problem };
    if (stop?.aborted) stop.throwIfAborted();
    return late.signal.aborted && answer.status === null ? { ...answer, problem: tooLate(ms) } : answer;
  } catch (error) {
    if (stop?.aborted) throw stop.reason;
    if (!late.signal.aborted) throw error;
    return { ...none, problem: tooLate(ms) };
  } finally {
    clearTimeout(timer);
  }
}

const internet = (): Network => ({ resolve: resolveName, allowsLoopback: env().nodeEnv !== "production" });

const none: Answer = { status: null, headers: {}, body: Buffer.alloc(0), isWhole: false, problem: null };

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
  { method, headers, body = "" }: Message,
  most: number,
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
    let [status, answered, length, interim]: [number | null, IncomingHttpHeaders, number, number] = [null, {}, 0, 0];
    let isWhole = false;
    const end = (problem: string | null) => {
      over.removeEventListener("abort", stopped);
      request.destroy();
      const text = Buffer.concat(kept).subarray(0, most);
      resolve({ status, headers: answered, body: text, isWhole, problem: problem ?? problemOf(status) });
    };
    const stopped = () => end(null);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(
      url,
      {
        method,
        headers: { "User-Agent": "Lectern", ...headers, "Content-Length": String(Buffer.byteLength(body)) },
        lookup,
        // A connection of its own, so that every attempt is checked.
        agent: false,
      },
      (response) => {
        status = response.statusCode ?? null;
        answered = response.headers;
        response.on("data", (chunk: Buffer) => {
          kept.push(chunk.subarray(0, Math.max(0, most - length)));
          length += chunk.length;
          if (length >= most) end(null);
        });
        response.on("end", () => {
          isWhole = true;
          end(null);
        });
        // A response that breaks off still has its status.
        for (const event of ["error", "close"]) response.on(event, () => end(null));
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
    ? "Lectern doesn't follow redirects. Enter the final URL."
    : null;
}

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
