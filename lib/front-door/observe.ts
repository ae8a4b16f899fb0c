import type { IncomingMessage, ServerResponse } from "node:http";
import { isApi } from "@/lib/front-door";
import { log } from "@/lib/log";
import { countAnswer } from "@/lib/metrics";
import { type CurrentRequest, duringRequest, newRequest } from "@/lib/request";

/** The most of a path, and of a name or address, that the log repeats, in characters. */
const PATH_LENGTH = 500;
const NAME_LENGTH = 255;

/**
 * Answers a request by `work`, and tells of it when that is done: one line in the log, and the metrics. Settles its id:
 * a sane inbound one is kept (contract 60), and everything behind finds it in the header X-Request-Id.
 * @param pageOf names the page that answers a path at a host; null for one that is none
 */
export function observe(
  request: IncomingMessage,
  response: ServerResponse,
  pageOf: (host: string, path: string) => string | null,
  work: () => void,
): void {
  const start = performance.now();
  const url = request.url ?? "";
  const [path = ""] = url.split("?", 1);
  const current = newRequest(String(request.headers["x-request-id"] ?? ""), surfaceOf(path), path);
  request.headers["x-request-id"] = current.id;
  // The API says so itself.
  if (!isApi(url)) response.setHeader("X-Request-Id", current.id);
  response.once("close", () => {
    current.ended = true;
    const seconds = (performance.now() - start) / 1000;
    const { method = "" } = request;
    const { statusCode: status, writableFinished } = response;
    const host = (request.headers.host ?? "").slice(0, NAME_LENGTH);
    const { surface } = current;
    const operation =
      current.operation ?? (surface === "page" ? pageOf(host, path) : surface === "api" ? null : surface);
    countAnswer({ surface, operation: operation ?? "unknown", method, status, seconds });
    const quiet = surface === "asset" || surface === "probe";
    log()[quiet ? "debug" : status >= 500 ? "warn" : "info"]({
      request_id: current.id,
      method,
      path: loggedPath(url),
      host,
      status,
      // Who asked was gone before the answer was.
      ...(writableFinished ? {} : { aborted: true }),
      ms: Math.round(seconds * 10_000) / 10,
      surface,
      operation: operation ?? undefined,
      workspace_id: current.workspaceId ?? undefined,
      key_id: current.keyId ?? undefined,
      client: String(request.headers["x-forwarded-for"] ?? request.socket.remoteAddress).slice(0, NAME_LENGTH),
    });
  });
  duringRequest(current, work);
}

function surfaceOf(path: string): CurrentRequest["surface"] {
  if (path === "/healthz" || path === "/readyz") return "probe";
  if (path.startsWith("/_next/") || path === "/icon.svg") return "asset";
  return isApi(path) ? "api" : "page";
}

/** Without the values of its parameters: what people search for is not kept beside where they are. */
function loggedPath(url: string): string {
  const [path = "", query] = url.split("?", 2);
  // What has no value may be one.
  const names = query?.split("&").flatMap((pair) => (pair.includes("=") ? pair.split("=", 1) : []));
  return (names?.length ? `${path}?${names.join("&")}` : path).slice(0, PATH_LENGTH);
}
