import type { IncomingMessage } from "node:http";

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
  const client = passedOn("x-forwarded-for") || request.socket.remoteAddress;
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name.startsWith("x-forwarded-")) delete headers[name];
  }
  if (host) headers.host = headers["x-forwarded-host"] = host;
  if (client) headers["x-forwarded-for"] = client;
  headers["x-forwarded-proto"] = new URL(baseUrl).protocol.slice(0, -1);
}

/** Whether an address cannot be decoded, or holds a NUL: what the framework would answer with 500 (contract 30). */
export function isMalformed(url = ""): boolean {
  try {
    return decodeURIComponent(url).includes("\0");
  } catch {
    return true;
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
  // Parsed as the framework does, so that no "/api/external/../auth" slips through. Of /api only auth knows cookies.
  if (!URL.canParse(own) || !URL.canParse(url, own)) return true;
  if (/^\/api\/(?!auth(\/|$))/.test(new URL(url, own).pathname)) return false;
  return headers.origin !== new URL(own).origin;
}
