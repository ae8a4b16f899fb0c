import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { parsedBase } from "@/lib/http/host";

interface Settings {
  baseUrl: string;
  trustProxy: boolean;
}

/**
 * Makes the headers that name host, scheme and client true, for everything behind. A client's own claims count only if
 * a trusted proxy passed them on, and of a list only the last entry, which that proxy wrote.
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
  const client = addressOf(passedOn("x-forwarded-for")) ?? addressOf(request.socket.remoteAddress);
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name.startsWith("x-forwarded-")) delete headers[name];
  }
  if (host) headers.host = headers["x-forwarded-host"] = host;
  if (client) headers["x-forwarded-for"] = client;
  headers["x-forwarded-proto"] = parsedBase(baseUrl).protocol.slice(0, -1);
}

/**
 * Reduces the target of a request to one spelling of its path, so that every reader sees the same. A whole URL overrides
 * the Host header (RFC 9112, 3.2.2).
 * @returns false if it names neither, such as `*`
 */
export function settleTarget(request: IncomingMessage): boolean {
  const { url = "" } = request;
  if (url.startsWith("/")) {
    request.url = decodeStart(url);
    return true;
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { host, pathname, search } = new URL(url);
  request.headers.host = host;
  request.url = decodeStart(pathname + search);
  return true;
}

/**
 * Decodes `/%61pi` to `/api` (RFC 3986, 6.2.2.2), in the first two segments only: the rest is measured and reported as it
 * was sent (contract 29). Dots stay encoded, as `..` would be resolved.
 */
function decodeStart(url: string): string {
  const [start = ""] = /^(\/[^/?]*){1,2}/.exec(url) ?? [];
  const plain = start.replace(/%[2-7][0-9a-f]/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w~-]/.test(letter) ? letter : code;
  });
  return plain + url.slice(start.length);
}

/** Everything below /api except routes that use cookies, to which admin pages post past the middleware. */
const API = /^\/api\/(?!(uploads|imports|drafts)(\/|\?|$))/;

export function isApi(url = ""): boolean {
  return API.test(url);
}

/** In bytes (contract 29). */
const ADDRESS_LIMIT = 8 * 1024;

export function isOverlong(url = ""): boolean {
  return url.length > ADDRESS_LIMIT;
}

/** An IP address without the brackets and port some proxies add, and IPv4 as such. */
function addressOf(text = ""): string | undefined {
  const bare = text.replace(/^\[([^\]]*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return isIP(address) ? address : undefined;
}

/** Whether a URL cannot be decoded or contains NUL, which the framework answers with 500 (contract 30). */
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
 * Whether a request may change something for a signed-in person although no page of the same host sent it. A
 * page of another workspace is same-site, so cookies alone prove nothing. Call settleForwarded first.
 */
export function isForeignChange(request: IncomingMessage, { baseUrl }: Pick<Settings, "baseUrl">): boolean {
  const { method = "GET", url = "/", headers } = request;
  if (["GET", "HEAD", "OPTIONS", "TRACE"].includes(method)) return false;
  const own = `${parsedBase(baseUrl).protocol}//${headers.host}`;
  // Parsed as the framework does, so that no "/api/external/../auth" slips through.
  if (!URL.canParse(own) || !URL.canParse(url, own)) return true;
  if (isApi(url) && isApi(decoded(new URL(url, own).pathname))) return false;
  return headers.origin !== new URL(own).origin;
}
