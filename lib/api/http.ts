import type { IncomingMessage, ServerResponse } from "node:http";
import { noteOfRequest } from "@/lib/http/request";
import type { Handler } from "./route";

export interface Version {
  prefix: string;
  paths: Record<string, Handler>;
}

/** Serves the API ahead of Next, at a third of the cost. `unknown` answers all other paths below `/api/`. */
export function serveApi(
  versions: Version[],
  unknown: Handler,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const routes = versions.flatMap(({ prefix, paths }) =>
    Object.entries(paths).map(([path, handler]) => {
      const template = prefix + path;
      return { template, segments: template.split("/"), handler };
    }),
  );
  return async (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    const segments = path.split("/");
    let handler = unknown;
    let params: Record<string, string> = {};
    for (const route of routes) {
      const found = paramsOf(route.segments, segments);
      if (!found) continue;
      [handler, params] = [route.handler, found];
      noteOfRequest({ operation: route.template });
    }
    await send(outgoing, await handler(requestOf(incoming), { params: Promise.resolve(params) }));
    // Skips an unread body, which would block the next request on this connection.
    incoming.resume();
  };
}

/** Null when the path does not match the template, such as `/articles/{article_id}`. */
function paramsOf(template: string[], path: string[]): Record<string, string> | null {
  if (template.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of path.entries()) {
    const name = /^\{(\w+)\}$/.exec(template[index] ?? "")?.[1];
    if (name && segment !== "") params[name] = decoded(segment);
    else if (segment !== template[index]) return null;
  }
  return params;
}

/** The handler refuses URLs that cannot be decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  // Handlers read only path and query. The host is in the Host header.
  const address = `http://api${url}`;
  if (method === "PATCH") {
    // A refusal may stop reading, but must not destroy the connection.
    const body = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
    return new Request(address, { method, headers, body, duplex: "half" } as unknown as RequestInit);
  }
  const request = new Request(address, { headers });
  // The constructor refuses TRACE, which must get a 405 (contract 24).
  return Object.defineProperty(request, "method", { value: method });
}

async function send(outgoing: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) outgoing.setHeader(name, value);
  // HEAD would need the length of the GET answer, which is unknown here.
  const hasBody = outgoing.req.method !== "HEAD" && answer.status !== 204 && answer.status !== 304;
  if (hasBody) outgoing.setHeader("Content-Length", body.length);
  outgoing.end(body);
}
