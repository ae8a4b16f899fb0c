import type { IncomingMessage } from "node:http";
import { takeLimit } from "@/lib/counters";

/** Files that are sent as they are, and routes with limits of their own. */
const OTHERS = /^\/(uploads|avatars|icons|og|og\.png|search\/suggestions|admin\/find)([/?]|$)/;

/**
 * Counts a page that must be rendered against the limit of the client's network, so that no network keeps the process busy.
 * @param workspaceId null where no workspace is, as on the base domain. These pages count as one workspace
 * @returns the seconds to wait if the limit is exceeded, otherwise null. Also null during an outage of the database, which
 *   rendering reports
 */
export async function waitToRender(
  { method, url = "", headers }: IncomingMessage,
  workspaceId: string | null,
): Promise<number | null> {
  if ((method !== "GET" && method !== "HEAD") || OTHERS.test(url)) return null;
  const network = String(headers["x-forwarded-for"] ?? "") || null;
  return takeLimit("page", { workspace: workspaceId ?? "none", network }).catch(() => null);
}
