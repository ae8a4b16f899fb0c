import type { IncomingMessage, ServerResponse } from "node:http";
import { noteOfRequest } from "@/lib/http/request";
import type { ApiAnswer, ApiRequest } from "./answer";
import type { Handler } from "./route";

export interface Version {
  prefix: string;
  paths: Record<string, Handler>;
}

/** Serves the API ahead of Next, at a tenth of the cost. `unknown` answers all other paths below `/api/`. */
export function serveApi(
  versions: Version[],
  unknown: Pick<Handler, "answer">,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const routes = versions.flatMap(({ prefix, paths }) =>
    Object.entries(paths).map(([path, handler]) => {
      const template = prefix + path;
      const segments = template.split("/").map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }));
      return { template, segments, handler };
    }),
  );
  // As in Next, a segment of its own comes before a parameter in the same position.
  const places = ({ segments }: (typeof routes)[number]) => segments.map(({ name }) => (name ? 1 : 0)).join("");
  routes.sort((one, other) => places(one).localeCompare(places(other)));
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
      break;
    }
    send(outgoing, await handler.answer(requestOf(incoming), params));
    // Skips an unread body, which would block the next request on this connection.
    if (!incoming.complete) incoming.resume();
  };
}

/** Null when the path does not match the template, such as `/articles/{article_id}`. */
function paramsOf(
  template: readonly { text: string; name: string | undefined }[],
  path: readonly string[],
): Record<string, string> | null {
  if (template.length !== path.length) return null;
  const params: Record<string, string> = {};
  // Paths differ most in their last segments.
  for (let index = path.length - 1; index >= 0; index--) {
    const [{ text, name } = { text: "", name: undefined }, segment] = [template[index], path[index] as string];
    if (name && segment !== "") params[name] = decoded(segment);
    else if (segment !== text) return null;
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

function requestOf(incoming: IncomingMessage): ApiRequest {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = ["POST", "PUT", "PATCH", "DELETE"].includes(method);
  return {
    method,
    // Handlers read only path and query. The host is in the Host header.
    url: `http://api${url}`,
    headers: {
      get(name) {
        const value = headers[name];
        return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
      },
    },
    // A refusal may stop reading, but must not destroy the connection.
    body: hasBody ? (incoming.iterator({ destroyOnReturn: false }) as unknown as ApiRequest["body"]) : null,
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: ApiAnswer): void {
  outgoing.statusCode = status;
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  // HEAD would need the length of the GET answer, which is unknown here.
  const hasBody = outgoing.req.method !== "HEAD" && status !== 204 && status !== 304;
  if (!hasBody || body === null) return void outgoing.end();
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  outgoing.setHeader("Content-Length", bytes.length);
  outgoing.end(bytes);
}
