import type { ServerResponse } from "node:http";
import type { CurrentRequest } from "@/lib/request";

/** When to ask again, in seconds. */
const RETRY_AFTER = "5";
const SENTENCE =
  "This page cannot be shown at the moment, because the database does not answer: try again in a few seconds.\n";

/**
 * Makes the answer to a page that failed because the database is away a 503 that says so (contract 61). Next has no way
 * to: whatever a page throws becomes its bare 500.
 */
export function tellOutage(response: ServerResponse, request: CurrentRequest): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  let told = false;
  const tell = (status: number): boolean => {
    if (told || response.headersSent || status < 500 || !request.unavailable) return told;
    told = true;
    for (const name of response.getHeaderNames()) {
      if (!["x-request-id", "connection", "x-content-type-options"].includes(name)) response.removeHeader(name);
    }
    writeHead(503, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": RETRY_AFTER,
    });
    end(SENTENCE);
    return true;
  };
  Object.assign(response, {
    writeHead: (status: number, ...rest: unknown[]) => (tell(status) ? response : writeHead(status, ...rest)),
    write: (...given: unknown[]) => tell(response.statusCode) || write(...given),
    end: (...given: unknown[]) => (tell(response.statusCode) ? response : end(...given)),
  });
}
