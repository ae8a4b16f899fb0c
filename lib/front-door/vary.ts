import type { IncomingMessage, ServerResponse } from "node:http";
import { hasMarkdown } from "@/lib/markdown-path";

const namesAccept = /(^|,)\s*accept\s*(,|$)/i;

/**
 * Says of pages that are there as Markdown too that the answer depends on `Accept`, so that no cache gives the one for
 * the other. Next sets the header anew for each page: what a middleware or a setting says there is lost.
 */
export function varyByAccept(request: IncomingMessage, response: ServerResponse): void {
  if (!hasMarkdown((request.url ?? "").split("?", 1)[0] ?? "")) return;
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const isIncomplete = name.toLowerCase() === "vary" && !namesAccept.test(String(value));
    return setHeader(name, isIncomplete ? `Accept, ${String(value)}` : value);
  };
  response.setHeader("Vary", "Accept");
}
