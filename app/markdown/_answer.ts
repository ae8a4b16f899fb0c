import { env } from "@/lib/env";
import { fileAnswer, plainRefusal } from "@/lib/file-answer";
import { workspaceUrl } from "@/lib/host";
import { formerAddress } from "@/lib/published-redirects";
import { currentMember, readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import type { Sight } from "@/lib/visibility";

/**
 * Answers the Markdown of a page, or what became of it. These routes lie outside `app/sites`, so that the middleware
 * alone leads here: at a workspace's host no path is theirs.
 * @param path the page's, at the workspace's host
 * @param find reads the page, and answers what makes its Markdown, or null when the viewer may see no such page
 */
export async function markdownAnswer(
  request: Request,
  subdomain: string,
  path: string,
  find: (sight: Sight, home: string) => Promise<(() => string) | null>,
): Promise<Response> {
  const workspace = await publicWorkspace(subdomain);
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const { make, became } = await readAsVisitor(workspace, async (sight) => {
    const found = await find(sight, home);
    return { make: found, became: found === null ? await formerAddress(sight, path) : null };
  });
  if (make !== null) {
    return fileAnswer(request, make(), {
      contentType: "text/markdown; charset=utf-8",
      kept: (await currentMember(subdomain)) ? "private" : "public",
    });
  }
  if (became === "gone") return plainRefusal(410, "What was at this address has been removed.");
  if (became) {
    const [, page] = /^(\/(?:articles|categories)\/[^/?#]+)/.exec(became.moved) ?? [];
    return plainRefusal(301, "It has moved.", {
      Location: page ? `${home}${page}.md` : new URL(became.moved, home).href,
    });
  }
  return plainRefusal(404, `There is nothing to read at this address: what there is, is in ${home}/llms.txt.`);
}
