import type { IncomingMessage, ServerResponse } from "node:http";
import { noteOfRequest } from "@/lib/request";
import type { Handler } from "./route";

/** The paths of one version, below its address. */
export interface Version {
  prefix: string;
  paths: Record<string, Handler>;
}

/**
 * Serves the API from a plain HTTP server: the very functions that the framework would call, ahead of it and at a
 * third of the cost. What else is below `/api/` is answered by `unknown`.
 * Host, address and forwarded headers are settled before (lib/front-door.ts).
 */
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
    // What a refusal left of the body is passed over, or the next request of the connection waits behind it.
    incoming.resume();
  };
}

/** The parameters of a path that fits a template such as `/articles/{article_id}`, or null. */
function paramsOf(template: string[], given: string[]): Record<string, string> | null {
  if (template.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of given.entries()) {
    const name = /^\{(\w+)\}$/.exec(template[index] ?? "")?.[1];
    if (name && segment !== "") params[name] = decoded(segment);
    else if (segment !== template[index]) return null;
  }
  return params;
}

/** What cannot be decoded stays: the handler refuses the whole address. */
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
  // Only path and query are read of it; who was asked is in the Host header.
  const address = `http://api${url}`;
  if (method === "PATCH") {
    // Read as it is asked for, and not destroyed when a refusal stops: the connection goes on.
    const body = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
    return new Request(address, { method, headers, body, duplex: "half" } as unknown as RequestInit);
  }
  const request = new Request(address, { headers });
  // The constructor refuses TRACE, which wants a 405 like any other (contract 24).
  return Object.defineProperty(request, "method", { value: method });
}

async function send(outgoing: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  outgoing.statusCode = answer.status;
  for (const [name, value] of answer.headers) outgoing.setHeader(name, value);
  // An answer to HEAD has the length of what GET would answer, which is not known here any more, or none.
  const hasBody = outgoing.req.method !== "HEAD" && answer.status !== 204 && answer.status !== 304;
  if (hasBody) outgoing.setHeader("Content-Length", body.length);
  outgoing.end(body);
}
