import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";

interface Settings {
  baseUrl: string;
  trustProxy: boolean;
}

/**
 * Makes the headers that name host, scheme and client say what is true, so that nothing behind has to ask whom to
 * believe: `Host` and `X-Forwarded-Host` are the host the client asked for, `X-Forwarded-Proto` is BASE_URL's scheme,
 * `X-Forwarded-For` is one address. What a client says of these counts only when a trusted proxy passed it on, and of
 * a list only the last entry, which that proxy wrote.
 */
export function settleForwarded(request: IncomingMessage, { baseUrl, trustProxy }: Settings): void {
  const { headers } = request;
  const passedOn = (name: string) =>
    trustProxy
      ? String(headers[name] ?? "")
          .split(",")
          .at(-1)
          ?.trim()
      : "";
  const host = passedOn("x-forwarded-host") || headers.host;
  // An address of IPv4 that arrives at a socket of IPv6 is still one of IPv4.
  const client = addressOf(passedOn("x-forwarded-for")) ?? addressOf(request.socket.remoteAddress);
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name.startsWith("x-forwarded-")) delete headers[name];
  }
  if (host) headers.host = headers["x-forwarded-host"] = host;
  if (client) headers["x-forwarded-for"] = client;
  headers["x-forwarded-proto"] = new URL(baseUrl).protocol.slice(0, -1);
}

/**
 * Makes the target of a request the path it names, in one writing, so that all who read it behind read the same. A whole
 * address names the host too, over the Host header (RFC 9112, 3.2.2).
 * @returns false when it names neither, such as `*`
 */
export function settleTarget(request: IncomingMessage): boolean {
  const { url = "" } = request;
  if (url.startsWith("/")) {
    request.url = inPlainLetters(url);
    return true;
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = inPlainLetters(pathname + search);
  return true;
}

/**
 * `/%61pi` is `/api` (RFC 3986, 6.2.2.2). Only in the first two segments, which say whose a path is; what follows is read,
 * measured and told as it was sent (contract 29). Dots are left as they are: of segments of them other readers make
 * something else.
 */
function inPlainLetters(url: string): string {
  const [start = ""] = /^(\/[^/?]*){1,2}/.exec(url) ?? [];
  const plain = start.replace(/%[2-7][0-9a-f]/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w~-]/.test(letter) ? letter : code;
  });
  return plain + url.slice(start.length);
}

/** Everything below /api but what knows cookies: sign-in, and what members' pages post past the middleware. */
const API = /^\/api\/(?!(auth|uploads|imports|drafts)(\/|\?|$))/;

/** Whether an address is one of the API's. */
export function isApi(url = ""): boolean {
  return API.test(url);
}

/** The most bytes of an address (contract 29). */
const ADDRESS_LIMIT = 8 * 1024;

export function isOverlong(url = ""): boolean {
  return url.length > ADDRESS_LIMIT;
}

/** Answers what the parser could not make a request of: in JSON, like every refusal of the API, and ends the connection. */
export function answerUnparsed(error: Error & { code?: string }, socket: Duplex): void {
  // Something came behind the last request of a connection, whose answer is still to be sent.
  if (error.code === "HPE_CLOSED_CONNECTION") return;
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return answerLate(socket);
  const [status, sentence] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The address and headers are over 64 KB: send less in them."]
      : ["400 Bad Request", "This is not a request as HTTP/1.1 writes it: send it with an HTTP library."];
  refuseRaw(socket, status, sentence);
}

/** Answers a request that did not arrive whole in time, as answerUnparsed does. */
export function answerLate(socket: Duplex): void {
  refuseRaw(socket, "408 Request Timeout", "The request did not arrive whole in time: send it again.");
}

function refuseRaw(socket: Duplex, status: string, sentence: string): void {
  const body = JSON.stringify({ error: sentence });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

/** One address in one writing, or none: without the brackets and port of some proxies. */
function addressOf(text = ""): string | undefined {
  const bare = text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return isIP(address) ? address : undefined;
}

/** Whether an address cannot be decoded, or holds a NUL: what the framework would answer with 500 (contract 30). */
export function isMalformed(url = ""): boolean {
  try {
    return decodeURIComponent(url).includes("\0");
  } catch {
    return true;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Whether a request may change something on behalf of a signed-in person without having come from a page of the very
 * host it asks: a page of another workspace is same-site, so its cookies would come along. A missing Origin is such a
 * request too. The external API is left out: it knows no cookies, and programs send no Origin.
 * Call settleForwarded first.
 */
export function isForeignChange(request: IncomingMessage, { baseUrl }: Pick<Settings, "baseUrl">): boolean {
  const { method = "GET", url = "/", headers } = request;
  if (["GET", "HEAD", "OPTIONS", "TRACE"].includes(method)) return false;
  const own = `${new URL(baseUrl).protocol}//${headers.host}`;
  // Parsed as the framework does, so that no "/api/external/../auth" slips through.
  if (!URL.canParse(own) || !URL.canParse(url, own)) return true;
  if (isApi(url) && isApi(decoded(new URL(url, own).pathname))) return false;
  return headers.origin !== new URL(own).origin;
}
