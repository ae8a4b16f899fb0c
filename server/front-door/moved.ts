import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Redirects a request at a former subdomain to the same path at the workspace's current URL. A form is not repeated
 * there: its page is shown.
 * @param home the workspace's current URL
 */
export function redirectMoved({ method, url = "/", headers }: IncomingMessage, response: ServerResponse, home: string) {
  // A page's policy lets no script follow to another host. Anything but the expected answer makes the framework open the
  // page itself, which is redirected.
  if ("rsc" in headers) {
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
    return response.end("This knowledge base has moved to another URL. Open the page again to be redirected.\n");
  }
  // Not cached for good: a workspace may take back a former subdomain.
  response.writeHead(method === "GET" || method === "HEAD" ? 301 : 303, {
    Location: home + url,
    "Cache-Control": "no-cache",
  });
  return response.end();
}
