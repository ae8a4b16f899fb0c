import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

interface Answer {
  response: ServerResponse;
  /** Of the address as it was asked for, with its "?", or empty. */
  query: string;
}

// One for the process: the front door sets it, pages are bundled apart from it.
const shared = globalThis as typeof globalThis & { lecternAnswers?: AsyncLocalStorage<Answer> };

function answers(): AsyncLocalStorage<Answer> {
  shared.lecternAnswers ??= new AsyncLocalStorage();
  return shared.lecternAnswers;
}

/** Runs `work`, within which `setStatus` and `setMoved` are about this response. For the front door. */
export function answering(response: ServerResponse, work: () => void): void {
  const { url = "" } = response.req;
  answers().run({ response, query: url.includes("?") ? url.slice(url.indexOf("?")) : "" }, work);
}

/**
 * Sets the status of the page that is being rendered. Next offers only `notFound()`, and sends that page as an empty
 * shell that scripts fill; a page that calls this and then shows its 404 like any other content needs no scripts.
 * Does nothing once the page has begun to be sent, and when it is fetched by a script that navigates.
 * @param headers that go with the status
 */
export function setStatus(status: number, headers: Record<string, string> = {}): void {
  const response = answers().getStore()?.response;
  if (!response || response.headersSent) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/**
 * Answers that the page has moved for good: 301, which every client has known for ever, where Next's own redirect says
 * 308. The page that is being rendered is what those see who do not follow.
 * @param address a path on this host, which is given the query that was asked with; or a whole address, which is not
 */
export function setMoved(address: string): void {
  const answer = answers().getStore();
  if (!answer || answer.response.headersSent) return;
  answer.response.statusCode = 301;
  answer.response.setHeader("Location", address.startsWith("/") ? withQuery(address, answer.query) : address);
}

function withQuery(path: string, query: string): string {
  if (query.length < 2) return path;
  const [page = "", fragment] = path.split("#", 2);
  const asked = page.includes("?") ? `${page}&${query.slice(1)}` : page + query;
  return fragment === undefined ? asked : `${asked}#${fragment}`;
}
