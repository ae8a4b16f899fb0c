import type { IncomingMessage, ServerResponse } from "node:http";
import type { CurrentRequest } from "@/lib/request";
import { isSeen } from "@/lib/viewers";
import { noteView } from "@/lib/views";

/**
 * Settles whether somebody is shown the answer as a page, and notes, once an article's page was answered, that somebody
 * was: also a kept page, and one that the browser had already.
 */
export function noteViewOf(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): void {
  const { url = "", headers } = request;
  current.seen = isSeen(request);
  const slug = /^\/articles\/([a-z0-9-]{1,100})\/?(?:\?|$)/.exec(url)?.[1];
  if (!slug || !current.seen) return;
  response.once("finish", () => {
    const { statusCode: status } = response;
    const isPage =
      status === 304 || (status === 200 && String(response.getHeader("content-type")).startsWith("text/html"));
    if (!isPage || !current.workspaceId) return;
    const ip = headers["x-forwarded-for"];
    noteView({
      workspaceId: current.workspaceId,
      slug,
      ip: typeof ip === "string" ? ip : null,
      userAgent: headers["user-agent"] ?? null,
    });
  });
}
