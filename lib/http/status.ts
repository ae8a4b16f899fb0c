import { currentRequest } from "@/lib/http/request";

/** Sets the status before a page is sent. Next's `notFound()` would send an empty shell that scripts fill. */
export function setStatus(status: number, headers: Record<string, string> = {}): void {
  const response = currentRequest()?.response;
  if (!response || response.headersSent) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Answers 301, where Next's redirect would be 308. A path gets the request's query, a whole URL does not. */
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
