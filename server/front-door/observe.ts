import type { IncomingMessage, ServerResponse } from "node:http";
import { type CurrentRequest, duringRequest, newRequest } from "@/lib/http/request";
import { logRequest } from "@/lib/log";
import { countAnswer } from "@/server/metrics";
import { isApi } from "./incoming";
import { SCRIPTS } from "./scripts";

/** The longest path, and name or IP address, that the log repeats, in characters. */
const PATH_LENGTH = 500;
const NAME_LENGTH = 255;

/**
 * Answers a request with `work`, then logs it in one line and counts it in the metrics. Later code finds its id
 * in the header X-Request-Id. A valid inbound one is kept (contract 60).
 * @param pageOf names the page that answers a path at a host, or null
 */
export function observe(
  request: IncomingMessage,
  response: ServerResponse,
  pageOf: (host: string, path: string) => string | null,
  work: (current: CurrentRequest) => void,
): void {
  const start = performance.now();
  const url = request.url ?? "";
  const [path = ""] = url.split("?", 1);
  const current = newRequest(String(request.headers["x-request-id"] ?? ""), surfaceOf(path), url, response);
  request.headers["x-request-id"] = current.id;
  // The API sets it itself.
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
    logRequest(quiet ? "debug" : status >= 500 ? "warn" : "info", {
      request_id: current.id,
      method,
      path: loggedPath(url),
      host,
      status,
      ...(writableFinished ? {} : { aborted: true }),
      ms: Math.round(seconds * 10_000) / 10,
      surface,
      operation: operation ?? undefined,
      workspace_id: current.workspaceId ?? undefined,
      key_id: current.keyId ?? undefined,
      client: String(request.headers["x-forwarded-for"] ?? request.socket.remoteAddress).slice(0, NAME_LENGTH),
    });
  });
  duringRequest(current, () => work(current));
}

function surfaceOf(path: string): CurrentRequest["surface"] {
  if (path === "/healthz" || path === "/readyz") return "probe";
  if (path.startsWith("/_next/") || path.startsWith(SCRIPTS) || path === "/icon.svg") return "asset";
  return isApi(path) ? "api" : "page";
}

/** The URL without the values of its parameters: searches must not be logged beside IP addresses. */
function loggedPath(url: string): string {
  const [path = "", query] = url.split("?", 2);
  // A parameter without "=" may itself be a value.
  const names = query?.split("&").flatMap((pair) => (pair.includes("=") ? pair.split("=", 1) : []));
  return (names?.length ? `${path}?${names.join("&")}` : path).slice(0, PATH_LENGTH);
}
