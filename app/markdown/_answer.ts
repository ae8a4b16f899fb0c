import { env } from "@/lib/env";
import { fileAnswer, plainRefusal } from "@/lib/http/file-answer";
import { workspaceUrl } from "@/lib/http/host";
import { formerAddress } from "@/lib/reader/former-address";
import { currentMember, readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import type { Snapshot } from "@/lib/visibility";

/**
 * Answers a page as Markdown. Only the middleware can route here, because these routes are outside `app/sites`.
 * @param path of the HTML page
 * @param find returns a function that makes the Markdown, or null when the viewer may not see the page
 */
export async function markdownAnswer(
  request: Request,
  subdomain: string,
  path: string,
  find: (snapshot: Snapshot, home: string) => Promise<(() => string | Promise<string>) | null>,
): Promise<Response> {
  const workspace = await publicWorkspace(subdomain);
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const { make, became } = await readAsVisitor(workspace, async (snapshot) => {
    const found = await find(snapshot, home);
    return { make: found, became: found === null ? await formerAddress(snapshot, path) : null };
  });
  if (make !== null) {
    return fileAnswer(request, await make(), {
      contentType: "text/markdown; charset=utf-8",
      kept: (await currentMember(subdomain)) ? "private" : "public",
    });
  }
  if (became === "gone") return plainRefusal(410, "The page at this URL was removed.");
  if (became) {
    const [, page] = /^(\/(?:articles|categories)\/[^/?#]+)/.exec(became.moved) ?? [];
    return plainRefusal(301, "It has moved.", {
      Location: page ? `${home}${page}.md` : new URL(became.moved, home).href,
    });
  }
  return plainRefusal(404, `There is nothing at this URL. See ${home}/llms.txt for all pages.`);
}
