import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

// One for the process: the front door sets it, pages are bundled apart from it.
const shared = globalThis as typeof globalThis & { lecternAnswers?: AsyncLocalStorage<ServerResponse> };

function answers(): AsyncLocalStorage<ServerResponse> {
  shared.lecternAnswers ??= new AsyncLocalStorage();
  return shared.lecternAnswers;
}

/** Runs `work`, within which `setStatus` is about this response. For the front door. */
export function answering(response: ServerResponse, work: () => void): void {
  answers().run(response, work);
}

/**
 * Sets the status of the page that is being rendered. Next offers only `notFound()`, and sends that page as an empty
 * shell that scripts fill; a page that calls this and then shows its 404 like any other content needs no scripts.
 * Does nothing once the page has begun to be sent, and when it is fetched by a script that navigates.
 */
export function setStatus(status: number): void {
  const response = answers().getStore();
  if (response && !response.headersSent) response.statusCode = status;
}
