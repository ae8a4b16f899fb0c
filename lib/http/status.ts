import { currentRequest } from "@/lib/http/request";

/**
 * Sets the status of a page. Next's `notFound()` sends an empty shell that scripts fill. Has no effect once the page is
 * being sent.
 */
export function setStatus(status: number, headers: Record<string, string> = {}): void {
  const response = currentRequest()?.response;
  if (!response || response.headersSent) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/**
 * Answers 301, where Next's own redirect would be 308.
 * @param target a path on this host, which gets the request's query, or a whole URL
 */
export function setMoved(target: string): void {
  const { query = "" } = currentRequest() ?? {};
  setStatus(301, { Location: target.startsWith("/") ? withQuery(target, query) : target });
}

function withQuery(path: string, query: string): string {
  if (query.length < 2) return path;
  const [page = "", fragment] = path.split("#", 2);
  const whole = page.includes("?") ? `${page}&${query.slice(1)}` : page + query;
  return fragment === undefined ? whole : `${whole}#${fragment}`;
}
