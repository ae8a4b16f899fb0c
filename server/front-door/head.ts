import type { IncomingMessage, ServerResponse } from "node:http";
import { FAILURE_POLICY, failurePage, wantsPage } from "@/lib/http/failure-page";
import { hasMarkdown } from "@/lib/http/markdown-path";
import type { CurrentRequest } from "@/lib/http/request";
import { clearHeaders } from "./response";

/** Seconds after which to try again. */
const RETRY_AFTER = "5";
const SENTENCE = "This page can't be shown because the database is not responding. Try again in a few seconds.";
const NAMES_ACCEPT = /(^|,)\s*accept\s*(,|$)/i;

/**
 * Completes the head of a page. If the page failed because of a database outage, the answer becomes a 503 (contract 61);
 * Next itself would only answer a bare 500. People get a page, programs and the scripts of a page get text.
 * @returns the text that replaces the page, if any
 */
export function completeHead(
  response: ServerResponse,
  request: CurrentRequest,
  headers: IncomingMessage["headers"],
): string | undefined {
  if (response.statusCode >= 500 && request.unavailable) {
    const isPage = wantsPage(headers.accept) && !("rsc" in headers) && !("next-action" in headers);
    clearHeaders(response);
    response.statusCode = 503;
    response.setHeader("Content-Type", `text/${isPage ? "html" : "plain"}; charset=utf-8`);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Retry-After", RETRY_AFTER);
    if (!isPage) return `${SENTENCE}\n`;
    response.setHeader("Content-Security-Policy", FAILURE_POLICY);
    return failurePage({ title: "Try again in a moment", sentences: [SENTENCE] });
  }
  if (hasMarkdown(request.path)) varyByAccept(response);
}

/** Keeps caches from answering with Markdown where HTML is wanted. Next overwrites the header if it is set earlier. */
function varyByAccept(response: ServerResponse): void {
  const vary = response.getHeader("vary");
  if (vary === undefined) response.setHeader("Vary", "Accept");
  else if (!NAMES_ACCEPT.test(String(vary))) response.setHeader("Vary", `Accept, ${String(vary)}`);
}
