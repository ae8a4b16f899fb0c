import type { IncomingMessage, ServerResponse } from "node:http";
import { noteView } from "@/lib/analytics/views";

/** Counts a view of an article once its page is answered, also from a cache. For requests a person is shown (isSeen). */
export function countView({ url = "", headers }: IncomingMessage, response: ServerResponse, workspaceId: string): void {
  const slug = /^\/articles\/([a-z0-9-]{1,100})\/?(?:\?|$)/.exec(url)?.[1];
  if (!slug) return;
  response.once("finish", () => {
    if (response.statusCode !== 200 && response.statusCode !== 304) return;
    const ip = headers["x-forwarded-for"];
    noteView({
      workspaceId,
      slug,
      ip: typeof ip === "string" ? ip : null,
      userAgent: headers["user-agent"] ?? null,
    });
  });
}
