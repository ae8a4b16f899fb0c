import type { IncomingMessage, ServerResponse } from "node:http";
import { siteOfHost } from "@/lib/host";
import type { CurrentRequest } from "@/lib/request";

/** What stays of an answer's headers. */
const KEPT = ["x-request-id", "connection", "x-content-type-options"];

/**
 * Sends whoever asks a workspace by a subdomain that it once had to the same path where it is now: for pages and files
 * alike, so here and not in each. A form that is sent there is not repeated: its page is what is shown.
 */
export function tellMoved(response: ServerResponse, request: CurrentRequest): void {
  const { method = "GET", url = "/" } = response.req;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  let told = false;
  const tell = (): boolean => {
    if (told || response.headersSent || request.movedTo === null || request.unavailable) return told;
    told = true;
    for (const name of response.getHeaderNames()) {
      if (!KEPT.includes(name)) response.removeHeader(name);
    }
    const isAsked = method === "GET" || method === "HEAD";
    // Not to be remembered: a workspace may have a subdomain again that it once had.
    writeHead(isAsked ? 301 : 303, { Location: request.movedTo + url, "Cache-Control": "no-cache" });
    end();
    return true;
  };
  Object.assign(response, {
    writeHead: (...given: unknown[]) => (tell() ? response : writeHead(...given)),
    write: (...given: unknown[]) => tell() || write(...given),
    end: (...given: unknown[]) => (tell() ? response : end(...given)),
  });
}

/**
 * Answers a script that asks for a page from within another (`RSC`) at a subdomain that a workspace once had. Such an answer
 * begins before any door was asked, so that it is too late to lead on then; and to another host the page's policy lets no
 * script follow. Told something else than what it asked for, the framework opens the page anew, which is led on.
 * @param addressNow where the workspace is that once had a subdomain, or null
 * @returns whether it was answered
 */
export async function tellScriptMoved(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { baseUrl, addressNow }: { baseUrl: string; addressNow: (subdomain: string) => Promise<string | null> },
): Promise<boolean> {
  if (!("rsc" in headers)) return false;
  const site = siteOfHost(headers.host ?? null, baseUrl);
  // Whatever is wrong with the database, rendering finds out too, and says it.
  if (site.kind !== "subdomain" || !(await addressNow(site.subdomain).catch(() => null))) return false;
  response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end("This knowledge base has another address now: open the page again to be led there.\n");
  return true;
}
