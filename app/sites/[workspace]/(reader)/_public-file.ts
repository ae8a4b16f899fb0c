import { env } from "@/lib/env";
import { fileAnswer, plainRefusal } from "@/lib/http/file-answer";
import { workspaceUrl } from "@/lib/http/host";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { readAs, type Snapshot } from "@/lib/visibility";

/**
 * Answers a file about the whole workspace, with what everyone may see. A workspace for members has none, even if some of
 * its categories are public, so that nobody finds it by accident.
 * @param find returns a function that makes the file, or null when there is no such file
 */
export async function publicFile(
  request: Request,
  context: { params: Promise<{ workspace: string }> },
  contentType: string,
  find: (snapshot: Snapshot, workspace: PublicWorkspace & { home: string }) => Promise<(() => string) | null>,
): Promise<Response> {
  const workspace = await publicWorkspace((await context.params).workspace);
  if (workspace.visibility === "members") return plainRefusal(404, "This knowledge base is private.");
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const make = await readAs(workspace, "anyone", (snapshot) => find(snapshot, { ...workspace, home }));
  if (make === null) return plainRefusal(404, "There is no such file.");
  return fileAnswer(request, make(), { contentType });
}
